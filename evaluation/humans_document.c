/* The document that `seedbed humans` writes and `report` reads (humans.h). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "evaluation/humans.h"

static const char rule[] =
    "counted: the participant's first play of the episode, without hints, undo and expert; actions and seconds: of "
    "those that succeeded, or of all where nothing judges success; quartiles and percentile_80: value number "
    "1 + q (n - 1) of n sorted ones, interpolated; baseline of a level: the upper median, number n div 2 + 1, of the "
    "counted plays that completed it";

/* ---- Printing ---- */

static void put_spread(sb_out *out, const char *key, const sb_quartiles *spread) {
    if (!spread->n) return;
    sb_put_key(out, key), sb_puts(out, "{");
    sb_member_uint(out, "n", spread->n);
    sb_put_key(out, "quartiles"), sb_puts(out, "[");
    for (int i = 0; i < 3; i++) sb_put_comma(out), sb_put_double(out, spread->quartiles[i]);
    sb_puts(out, "]");
    sb_member_double(out, "percentile_80", spread->percentile80);
    sb_puts(out, "}");
}

static void put_levels(sb_out *out, const sb_people *p) {
    if (!p->n_levels) return;
    sb_put_key(out, "levels"), sb_puts(out, "[");
    for (size_t i = 0; i < p->n_levels; i++) {
        sb_put_comma(out), sb_puts(out, "{");
        sb_member_uint(out, "completed", p->levels[i].completed);
        if (p->levels[i].baseline) sb_member_uint(out, "baseline", p->levels[i].baseline);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_people(sb_out *out, const sb_people *p, bool is_task) {
    char name[SB_NAME_MAX];
    sb_name_print(&p->name, name, sizeof name);
    sb_puts(out, "{");
    if (!is_task) sb_member_text(out, "episode", name);
    if (is_task) sb_member_text(out, "family", p->name.family), sb_member_text(out, "task", p->name.task);
    if (is_task && *p->name.difficulty) sb_member_text(out, "difficulty", p->name.difficulty);
    if (is_task) sb_member_uint(out, "episodes", p->episodes);
    sb_member_uint(out, "participants", p->participants), sb_member_uint(out, "plays", p->plays);
    sb_member_uint(out, "first", p->first), sb_member_uint(out, "counted", p->counted);
    sb_member_bool(out, "enough", p->enough);
    sb_member_uint(out, "judged", p->judged), sb_member_uint(out, "successes", p->successes);
    put_spread(out, "scores", &p->scores), put_spread(out, "actions", &p->actions);
    put_spread(out, "seconds", &p->seconds), put_levels(out, p);
    sb_puts(out, "}");
}

static void put_list(sb_out *out, const char *key, const sb_people *people, size_t n, bool are_tasks) {
    sb_putf(out, ",\n\"%s\": [", key);
    for (size_t i = 0; i < n; i++) sb_puts(out, i ? ",\n" : "\n"), put_people(out, &people[i], are_tasks);
    sb_puts(out, "]");
}

void sb_humans_print(const sb_humans *h, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "format", SB_HUMANS_FORMAT), sb_member_int(out, "version", SB_HUMANS_VERSION);
    sb_member_text(out, "rule", rule), sb_member_uint(out, "least", h->least);
    sb_member_uint(out, "participants", h->participants), sb_member_uint(out, "plays", h->plays);
    sb_member_uint(out, "again", h->again), sb_member_uint(out, "anonymous", h->anonymous);
    put_list(out, "episodes", h->episodes, h->n_episodes, false);
    put_list(out, "tasks", h->tasks, h->n_tasks, true);
    sb_puts(out, "}\n");
}

/* ---- Reading ---- */

static bool read_size(const cJSON *object, const char *key, size_t *value, sb_error *error) {
    uint64_t number;
    if (!sb_json_uint(object, key, &number, error)) return false;
    *value = (size_t)number;
    return number <= SB_HUMANS_PLAYS || sb_fail(error, SB_INVALID, "key `%s` is too large", key);
}

static bool read_spread(const cJSON *object, const char *key, sb_quartiles *spread, sb_error *error) {
    static const char *const keys[] = {"n", "quartiles", "percentile_80", NULL};
    const cJSON *of, *list, *item;
    int i = 0;
    if (!cJSON_HasObjectItem(object, key)) return true;
    if (!sb_json_object(object, key, &of, error)) return false;
    if (!sb_json_known_keys(of, keys, error) || !read_size(of, "n", &spread->n, error) ||
        !sb_json_array(of, "quartiles", &list, error) ||
        !sb_json_double(of, "percentile_80", &spread->percentile80, error))
        return sb_fail_at(error, "key `%s`", key);
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsNumber(item) || i == 3) return sb_fail(error, SB_INVALID, "key `%s`: three quartiles", key);
        spread->quartiles[i++] = item->valuedouble;
    }
    return (i == 3 && spread->n) || sb_fail(error, SB_INVALID, "key `%s`: three quartiles of some values", key);
}

static bool read_level(const cJSON *object, sb_people *p, sb_error *error) {
    static const char *const keys[] = {"completed", "baseline", NULL};
    uint64_t baseline = 0;
    if (p->n_levels == SB_EFFORT_LEVELS) return sb_fail(error, SB_INVALID, "more than %d levels", SB_EFFORT_LEVELS);
    if (!sb_json_known_keys(object, keys, error) ||
        !read_size(object, "completed", &p->levels[p->n_levels].completed, error) ||
        !sb_json_optional_uint(object, "baseline", &baseline, error))
        return false;
    p->levels[p->n_levels++].baseline = (uint32_t)baseline;
    return baseline <= INT32_MAX || sb_fail(error, SB_INVALID, "key `baseline` is too large");
}

static bool read_levels(const cJSON *object, sb_people *p, sb_error *error) {
    const cJSON *list, *item;
    if (!cJSON_HasObjectItem(object, "levels")) return true;
    if (!sb_json_array(object, "levels", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        if (!read_level(item, p, error)) return sb_fail_at(error, "level %zu", p->n_levels + 1);
    }
    return true;
}

static bool read_counts(const cJSON *object, sb_people *p, sb_error *error) {
    return read_size(object, "participants", &p->participants, error) && read_size(object, "plays", &p->plays, error) &&
           read_size(object, "first", &p->first, error) && read_size(object, "counted", &p->counted, error) &&
           sb_json_bool(object, "enough", &p->enough, error) && read_size(object, "judged", &p->judged, error) &&
           read_size(object, "successes", &p->successes, error) && read_spread(object, "scores", &p->scores, error) &&
           read_spread(object, "actions", &p->actions, error) && read_spread(object, "seconds", &p->seconds, error) &&
           read_levels(object, p, error);
}

static bool read_episode(const sb_catalogue *catalogue, const cJSON *object, sb_people *p, sb_error *error) {
    static const char *const keys[] = {"episode",   "participants", "plays",   "first",   "counted", "enough", "judged",
                                       "successes", "scores",       "actions", "seconds", "levels",  NULL};
    const char *name;
    sb_resolved of;
    p->episodes = 1;
    return sb_json_known_keys(object, keys, error) && sb_json_string(object, "episode", &name, error) &&
           sb_resolve_text(catalogue, name, &p->name, &of, error) && read_counts(object, p, error);
}

static bool read_task(const sb_catalogue *catalogue, const cJSON *object, sb_people *p, sb_error *error) {
    static const char *const keys[] = {"family",    "task",   "difficulty", "episodes", "participants",
                                       "plays",     "first",  "counted",    "enough",   "judged",
                                       "successes", "scores", "actions",    "seconds",  NULL};
    (void)catalogue;
    if (!sb_json_known_keys(object, keys, error) ||
        !sb_json_text(object, "family", p->name.family, sizeof p->name.family, error) ||
        !sb_json_text(object, "task", p->name.task, sizeof p->name.task, error))
        return false;
    if (cJSON_HasObjectItem(object, "difficulty") &&
        !sb_json_text(object, "difficulty", p->name.difficulty, sizeof p->name.difficulty, error))
        return false;
    return read_size(object, "episodes", &p->episodes, error) && read_counts(object, p, error);
}

typedef bool reader(const sb_catalogue *catalogue, const cJSON *object, sb_people *people, sb_error *error);

static bool read_list(const cJSON *document, const char *key, const sb_catalogue *catalogue, reader *read,
                      sb_people **people, size_t *n, sb_error *error) {
    const cJSON *list, *item;
    if (!sb_json_array(document, key, &list, error)) return false;
    *people = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof **people);
    if (!*people) return sb_fail(error, SB_MEMORY, "out of memory for plays of people");
    cJSON_ArrayForEach(item, list) {
        sb_people *now = &(*people)[*n];
        if (!read(catalogue, item, now, error)) return sb_fail_at(error, "key `%s`: item %zu", key, *n);
        if (*n && sb_compare_names(&now[-1].name, &now->name) >= 0)
            return sb_fail(error, SB_INVALID, "key `%s`: item %zu should come after the one before, by name", key, *n);
        (*n)++;
    }
    return true;
}

static bool read_document(const cJSON *document, const sb_catalogue *catalogue, sb_humans *h, sb_error *error) {
    static const char *const keys[] = {"format",    "version",  "rule",  "least", "participants", "plays", "again",
                                       "anonymous", "episodes", "tasks", NULL};
    const char *format;
    uint64_t version;
    if (!sb_json_string(document, "format", &format, error)) return false;
    if (strcmp(format, SB_HUMANS_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "its format is `%.40s`, not `%s`, which `seedbed humans` writes", format,
                       SB_HUMANS_FORMAT);
    if (!sb_json_uint(document, "version", &version, error)) return false;
    if (version != SB_HUMANS_VERSION)
        return sb_fail(error, SB_VERSION_OTHER, "it has version %llu, but this program reads version %d",
                       (unsigned long long)version, SB_HUMANS_VERSION);
    return sb_json_known_keys(document, keys, error) && read_size(document, "least", &h->least, error) &&
           read_size(document, "participants", &h->participants, error) &&
           read_size(document, "plays", &h->plays, error) && read_size(document, "again", &h->again, error) &&
           read_size(document, "anonymous", &h->anonymous, error) &&
           read_list(document, "episodes", catalogue, read_episode, &h->episodes, &h->n_episodes, error) &&
           read_list(document, "tasks", catalogue, read_task, &h->tasks, &h->n_tasks, error);
}

bool sb_humans_parse(sb_humans *humans, const sb_catalogue *catalogue, const char *text, size_t n, sb_error *error) {
    *humans = (sb_humans){0};
    cJSON *document = sb_json_parse(text, n, error);
    const bool ok = document && read_document(document, catalogue, humans, error);
    cJSON_Delete(document);
    return ok;
}

bool sb_humans_load(sb_humans *humans, const sb_catalogue *catalogue, const char *path, sb_error *error) {
    sb_out text = sb_out_growing();
    *humans = (sb_humans){0};
    bool ok = sb_file_load(path, SB_HUMANS_BYTES, &text, error);
    ok = ok && (sb_humans_parse(humans, catalogue, text.data, text.size, error) ||
                sb_fail_at(error, "%s", sb_path_end(path)));
    sb_out_free(&text);
    return ok;
}
