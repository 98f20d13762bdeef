#include "evaluation/study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "evaluation/selected.h"
#include "seedbed/picture.h"

const char *const sb_study_orders[] = {"fixed", "balanced", "drawn", NULL};
const char *const sb_study_text_names[SB_STUDY_TEXTS] = {"welcome", "consent", "instructions", "end"};
static const char *const question_kinds[] = {"choice", "number", "text"};

void sb_study_free(sb_study *study) {
    cJSON_Delete(study->document);
    free(study->episodes), free(study->questions);
    sb_out_free(&study->text);
    *study = (sb_study){0};
}

/* ---- Numbers and switches ---- */

static bool read_number(const cJSON *object, const char *key, uint64_t least, uint64_t most, uint64_t *value,
                        sb_error *error) {
    return sb_json_optional_uint(object, key, value, error) &&
           (!cJSON_HasObjectItem(object, key) || (*value >= least && *value <= most) ||
            sb_fail(error, SB_INVALID, "key `%s` should be a number from %llu to %llu", key, (unsigned long long)least,
                    (unsigned long long)most));
}

static bool read_switch(const cJSON *object, const char *key, bool *value, sb_error *error) {
    return !cJSON_HasObjectItem(object, key) || sb_json_bool(object, key, value, error);
}

static bool read_limits(sb_study *s, sb_error *error) {
    static const char *const keys[] = {"seconds", "actions", "minutes", NULL};
    const cJSON *limits;
    if (!cJSON_HasObjectItem(s->document, "limits")) return true;
    if (!sb_json_object(s->document, "limits", &limits, error)) return false;
    return (sb_json_known_keys(limits, keys, error) && read_number(limits, "seconds", 1, 86400, &s->seconds, error) &&
            read_number(limits, "actions", 1, 1000000, &s->actions, error) &&
            read_number(limits, "minutes", 1, 1440, &s->minutes, error)) ||
           sb_fail_at(error, "limits");
}

/* ---- Texts ---- */

static bool read_text(const cJSON *object, const char *key, size_t most, const char **text, sb_error *error) {
    if (!sb_json_string(object, key, text, error)) return false;
    if (!**text) return sb_fail(error, SB_INVALID, "key `%s` is empty", key);
    return strlen(*text) <= most || sb_fail(error, SB_INVALID, "key `%s` has more than %zu bytes", key, most);
}

static bool read_texts(sb_study *s, sb_error *error) {
    static const char *const keys[] = {"welcome", "consent", "instructions", "end", NULL};
    const cJSON *texts;
    if (!sb_json_object(s->document, "texts", &texts, error)) return false;
    bool ok = sb_json_known_keys(texts, keys, error);
    for (size_t i = 0; ok && i < SB_STUDY_TEXTS; i++)
        ok = read_text(texts, sb_study_text_names[i], SB_STUDY_TEXT, &s->texts[i], error);
    return ok || sb_fail_at(error, "texts");
}

/* ---- Episodes ---- */

static bool add_episode(sb_study *s, const sb_name *name, sb_error *error) {
    if (s->n == SB_STUDY_EPISODES)
        return sb_fail(error, SB_INVALID, "there are more than %d episodes: list those that are wanted by name",
                       SB_STUDY_EPISODES);
    if (!s->episodes) s->episodes = malloc(SB_STUDY_EPISODES * sizeof *s->episodes);
    if (!s->episodes) return sb_fail(error, SB_MEMORY, "out of memory for the episodes of a study");
    s->episodes[s->n++] = *name;
    return true;
}

/* A challenge that would have to be derived keeps server and participants waiting for a minute. */
static bool check_at_hand(const sb_catalogue *catalogue, const sb_name *name, const sb_resolved *of, const char *text,
                          sb_error *error) {
    size_t n;
    return !sb_is_derived(of->family, of->task, of->difficulty) || sb_catalogue_document(catalogue, name, &n) ||
           sb_fail(error, SB_INVALID, "%s is not derived yet: name a pack that has it with --challenges", text);
}

static bool read_name(sb_study *s, const sb_catalogue *catalogue, const char *text, sb_error *error) {
    sb_name name;
    sb_resolved of;
    return sb_resolve_text(catalogue, text, &name, &of, error) && check_at_hand(catalogue, &name, &of, text, error) &&
           add_episode(s, &name, error);
}

static bool read_names(sb_study *s, const sb_catalogue *catalogue, const cJSON *list, sb_error *error) {
    const cJSON *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsString(item)) return sb_fail(error, SB_INVALID, "name %zu should be a text", i);
        if (!read_name(s, catalogue, item->valuestring, error)) return sb_fail_at(error, "name %zu", i);
        i++;
    }
    return true;
}

static bool add_selection(sb_study *s, const sb_selection *selection, sb_error *error) {
    char text[SB_NAME_MAX];
    sb_name name;
    for (size_t i = 0; i < selection->n; i++) {
        sb_name_print(sb_selection_name(selection, i, &name), text, sizeof text);
        if (!read_name(s, selection->catalogue, text, error)) return false;
    }
    return true;
}

/* A pack stands beside the study, unless its path says otherwise. */
static bool read_pack(sb_study *s, const sb_catalogue *catalogue, const char *folder, const char *path,
                      sb_error *error) {
    char place[2048];
    const bool whole = *path == '/' || !*folder;
    if ((size_t)snprintf(place, sizeof place, "%s%s%s", whole ? "" : folder, whole ? "" : "/", path) >= sizeof place)
        return sb_fail(error, SB_INVALID, "the path of a pack is too long");
    sb_selection selection = {0};
    const bool ok = sb_select_pack_file(catalogue, place, &selection, NULL, error) &&
                    (add_selection(s, &selection, error) || sb_fail_at(error, "%s", sb_path_end(path)));
    sb_selection_free(&selection);
    return ok;
}

static int by_name(const void *a, const void *b) { return sb_compare_names(a, b); }

/* An episode that stands there twice could not be told apart from a second attempt. */
static bool check_once(const sb_study *s, sb_error *error) {
    char text[SB_NAME_MAX] = "";
    sb_name *sorted = malloc(s->n * sizeof *sorted);
    if (!sorted) return sb_fail(error, SB_MEMORY, "out of memory for the episodes of a study");
    memcpy(sorted, s->episodes, s->n * sizeof *sorted);
    qsort(sorted, s->n, sizeof *sorted, by_name);
    for (size_t i = 1; i < s->n && !*text; i++)
        if (by_name(&sorted[i - 1], &sorted[i]) == 0) sb_name_print(&sorted[i], text, sizeof text);
    free(sorted);
    return !*text || sb_fail(error, SB_INVALID, "%s is there twice", text);
}

static bool read_packs(sb_study *s, const sb_catalogue *catalogue, const char *folder, sb_error *error) {
    const cJSON *packs, *pack;
    size_t i = 0;
    if (!sb_json_array(s->document, "packs", &packs, error)) return false;
    cJSON_ArrayForEach(pack, packs) {
        const bool ok = cJSON_IsArray(pack)    ? read_names(s, catalogue, pack, error)
                        : cJSON_IsString(pack) ? read_pack(s, catalogue, folder, pack->valuestring, error)
                                               : sb_fail(error, SB_INVALID, "a pack is a path or a list of names");
        if (!ok) return sb_fail_at(error, "key `packs`: item %zu", i);
        i++;
    }
    if (!s->n) return sb_fail(error, SB_INVALID, "key `packs` names no episode");
    return check_once(s, error) || sb_fail_at(error, "key `packs`");
}

static bool read_played(sb_study *s, sb_error *error) {
    uint64_t played = s->n;
    if (!read_number(s->document, "episodes", 1, s->n, &played, error)) return false;
    s->played = (size_t)played;
    return played <= SB_STUDY_PLAYED ||
           sb_fail(error, SB_INVALID, "a participant would play %zu episodes: say with `episodes` how many, at most %d",
                   s->played, SB_STUDY_PLAYED);
}

/* Checks that every family that is played has the look and the mode of the study. */
static bool check_shown(const sb_study *s, sb_error *error) {
    const sb_family *before = NULL;
    for (size_t i = 0; i < s->n; i++) {
        const sb_family *family = sb_family_find(s->episodes[i].family, error);
        if (!family) return false;
        if (family == before) continue;
        before = family;
        if (s->look && !sb_look_find(family, s->look, error)) return sb_fail_at(error, "key `look`");
        if (s->mode && !sb_mode_find(family, s->mode, error)) return sb_fail_at(error, "key `mode`");
    }
    return true;
}

/* ---- Questions ---- */

static bool read_choices(const cJSON *object, sb_question *q, sb_error *error) {
    const cJSON *item;
    if (!sb_json_array(object, "choices", &q->choices, error)) return false;
    const int n = cJSON_GetArraySize(q->choices);
    if (n < 2 || n > SB_STUDY_QUESTIONS)
        return sb_fail(error, SB_INVALID, "key `choices` should have 2 to %d texts", SB_STUDY_QUESTIONS);
    cJSON_ArrayForEach(item, q->choices) {
        if (!cJSON_IsString(item) || !*item->valuestring || strlen(item->valuestring) > SB_STUDY_ANSWER)
            return sb_fail(error, SB_INVALID, "key `choices` should have texts of 1 to %d bytes", SB_STUDY_ANSWER);
    }
    return true;
}

static bool read_range(const cJSON *object, sb_question *q, sb_error *error) {
    return sb_json_double(object, "least", &q->least, error) && sb_json_double(object, "most", &q->most, error) &&
           (q->least < q->most || sb_fail(error, SB_INVALID, "key `most` should be above `least`"));
}

/* Reads the kind of a question. Each kind has keys of its own, and none of the others'. */
static bool read_kind(const cJSON *object, sb_question *q, sb_error *error) {
    static const char *const keys[][8] = {{"name", "text", "kind", "after", "choices", NULL},
                                          {"name", "text", "kind", "after", "least", "most", NULL},
                                          {"name", "text", "kind", "after", "letters", NULL}};
    size_t kind;
    if (!sb_json_word(object, "kind", question_kinds, 3, &kind, error) ||
        !sb_json_known_keys(object, keys[kind], error))
        return false;
    q->kind = (sb_asked)kind, q->letters = 500;
    if (q->kind == SB_ASK_CHOICE) return read_choices(object, q, error);
    if (q->kind == SB_ASK_NUMBER) return read_range(object, q, error);
    return read_number(object, "letters", 1, SB_STUDY_ANSWER, &q->letters, error);
}

static bool fail_of_after(const sb_study *s, sb_error *error) {
    return sb_fail(error, SB_INVALID,
                   "key `after` should be `each`, `last`, or a list of numbers of episodes from 1 to %zu", s->played);
}

static bool read_after(const sb_study *s, const cJSON *object, sb_question *q, sb_error *error) {
    const cJSON *after = cJSON_GetObjectItemCaseSensitive(object, "after"), *item;
    double number;
    if (cJSON_IsString(after)) {
        q->each = strcmp(after->valuestring, "each") == 0;
        if (strcmp(after->valuestring, "last") == 0) q->after[s->played] = true;
        return q->each || q->after[s->played] || fail_of_after(s, error);
    }
    if (!cJSON_IsArray(after) || !after->child) return fail_of_after(s, error);
    cJSON_ArrayForEach(item, after) {
        if (!sb_json_is_whole(item, 1, (double)s->played, &number)) return fail_of_after(s, error);
        q->after[(size_t)number] = true;
    }
    return true;
}

static bool read_question(sb_study *s, const cJSON *object, sb_error *error) {
    sb_question *q = &s->questions[s->n_questions];
    if (!sb_json_text(object, "name", q->name, sizeof q->name, error)) return false;
    if (!sb_is_study_name(q->name)) return sb_fail(error, SB_INVALID, "key `name` should be letters, digits and ._-");
    if (sb_study_question(s, q->name))
        return sb_fail(error, SB_INVALID, "another question has the name `%s`, too", q->name);
    s->n_questions++;
    return read_text(object, "text", SB_STUDY_TEXT, &q->text, error) && read_kind(object, q, error) &&
           read_after(s, object, q, error);
}

static bool read_questions(sb_study *s, sb_error *error) {
    const cJSON *questions, *item;
    size_t i = 0;
    if (!cJSON_HasObjectItem(s->document, "questions")) return true;
    if (!sb_json_array(s->document, "questions", &questions, error)) return false;
    const int n = cJSON_GetArraySize(questions);
    if (n > SB_STUDY_QUESTIONS) return sb_fail(error, SB_INVALID, "more than %d questions", SB_STUDY_QUESTIONS);
    s->questions = calloc((size_t)n + 1, sizeof *s->questions);
    if (!s->questions) return sb_fail(error, SB_MEMORY, "out of memory for the questions of a study");
    cJSON_ArrayForEach(item, questions) {
        if (!read_question(s, item, error)) return sb_fail_at(error, "key `questions`: item %zu", i);
        i++;
    }
    return true;
}

/* ---- The study ---- */

static bool read_format(const cJSON *document, sb_error *error) {
    const char *format;
    uint64_t version;
    if (!sb_json_string(document, "format", &format, error)) return false;
    if (strcmp(format, SB_STUDY_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "this is no study: its format is `%.40s`, not `%s`", format, SB_STUDY_FORMAT);
    if (!sb_json_uint(document, "version", &version, error)) return false;
    return version == SB_STUDY_VERSION ||
           sb_fail(error, SB_VERSION_OTHER, "the study has version %llu, but this program reads version %d",
                   (unsigned long long)version, SB_STUDY_VERSION);
}

static bool read_head(sb_study *s, sb_error *error) {
    static const char *const keys[] = {"format", "version", "name", "packs", "order", "episodes",  "attempts", "texts",
                                       "limits", "undo",    "hint", "look",  "mode",  "questions", NULL};
    const cJSON *document = s->document;
    size_t order = SB_ORDER_FIXED;
    s->attempts = 1;
    if (!read_format(document, error) || !sb_json_known_keys(document, keys, error) ||
        !sb_json_text(document, "name", s->name, sizeof s->name, error))
        return false;
    if (!sb_is_study_name(s->name))
        return sb_fail(error, SB_INVALID, "key `name` should be 1 to %d letters, digits and ._-", SB_STUDY_NAME - 1);
    if (!sb_json_optional_word(document, "order", sb_study_orders, 3, &order, error)) return false;
    s->order = (sb_study_order_kind)order;
    return read_number(document, "attempts", 1, SB_STUDY_ATTEMPTS, &s->attempts, error) &&
           read_switch(document, "undo", &s->undo, error) && read_switch(document, "hint", &s->hint, error) &&
           sb_json_optional_string(document, "look", &s->look, error) &&
           sb_json_optional_string(document, "mode", &s->mode, error);
}

/* Writes the study with names in place of its packs: what was a pack elsewhere is then the same everywhere. */
static bool seal(sb_study *s, sb_error *error) {
    char text[SB_NAME_MAX];
    cJSON *packs = cJSON_CreateArray(), *names = cJSON_CreateArray();
    bool ok = packs && names && cJSON_AddItemToArray(packs, names);
    for (size_t i = 0; ok && i < s->n; i++) {
        sb_name_print(&s->episodes[i], text, sizeof text);
        ok = cJSON_AddItemToArray(names, cJSON_CreateString(text));
    }
    ok = ok && cJSON_ReplaceItemInObjectCaseSensitive(s->document, "packs", packs);
    char *line = ok ? cJSON_PrintUnformatted(s->document) : NULL;
    s->text = sb_out_growing();
    if (line) sb_puts(&s->text, line), sb_putc(&s->text, '\n');
    cJSON_free(line);
    if (!line || !sb_out_ok(&s->text)) return sb_fail(error, SB_MEMORY, "out of memory for a study");
    sb_sha256_hex(s->text.data, s->text.size, s->digest);
    return true;
}

bool sb_study_parse(sb_study *study, const sb_catalogue *catalogue, const char *text, size_t n, const char *folder,
                    sb_error *error) {
    *study = (sb_study){0};
    study->document = sb_json_parse(text, n, error);
    return study->document && read_head(study, error) && read_limits(study, error) && read_texts(study, error) &&
           read_packs(study, catalogue, folder, error) && read_played(study, error) && check_shown(study, error) &&
           read_questions(study, error) && seal(study, error);
}

bool sb_study_load(sb_study *study, const sb_catalogue *catalogue, const char *path, sb_error *error) {
    char folder[1024] = "";
    sb_out text = sb_out_growing();
    *study = (sb_study){0};
    const size_t n = (size_t)(sb_file_name(path) - path);
    if (n >= sizeof folder) return sb_fail(error, SB_INVALID, "the path of the study is too long");
    if (n) memcpy(folder, path, n > 1 ? n - 1 : n);
    bool ok = sb_file_load(path, SB_STUDY_BYTES, &text, error);
    ok = ok && (sb_study_parse(study, catalogue, text.data, text.size, folder, error) ||
                sb_fail_at(error, "%s", sb_path_end(path)));
    sb_out_free(&text);
    return ok;
}

size_t sb_study_find(const sb_study *study, const sb_name *name) {
    size_t i = 0;
    while (i < study->n && sb_compare_names(&study->episodes[i], name) != 0) i++;
    return i;
}

const sb_question *sb_study_question(const sb_study *study, const char *name) {
    for (size_t i = 0; i < study->n_questions; i++)
        if (strcmp(study->questions[i].name, name) == 0) return &study->questions[i];
    return NULL;
}

bool sb_is_asked(const sb_question *question, size_t after) {
    return question->each || (after <= SB_STUDY_PLAYED && question->after[after]);
}

double sb_study_minutes(const sb_study *study) {
    const double episodes = (double)study->seconds * (double)study->played * (double)study->attempts / 60;
    if (!study->seconds || (study->minutes && (double)study->minutes < episodes)) return (double)study->minutes;
    return episodes;
}
