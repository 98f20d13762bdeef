#include "generators/autumn/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/pool.h"
#include "engine/derived.h"
#include "generators/autumn/programs.h"

enum { LARGEST = 1 << 30 };

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

/* Takes the next word of a list with commas; false at its end. */
static bool next_word(const char **list, char word[64]) {
    const size_t n = strcspn(*list, ",");
    if (!**list) return false;
    snprintf(word, 64, "%.*s", (int)n, *list);
    *list += n + ((*list)[n] == ',');
    return true;
}

bool sb_autumn_pack_read_kinds(const char *text, sb_autumn_pack_plan *plan, sb_error *error) {
    char word[64];
    bool any = false;
    while (next_word(&text, word)) {
        int kind = 0;
        while (kind < SB_AUTUMN_N_CHALLENGES && strcmp(word, sb_autumn_challenge_names[kind]) != 0) kind++;
        if (kind == SB_AUTUMN_N_CHALLENGES)
            return sb_fail(error, SB_INVALID, "there is no kind `%s`; the kinds are mfp, planning and change", word);
        plan->kinds[kind] = any = true;
    }
    return any || sb_fail(error, SB_INVALID, "name a kind: mfp, planning or change");
}

bool sb_autumn_pack_read_levels(const char *text, sb_autumn_pack_plan *plan, sb_error *error) {
    unsigned from, to;
    int end = 0;
    const bool range = sscanf(text, "%1u..%1u%n", &from, &to, &end) == 2 && !text[end];
    if (!range && (sscanf(text, "%1u%n", &from, &end) != 1 || text[end])) from = 0;
    if (!range) to = from;
    if (from < 1 || to < from || to > SB_AUTUMN_LEVELS)
        return sb_fail(error, SB_INVALID, "levels are 1 to %d, such as `2` or `1..3`", SB_AUTUMN_LEVELS);
    plan->from_level = from, plan->to_level = to;
    return true;
}

bool sb_autumn_pack_read_programs(const char *text, sb_autumn_pack_plan *plan, sb_error *error) {
    char word[64];
    bool any = false;
    while (next_word(&text, word)) {
        size_t i = 0;
        while (i < SB_AUTUMN_PACK_PROGRAMS && strcmp(word, sb_autumn_task_at(i)->name) != 0) i++;
        if (i == SB_AUTUMN_PACK_PROGRAMS)
            return sb_fail(error, SB_INVALID, "there is no program `%s`; `seedbed tasks` lists them", word);
        plan->programs[i] = any = true;
    }
    return any || sb_fail(error, SB_INVALID, "name a program");
}

static size_t count(const bool *set, size_t n) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) found += set[i];
    return found;
}

size_t sb_autumn_pack_size(const sb_autumn_pack_plan *plan) {
    return count(plan->programs, SB_AUTUMN_PACK_PROGRAMS) * count(plan->kinds, SB_AUTUMN_N_CHALLENGES) *
           (plan->to_level - plan->from_level + 1) * (size_t)plan->seeds;
}

/* One challenge of a plan. */
typedef struct item {
    size_t program;
    sb_autumn_challenge_kind kind;
    uint32_t level;
    uint64_t seed;
} item;

static size_t nth(const bool *set, size_t n) {
    size_t i = 0;
    while (!set[i] || n--) i++;
    return i;
}

static item item_at(const sb_autumn_pack_plan *plan, size_t index) {
    const size_t levels = plan->to_level - plan->from_level + 1, seeds = (size_t)plan->seeds;
    const size_t kinds = count(plan->kinds, SB_AUTUMN_N_CHALLENGES);
    return (item){.program = nth(plan->programs, index / seeds / levels / kinds),
                  .kind = (sb_autumn_challenge_kind)nth(plan->kinds, index / seeds / levels % kinds),
                  .level = plan->from_level + (uint32_t)(index / seeds % levels),
                  .seed = plan->first_seed + index % seeds};
}

static void put_head(const sb_autumn_pack_plan *plan, sb_out *out) {
    sb_puts(out, "{\"format\": \"" SB_AUTUMN_PACK_FORMAT "\"");
    sb_member_uint(out, "version", SB_AUTUMN_PACK_VERSION);
    sb_put_key(out, "programs");
    sb_puts(out, "[");
    for (size_t i = 0; i < SB_AUTUMN_PACK_PROGRAMS; i++)
        if (plan->programs[i]) sb_put_comma(out), sb_put_json_string(out, sb_autumn_task_at(i)->name);
    sb_puts(out, "]");
    sb_put_key(out, "kinds");
    sb_puts(out, "[");
    for (int k = 0; k < SB_AUTUMN_N_CHALLENGES; k++)
        if (plan->kinds[k]) sb_put_comma(out), sb_put_json_string(out, sb_autumn_challenge_names[k]);
    sb_puts(out, "]");
    sb_member_uint(out, "from_level", plan->from_level);
    sb_member_uint(out, "to_level", plan->to_level);
    sb_member_uint(out, "first_seed", plan->first_seed);
    sb_member_uint(out, "seeds", plan->seeds);
    sb_puts(out, "}\n");
}

/* Reads the texts of a list, each by one of the functions above. */
static bool read_words(const cJSON *head, const char *key,
                       bool (*read)(const char *text, sb_autumn_pack_plan *plan, sb_error *error),
                       sb_autumn_pack_plan *plan, sb_error *error) {
    const cJSON *list, *word;
    if (!sb_json_array(head, key, &list, error)) return false;
    cJSON_ArrayForEach(word, list) {
        if (!cJSON_IsString(word)) return sb_fail(error, SB_INVALID, "%s must hold texts", key);
        if (!read(word->valuestring, plan, error)) return false;
    }
    return true;
}

static bool read_members(const cJSON *head, sb_autumn_pack_plan *plan, sb_error *error) {
    uint64_t version, from, to;
    if (!sb_json_uint(head, "version", &version, error) || !sb_json_uint(head, "from_level", &from, error) ||
        !sb_json_uint(head, "to_level", &to, error) || !sb_json_uint(head, "first_seed", &plan->first_seed, error) ||
        !sb_json_uint(head, "seeds", &plan->seeds, error) ||
        !read_words(head, "programs", sb_autumn_pack_read_programs, plan, error) ||
        !read_words(head, "kinds", sb_autumn_pack_read_kinds, plan, error))
        return false;
    if (version != SB_AUTUMN_PACK_VERSION)
        return sb_fail(error, SB_INVALID, "version %llu of challenges is unknown", (unsigned long long)version);
    if (from < 1 || to < from || to > SB_AUTUMN_LEVELS || plan->seeds > SB_AUTUMN_PACK_SEEDS)
        return sb_fail(error, SB_INVALID, "levels or seeds are out of range");
    plan->from_level = (uint32_t)from, plan->to_level = (uint32_t)to;
    return true;
}

/* The first line must be just what would be written. */
static bool read_head(const char *line, size_t n, sb_autumn_pack_plan *plan, sb_error *error) {
    *plan = (sb_autumn_pack_plan){0};
    cJSON *const head = sb_json_parse(line, n, error);
    sb_out again = sb_out_growing();
    bool ok = head && ((cJSON_IsObject(head) && read_members(head, plan, error)) ||
                       (!cJSON_IsObject(head) && sb_fail(error, SB_INVALID, "the first line is no object")));
    if (ok) put_head(plan, &again);
    if (ok && (!sb_out_ok(&again) || again.size != n || memcmp(again.data, line, n) != 0))
        ok = sb_fail(error, SB_INVALID, "the first line is not that of a pack of challenges");
    sb_out_free(&again);
    cJSON_Delete(head);
    return ok;
}

/* ---- Workers ----------------------------------------------------------------------------------------------------- */

/* A worker keeps the program that it works on. */
typedef struct worker {
    size_t program; /* plus 1; 0: none */
    sb_autumn_study *study;
} worker;

static void free_worker(void *scratch) { sb_autumn_study_free(((worker *)scratch)->study); }

static sb_autumn_study *study_of(worker *w, size_t program, sb_error *error) {
    if (w->program == program + 1) return w->study;
    sb_autumn_study_free(w->study);
    const sb_autumn_task *task = sb_autumn_task_of(sb_autumn_task_at(program));
    w->study = sb_autumn_study_new(task->info.name, task->text, strlen(task->text), error);
    w->program = w->study ? program + 1 : 0;
    return w->study;
}

/* The lines of one challenge; `task` is empty if there is none. */
typedef struct lines {
    sb_out task, answer;
} lines;

static void free_lines(void *slot) {
    lines *l = slot;
    sb_out_free(&l->task), sb_out_free(&l->answer);
}

static void put_none(const item *it, const char *program, const char *why, sb_out *out) {
    const sb_autumn_challenge_name name = {.kind = it->kind, .level = it->level, .seed = it->seed};
    sb_autumn_challenge_name full = name;
    snprintf(full.program, sizeof full.program, "%s", program);
    sb_puts(out, "{\"none\": \"");
    sb_autumn_challenge_put_name(&full, out);
    sb_puts(out, "\"");
    sb_member_text(out, "why", why);
    sb_puts(out, "}\n");
}

/* Derives an item into two lines. */
static bool derive(const item *it, worker *w, lines *l, sb_error *error) {
    sb_autumn_challenge challenge = {0};
    if (!l->task.grows) l->task = sb_out_growing(), l->answer = sb_out_growing();
    sb_out_clear(&l->task), sb_out_clear(&l->answer);
    sb_autumn_study *const study = study_of(w, it->program, error);
    if (!study) return false;
    bool ok = sb_autumn_derive(study, it->kind, it->level, it->seed, &challenge, error);
    if (ok)
        sb_autumn_challenge_put(&challenge, &l->task, &l->answer);
    else if (error->code == SB_INVALID)
        put_none(it, sb_autumn_task_at(it->program)->name, error->text, &l->answer), ok = true;
    sb_autumn_challenge_clear(&challenge);
    return ok && ((sb_out_ok(&l->task) && sb_out_ok(&l->answer)) || sb_fail(error, SB_MEMORY, "out of memory"));
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* `pack.jsonl` has its answers in `pack.answers.jsonl`. */
static bool name_answers(const char *path, char answers[1024], sb_error *error) {
    const char *const slash = strrchr(path, '/'), *const dot = strrchr(slash ? slash : path, '.');
    const size_t n = dot ? (size_t)(dot - path) : strlen(path);
    if ((size_t)snprintf(answers, 1024, "%.*s.answers%s", (int)n, path, dot ? dot : "") < 1024) return true;
    return sb_fail(error, SB_INVALID, "the name of the pack is too long");
}

static size_t line_length(const char *text, size_t n) {
    const char *const end = n ? memchr(text, '\n', n) : NULL;
    return end ? (size_t)(end - text) + 1 : 0;
}

typedef struct packing {
    const sb_autumn_pack_plan *plan;
    const sb_autumn_packing *how;
    sb_autumn_pack_counts *counts;
    sb_file task, answer;
    size_t done, total; /* done: items that were there before */
} packing;

static void note(packing *p, size_t index, bool derived) {
    const item it = item_at(p->plan, index);
    p->counts->asked[it.kind][it.level - 1]++;
    p->counts->derived[it.kind][it.level - 1] += derived;
    if (p->how->progress) p->how->progress(p->how->context, index + 1, p->total);
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const packing *p = context;
    const item it = item_at(p->plan, p->done + index);
    return derive(&it, scratch, slot, error);
}

/* The task is written before its answer, so an answer is only there if its task is. */
static bool take(void *context, size_t index, void *slot, sb_error *error) {
    packing *p = context;
    lines *l = slot;
    if (!sb_file_write(&p->task, l->task.data, l->task.size, error) ||
        !sb_file_write(&p->answer, l->answer.data, l->answer.size, error))
        return false;
    note(p, p->done + index, l->task.size != 0);
    return true;
}

static bool holds(const char *line, size_t n, const char *text) {
    const size_t m = strlen(text);
    for (size_t i = 0; i + m <= n; i++)
        if (memcmp(line + i, text, m) == 0) return true;
    return false;
}

/* What of the two unfinished files is good: whole lines that go together, in order. Returns false if they are of
 * another pack. */
static bool find_done(packing *p, const sb_out *head, const sb_out *task, const sb_out *answer, size_t keep[2],
                      sb_error *error) {
    keep[0] = line_length(task->data, task->size), keep[1] = line_length(answer->data, answer->size);
    if (!keep[0] || !keep[1]) return keep[0] = keep[1] = 0, true;
    if (keep[0] != head->size || keep[1] != head->size || memcmp(task->data, head->data, head->size) != 0 ||
        memcmp(answer->data, head->data, head->size) != 0)
        return sb_fail(error, SB_INVALID, "%s.part is of another pack; remove it to begin anew", p->how->path);
    while (p->done < p->total) {
        const char *const line = answer->data + keep[1], *const asked = task->data + keep[0];
        const size_t n = line_length(line, answer->size - keep[1]);
        if (!n) break;
        const bool none = n > 8 && memcmp(line, "{\"none\":", 8) == 0;
        const size_t m = none ? 0 : line_length(asked, task->size - keep[0]);
        char sha256[SB_SHA256_HEX] = "";
        if (m) sb_sha256_hex(asked, m, sha256);
        if (!none && (!m || !holds(line, n, sha256))) break;
        keep[0] += m, keep[1] += n;
        note(p, p->done++, !none);
    }
    return true;
}

static bool open_files(packing *p, const char *answers, sb_error *error) {
    sb_out head = sb_out_growing(), task = sb_out_growing(), answer = sb_out_growing();
    size_t keep[2] = {0};
    put_head(p->plan, &head);
    bool ok = sb_file_resume(&p->task, p->how->path, &task, error) &&
              sb_file_resume(&p->answer, answers, &answer, error);
    if (ok && p->task.lock.missing && p->how->note) p->how->note(p->how->context, SB_LOCK_MISSING);
    ok = ok && (sb_out_ok(&head) || sb_fail(error, SB_MEMORY, "out of memory")) &&
         find_done(p, &head, &task, &answer, keep, error) && sb_file_keep(&p->task, task.data, keep[0], error) &&
         sb_file_keep(&p->answer, answer.data, keep[1], error);
    if (ok && !keep[0])
        ok = sb_file_write(&p->task, head.data, head.size, error) &&
             sb_file_write(&p->answer, head.data, head.size, error);
    sb_out_free(&head), sb_out_free(&task), sb_out_free(&answer);
    return ok;
}

bool sb_autumn_pack_derive(const sb_autumn_pack_plan *plan, const sb_autumn_packing *how, sb_autumn_pack_counts *counts,
                           sb_error *error) {
    char answers[1024];
    packing p = {.plan = plan, .how = how, .counts = counts, .total = sb_autumn_pack_size(plan)};
    const sb_pool pool = {.workers = how->jobs,
                          .context = &p,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(lines),
                          .scratch_size = sizeof(worker),
                          .free_slot = free_lines,
                          .free_scratch = free_worker,
                          .stop = how->stop};
    *counts = (sb_autumn_pack_counts){0};
    const bool ok = name_answers(how->path, answers, error) && open_files(&p, answers, error) &&
                    sb_pool_run(&pool, p.total - p.done, error) && sb_file_commit(&p.answer, NULL, error) &&
                    sb_file_commit(&p.task, NULL, error);
    sb_file_leave(&p.task), sb_file_leave(&p.answer);
    return ok;
}

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

/* Where the lines of an item stand in the two files. */
typedef struct place {
    size_t task, n_task, answer, n_answer;
} place;

typedef struct verifying {
    const sb_autumn_packing *how;
    sb_autumn_pack_plan plan;
    sb_out task, answer;
    place *places;
    size_t total;
    bool again;
} verifying;

static bool fail_item(const verifying *v, size_t index, sb_error *error) {
    const item it = item_at(&v->plan, index);
    return sb_fail_at(error, "autumn:%s/%s-%u#%llu", sb_autumn_task_at(it.program)->name,
                      sb_autumn_challenge_names[it.kind], it.level, (unsigned long long)it.seed);
}

static bool is_none(const verifying *v, const place *at) {
    return at->n_answer > 8 && memcmp(v->answer.data + at->answer, "{\"none\":", 8) == 0;
}

/* Finds the lines of all items. */
static bool find_places(verifying *v, sb_error *error) {
    const size_t head = line_length(v->task.data, v->task.size);
    if (!head || !read_head(v->task.data, head, &v->plan, error))
        return head ? false : sb_fail(error, SB_INVALID, "the pack is empty");
    if (v->answer.size < head || memcmp(v->task.data, v->answer.data, head) != 0)
        return sb_fail(error, SB_MISMATCH, "the answers are of another pack");
    v->total = sb_autumn_pack_size(&v->plan);
    if (!(v->places = calloc(v->total + 1, sizeof *v->places))) return sb_fail(error, SB_MEMORY, "out of memory");
    place at = {.task = head, .answer = head};
    for (size_t i = 0; i < v->total; i++) {
        at.n_answer = line_length(v->answer.data + at.answer, v->answer.size - at.answer);
        at.n_task = is_none(v, &at) ? 0 : line_length(v->task.data + at.task, v->task.size - at.task);
        if (!at.n_answer || (!at.n_task && !is_none(v, &at)))
            return sb_fail(error, SB_MISMATCH, "a line is missing"), fail_item(v, i, error);
        v->places[i] = at;
        at.task += at.n_task, at.answer += at.n_answer;
    }
    return (at.task == v->task.size && at.answer == v->answer.size) ||
           sb_fail(error, SB_MISMATCH, "there are more lines than challenges");
}

static bool is_named(const sb_autumn_challenge *c, const item *it) {
    return strcmp(c->name.program, sb_autumn_task_at(it->program)->name) == 0 && c->name.kind == it->kind &&
           c->name.level == it->level && c->name.seed == it->seed;
}

/* The lines must be those that the challenge is written in, so nothing in them goes unread. */
static bool same_lines(const verifying *v, const place *at, const lines *l) {
    return l->task.size == at->n_task && l->answer.size == at->n_answer &&
           (!at->n_task || memcmp(l->task.data, v->task.data + at->task, at->n_task) == 0) &&
           memcmp(l->answer.data, v->answer.data + at->answer, at->n_answer) == 0;
}

static bool audit(const verifying *v, const item *it, const place *at, worker *w, lines *l, sb_error *error) {
    sb_autumn_challenge c = {0};
    sb_autumn_study *const study = study_of(w, it->program, error);
    bool ok = study && sb_autumn_challenge_parse(v->task.data + at->task, at->n_task, v->answer.data + at->answer,
                                                 at->n_answer, &c, error);
    if (ok && !is_named(&c, it)) ok = sb_fail(error, SB_MISMATCH, "another challenge stands in its place");
    if (ok) {
        sb_out_clear(&l->task), sb_out_clear(&l->answer);
        sb_autumn_challenge_put(&c, &l->task, &l->answer);
        ok = same_lines(v, at, l) || sb_fail(error, SB_MISMATCH, "it is not written as it should be");
    }
    ok = ok && sb_autumn_audit(study, &c, error);
    sb_autumn_challenge_clear(&c);
    return ok;
}

static bool check(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const verifying *v = context;
    const item it = item_at(&v->plan, index);
    const place *at = &v->places[index];
    lines *l = slot;
    if (!l->task.grows) l->task = sb_out_growing(), l->answer = sb_out_growing();
    bool ok = is_none(v, at) || audit(v, &it, at, scratch, l, error);
    if (ok && (v->again || is_none(v, at))) {
        ok = derive(&it, scratch, l, error);
        if (ok && !same_lines(v, at, l)) ok = sb_fail(error, SB_MISMATCH, "deriving it again gives something else");
    }
    return ok || fail_item(v, index, error);
}

typedef struct checked {
    verifying v; /* must come first: it is the context of `check` */
    sb_autumn_pack_counts *counts;
} checked;

static bool count_checked(void *context, size_t index, void *slot, sb_error *error) {
    (void)slot, (void)error;
    checked *c = context;
    const item it = item_at(&c->v.plan, index);
    c->counts->asked[it.kind][it.level - 1]++;
    c->counts->derived[it.kind][it.level - 1] += c->v.places[index].n_task != 0;
    if (c->v.how->progress) c->v.how->progress(c->v.how->context, index + 1, c->v.total);
    return true;
}

bool sb_autumn_pack_verify(const sb_autumn_packing *how, bool again, sb_autumn_pack_counts *counts, sb_error *error) {
    char answers[1024];
    checked c = {.v = {.how = how, .again = again, .task = sb_out_growing(), .answer = sb_out_growing()},
                 .counts = counts};
    const sb_pool pool = {.workers = how->jobs,
                          .context = &c,
                          .work = check,
                          .take = count_checked,
                          .slot_size = sizeof(lines),
                          .scratch_size = sizeof(worker),
                          .free_slot = free_lines,
                          .free_scratch = free_worker,
                          .stop = how->stop};
    *counts = (sb_autumn_pack_counts){0};
    bool ok = name_answers(how->path, answers, error) && sb_file_load(how->path, LARGEST, &c.v.task, error) &&
              sb_file_load(answers, LARGEST, &c.v.answer, error);
    ok = ok &&
         ((find_places(&c.v, error) && sb_pool_run(&pool, c.v.total, error)) || sb_fail_at(error, "%.100s", how->path));
    free(c.v.places);
    sb_out_free(&c.v.task), sb_out_free(&c.v.answer);
    return ok;
}

/* ---- Catalogues -------------------------------------------------------------------------------------------------- */

bool sb_autumn_is_pack(const char *path) {
    static const char begin[] = "{\"format\": \"" SB_AUTUMN_PACK_FORMAT "\"";
    sb_lines lines;
    sb_error ignored;
    const bool ok = sb_lines_open(&lines, path, LARGEST, &ignored) && sb_lines_next(&lines, &ignored) &&
                    strncmp(lines.line.data, begin, sizeof begin - 1) == 0;
    sb_lines_close(&lines);
    return ok;
}

static bool add_item(const verifying *v, size_t index, sb_catalogue *catalogue, sb_name *name, sb_error *error) {
    const item it = item_at(&v->plan, index);
    const place *at = &v->places[index];
    sb_out document = sb_out_growing();
    size_t n;
    *name = (sb_name){.family = "autumn", .seed = it.seed};
    snprintf(name->task, sizeof name->task, "%s", sb_autumn_task_at(it.program)->name);
    snprintf(name->difficulty, sizeof name->difficulty, "%s-%u", sb_autumn_challenge_names[it.kind], it.level);
    sb_put(&document, v->task.data + at->task, at->n_task);
    sb_put(&document, v->answer.data + at->answer, at->n_answer);
    const char *const known = sb_catalogue_document(catalogue, name, &n);
    bool ok = sb_out_ok(&document) || sb_fail(error, SB_MEMORY, "out of memory for a pack");
    if (ok && !known)
        ok = sb_catalogue_add_derived(catalogue, name, document.data, document.size, error);
    else if (ok && (n != document.size || memcmp(known, document.data, n) != 0))
        ok = sb_fail(error, SB_MISMATCH, "another pack holds something else under this name");
    sb_out_free(&document);
    return ok || fail_item(v, index, error);
}

static bool add_all(const verifying *v, sb_catalogue *catalogue,
                    bool (*found)(void *context, const sb_name *name, sb_error *error), void *context,
                    sb_error *error) {
    for (size_t i = 0; i < v->total; i++) {
        sb_name name;
        if (is_none(v, &v->places[i])) continue;
        if (!add_item(v, i, catalogue, &name, error) || (found && !found(context, &name, error))) return false;
    }
    return true;
}

bool sb_autumn_pack_load(const char *path, sb_catalogue *catalogue,
                         bool (*found)(void *context, const sb_name *name, sb_error *error), void *context,
                         sb_error *error) {
    char answers[1024];
    verifying v = {.task = sb_out_growing(), .answer = sb_out_growing()};
    const bool ok = name_answers(path, answers, error) && sb_file_load(path, LARGEST, &v.task, error) &&
                    sb_file_load(answers, LARGEST, &v.answer, error) &&
                    ((find_places(&v, error) && add_all(&v, catalogue, found, context, error)) ||
                     sb_fail_at(error, "%.100s", path));
    free(v.places);
    sb_out_free(&v.task), sb_out_free(&v.answer);
    return ok;
}
