#include "generators/autumn/challenges/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/pool.h"
#include "base/word.h"
#include "engine/catalogue.h"
#include "engine/lookup.h"
#include "generators/autumn/family.h"

#define BEGINS "{\"format\": \"" SB_AUTUMN_PACK_FORMAT "\""

enum { LARGEST = 1 << 30 };

/* ---- Workers ----------------------------------------------------------------------------------------------------- */

/* A worker keeps the program that it works on. */
typedef struct worker {
    size_t program; /* number of the program, plus 1; 0: none */
    sb_autumn_study *study;
} worker;

static void free_worker(void *scratch) { sb_autumn_study_free(((worker *)scratch)->study); }

const sb_autumn_task *sb_autumn_pack_task(const char *name, const sb_catalogue *catalogue, sb_error *error) {
    const sb_task_info *task;
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++)
        if (strcmp(sb_autumn_task_at(i)->name, name) == 0) return sb_autumn_task_of(sb_autumn_task_at(i));
    for (size_t i = 0; (task = sb_catalogue_task(catalogue, &sb_autumn, i)); i++)
        if (strcmp(task->name, name) == 0) return sb_autumn_task_of(task);
    return sb_fail(error, SB_UNKNOWN, "the program of the task `%.40s` is missing: name its file with --program", name),
           NULL;
}

static const sb_autumn_task *task_of(const sb_autumn_pack_plan *plan, size_t program, const sb_catalogue *catalogue,
                                     sb_error *error) {
    return program < SB_AUTUMN_N_PROGRAMS
               ? sb_autumn_task_of(sb_autumn_task_at(program))
               : sb_autumn_pack_task(sb_autumn_pack_program(plan, program), catalogue, error);
}

static sb_autumn_study *study_of(worker *w, const sb_autumn_pack_plan *plan, size_t program,
                                 const sb_catalogue *catalogue, sb_error *error) {
    if (w->program == program + 1) return w->study;
    sb_autumn_study_free(w->study);
    w->study = NULL, w->program = 0;
    const sb_autumn_task *task = task_of(plan, program, catalogue, error);
    if (!task) return NULL;
    w->study = sb_autumn_study_new(task->info.name, task->text, strlen(task->text), error);
    w->program = w->study ? program + 1 : 0;
    return w->study;
}

bool sb_autumn_pack_has_programs(const sb_autumn_pack_plan *plan, const sb_catalogue *catalogue, sb_error *error) {
    for (size_t i = 0; i < plan->n_own; i++)
        if (!task_of(plan, SB_AUTUMN_N_PROGRAMS + i, catalogue, error)) return false;
    return true;
}

/* The lines of one challenge; `task` is empty if there is none. */
typedef struct lines {
    sb_out task, answer;
} lines;

static void free_lines(void *slot) {
    lines *l = slot;
    sb_out_free(&l->task), sb_out_free(&l->answer);
}

static void put_none(const sb_autumn_challenge_name *name, const char *why, sb_out *out) {
    sb_puts(out, "{\"none\": \"");
    sb_autumn_challenge_put_name(name, out);
    sb_puts(out, "\"");
    sb_member_text(out, "why", why);
    sb_puts(out, "}\n");
}

#define KEPT_APART "is left out: the pack that is kept apart asks the same"

/* Fails for a challenge that is kept apart, as if it could not be derived. */
static bool fail_of_apart(const sb_autumn_challenge_name *name, sb_error *error) {
    return sb_fail(error, SB_INVALID, "autumn:%s/%s-%u#%llu " KEPT_APART, name->program,
                   sb_autumn_challenge_names[name->kind], name->level, (unsigned long long)name->seed);
}

/* Derives a challenge that is not kept apart; `apart` may be NULL. */
static bool derive_apart(sb_autumn_study *study, const sb_autumn_apart *apart, const sb_autumn_challenge_name *name,
                         sb_autumn_challenge *challenge, sb_error *error) {
    bool has = false;
    if (apart && sb_autumn_apart_has_name(apart, name)) return fail_of_apart(name, error);
    if (!sb_autumn_derive(study, name->kind, name->level, name->seed, challenge, error)) return false;
    if (apart && !sb_autumn_apart_has(apart, challenge, &has, error)) return false;
    return !has || fail_of_apart(name, error);
}

/* Derives an item into two lines. If no name of it can be derived, the last one is what is told. */
static bool derive(const sb_autumn_pack_plan *plan, const sb_autumn_packing *how, const sb_autumn_pack_item *it,
                   worker *w, lines *l, sb_error *error) {
    sb_autumn_challenge challenge = {0};
    sb_autumn_challenge_name name = {0};
    if (!l->task.grows) l->task = sb_out_growing(), l->answer = sb_out_growing();
    sb_out_clear(&l->task), sb_out_clear(&l->answer);
    sb_autumn_study *const study = study_of(w, plan, it->program, how->catalogue, error);
    if (!study) return false;
    bool ok = false, none = true;
    for (size_t i = 0; i < it->n && none; i++) {
        name = sb_autumn_pack_name_at(plan, it, i);
        sb_autumn_challenge_clear(&challenge);
        ok = derive_apart(study, how->apart, &name, &challenge, error);
        none = !ok && error->code == SB_INVALID;
    }
    if (ok) sb_autumn_challenge_put(&challenge, &l->task, &l->answer);
    if (none) put_none(&name, error->text, &l->answer);
    sb_autumn_challenge_clear(&challenge);
    return (ok || none) && ((sb_out_ok(&l->task) && sb_out_ok(&l->answer)) ||
                            sb_fail(error, SB_MEMORY, "out of memory for a challenge"));
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* `pack.jsonl` has its answers in `pack.answers.jsonl`, and `pack.jsonl.gz` in `pack.answers.jsonl.gz`. */
static bool name_answers(const char *path, char answers[1024], sb_error *error) {
    const char *const name = sb_file_name(path);
    size_t n = strlen(path);
    if (sb_ends_with(path, ".gz")) n -= strlen(".gz");
    for (size_t i = n; i-- > (size_t)(name - path);)
        if (path[i] == '.') {
            n = i;
            break;
        }
    if ((size_t)snprintf(answers, 1024, "%.*s.answers%s", (int)n, path, path + n) < 1024) return true;
    return sb_fail(error, SB_INVALID, "the name of the pack is too long");
}

static size_t line_length(const char *text, size_t n) {
    const char *const end = n ? memchr(text, '\n', n) : NULL;
    return end ? (size_t)(end - text) + 1 : 0;
}

static bool holds(const char *line, size_t n, const char *text) {
    const size_t m = strlen(text);
    for (size_t i = 0; i + m <= n; i++)
        if (memcmp(line + i, text, m) == 0) return true;
    return false;
}

typedef struct packing {
    const sb_autumn_pack_plan *plan;
    const sb_autumn_packing *how;
    sb_autumn_pack_counts *counts;
    sb_file task, answer;
    size_t done, total; /* done: items that were there before */
} packing;

static bool says_none(const char *answer, size_t n) { return n > 8 && memcmp(answer, "{\"none\":", 8) == 0; }

/* Counts an item by the line of its answer. */
static void count(sb_autumn_pack_counts *counts, const sb_autumn_pack_plan *plan, size_t index, const char *answer,
                  size_t n) {
    const sb_autumn_pack_item it = sb_autumn_pack_item_at(plan, index);
    const uint32_t level = plan->one ? 1 : sb_autumn_pack_name_at(plan, &it, 0).level;
    const bool none = says_none(answer, n);
    counts->asked[it.kind][level - 1]++;
    counts->derived[it.kind][level - 1] += !none;
    counts->left_out[it.kind][level - 1] += none && holds(answer, n, KEPT_APART);
}

static void note(packing *p, size_t index, const char *answer, size_t n) {
    count(p->counts, p->plan, index, answer, n);
    if (p->how->progress) p->how->progress(p->how->context, index + 1, p->total);
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const packing *p = context;
    const sb_autumn_pack_item it = sb_autumn_pack_item_at(p->plan, p->done + index);
    return derive(p->plan, p->how, &it, scratch, slot, error);
}

/* The task is written before its answer, so an answer is only there if its task is. */
static bool take(void *context, size_t index, void *slot, sb_error *error) {
    packing *p = context;
    lines *l = slot;
    if (!sb_file_write(&p->task, l->task.data, l->task.size, error) ||
        !sb_file_write(&p->answer, l->answer.data, l->answer.size, error))
        return false;
    note(p, p->done + index, l->answer.data, l->answer.size);
    return true;
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
        const bool none = says_none(line, n);
        const size_t m = none ? 0 : line_length(asked, task->size - keep[0]);
        char sha256[SB_SHA256_HEX] = "";
        if (m) sb_sha256_hex(asked, m, sha256);
        if (!none && (!m || !holds(line, n, sha256))) break;
        keep[0] += m, keep[1] += n;
        note(p, p->done++, line, n);
    }
    return true;
}

static bool open_files(packing *p, const char *answers, sb_error *error) {
    sb_out head = sb_out_growing(), task = sb_out_growing(), answer = sb_out_growing();
    size_t keep[2] = {0};
    sb_autumn_pack_put_head(p->plan, &head);
    bool ok = sb_file_resume(&p->task, p->how->path, BEGINS, &task, error) &&
              sb_file_resume(&p->answer, answers, BEGINS, &answer, error);
    if (ok && p->task.lock.missing && p->how->note) p->how->note(p->how->context, SB_LOCK_MISSING);
    ok = ok && (sb_out_ok(&head) || sb_fail(error, SB_MEMORY, "out of memory for a pack of challenges")) &&
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
    const sb_autumn_pack_item it = sb_autumn_pack_item_at(&v->plan, index);
    const sb_autumn_challenge_name name = sb_autumn_pack_name_at(&v->plan, &it, 0);
    return sb_fail_at(error, "autumn:%s/%s-%u#%llu", name.program, sb_autumn_challenge_names[name.kind], name.level,
                      (unsigned long long)name.seed);
}

static bool is_none(const verifying *v, const place *at) {
    return says_none(v->answer.data + at->answer, at->n_answer);
}

/* Finds the lines of all items. */
static bool find_places(verifying *v, sb_error *error) {
    const size_t head = line_length(v->task.data, v->task.size);
    if (!head || !sb_autumn_pack_read_head(v->task.data, head, &v->plan, error))
        return head ? false : sb_fail(error, SB_INVALID, "the pack is empty");
    if (v->answer.size < head || memcmp(v->task.data, v->answer.data, head) != 0)
        return sb_fail(error, SB_MISMATCH, "the answers belong to another pack: their first lines differ");
    v->total = sb_autumn_pack_size(&v->plan);
    if (!(v->places = calloc(v->total + 1, sizeof *v->places)))
        return sb_fail(error, SB_MEMORY, "out of memory for a pack of challenges");
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

/* The lines must be those that the challenge is written in, so nothing in them goes unread. */
static bool same_lines(const verifying *v, const place *at, const lines *l) {
    return l->task.size == at->n_task && l->answer.size == at->n_answer &&
           (!at->n_task || memcmp(l->task.data, v->task.data + at->task, at->n_task) == 0) &&
           memcmp(l->answer.data, v->answer.data + at->answer, at->n_answer) == 0;
}

static bool audit(const verifying *v, const sb_autumn_pack_item *it, const place *at, worker *w, lines *l,
                  sb_error *error) {
    sb_autumn_challenge c = {0};
    sb_autumn_study *const study = study_of(w, &v->plan, it->program, v->how->catalogue, error);
    bool ok = study && sb_autumn_challenge_parse(v->task.data + at->task, at->n_task, v->answer.data + at->answer,
                                                 at->n_answer, &c, error);
    if (ok && !sb_autumn_pack_has(&v->plan, it, &c.name))
        ok = sb_fail(error, SB_MISMATCH, "another challenge stands in its place");
    if (ok) {
        c.version = v->plan.version;
        sb_out_clear(&l->task), sb_out_clear(&l->answer);
        sb_autumn_challenge_put(&c, &l->task, &l->answer);
        ok = same_lines(v, at, l) || sb_fail(error, SB_MISMATCH, "it is not written as it should be");
    }
    ok = ok && sb_autumn_audit(study, &c, error);
    sb_autumn_challenge_clear(&c);
    return ok;
}

/* Whether this may be why a name is missing. */
static bool is_reason(const verifying *v, sb_autumn_study *study, const sb_autumn_challenge_name *name,
                      const char *why) {
    sb_error apart;
    fail_of_apart(name, &apart);
    if (*v->plan.apart_from && strcmp(why, apart.text) == 0) return true;
    return sb_autumn_may_fail(study, name, why);
}

/* What is missing stands under the last of its names, with a reason that there is. */
static bool check_none(const verifying *v, const sb_autumn_pack_item *it, const place *at, worker *w, lines *l,
                       sb_error *error) {
    const sb_autumn_challenge_name name = sb_autumn_pack_name_at(&v->plan, it, it->n - 1);
    sb_autumn_study *const study = study_of(w, &v->plan, it->program, v->how->catalogue, error);
    cJSON *const said = study ? sb_json_parse(v->answer.data + at->answer, at->n_answer, error) : NULL;
    const char *why;
    bool ok = said && sb_json_string(said, "why", &why, error);
    if (ok && !is_reason(v, study, &name, why)) ok = sb_fail(error, SB_MISMATCH, "it is missing for no known reason");
    if (ok) {
        sb_out_clear(&l->task), sb_out_clear(&l->answer);
        put_none(&name, why, &l->answer);
        ok = same_lines(v, at, l) || sb_fail(error, SB_MISMATCH, "it is not written as it should be");
    }
    cJSON_Delete(said);
    return ok;
}

static bool check(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const verifying *v = context;
    const sb_autumn_pack_item it = sb_autumn_pack_item_at(&v->plan, index);
    const place *at = &v->places[index];
    lines *l = slot;
    if (!l->task.grows) l->task = sb_out_growing(), l->answer = sb_out_growing();
    bool ok = is_none(v, at) ? check_none(v, &it, at, scratch, l, error) : audit(v, &it, at, scratch, l, error);
    if (ok && v->again) {
        ok = derive(&v->plan, v->how, &it, scratch, l, error);
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
    const place *at = &c->v.places[index];
    count(c->counts, &c->v.plan, index, c->v.answer.data + at->answer, at->n_answer);
    if (c->v.how->progress) c->v.how->progress(c->v.how->context, index + 1, c->v.total);
    return true;
}

/* Only what the present rules gave can be derived again. */
static bool check_version(const verifying *v, sb_error *error) {
    return !v->again || v->plan.version == SB_AUTUMN_CHALLENGE_VERSION ||
           sb_fail(
               error, SB_VERSION_OTHER,
               "the pack is of version %u, whose rules this program no longer has; without --again its certificates "
               "are replayed",
               v->plan.version);
}

/* What was left out can only be left out again with the same pack. */
static bool check_apart(const verifying *v, sb_error *error) {
    const char *const apart = v->how->apart ? v->how->apart->sha256 : "";
    if (!v->again || strcmp(v->plan.apart_from, apart) == 0) return true;
    if (!*v->plan.apart_from) return sb_fail(error, SB_MISMATCH, "no other pack was kept apart from it");
    if (*apart) return sb_fail(error, SB_MISMATCH, "it was another pack that was kept apart from it");
    return sb_fail(error, SB_INVALID, "a pack was kept apart from it; name this one with --apart-from");
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
    ok = ok && ((find_places(&c.v, error) && check_version(&c.v, error) && check_apart(&c.v, error) &&
                 sb_pool_run(&pool, c.v.total, error)) ||
                sb_fail_at(error, "%s", sb_path_end(how->path)));
    counts->version = c.v.plan.version;
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

/* The name that a task's line begins with. */
static bool read_name(const verifying *v, size_t index, sb_autumn_challenge_name *name) {
    const sb_autumn_pack_item it = sb_autumn_pack_item_at(&v->plan, index);
    char begin[128], kind[16];
    unsigned long long seed;
    *name = (sb_autumn_challenge_name){.kind = it.kind};
    snprintf(begin, sizeof begin, "%.*s", (int)(v->places[index].n_task < 127 ? v->places[index].n_task : 127),
             v->task.data + v->places[index].task);
    char *const hash = strchr(begin, '#');
    if (hash) *hash = '\0';
    char *const slash = hash ? strrchr(begin, '/') : NULL; /* names of programs may have a slash, too */
    if (!slash) return false;
    *slash = '\0';
    if (sscanf(begin, "{\"challenge\": \"autumn:%39[-A-Za-z0-9_/]", name->program) != 1 ||
        sscanf(slash + 1, "%15[a-z]-%1u", kind, &name->level) != 2 || sscanf(hash + 1, "%20llu\"", &seed) != 1)
        return false;
    name->seed = seed;
    return strcmp(kind, sb_autumn_challenge_names[it.kind]) == 0 && sb_autumn_pack_has(&v->plan, &it, name);
}

static bool add_item(const verifying *v, size_t index, sb_catalogue *catalogue, sb_name *name, sb_error *error) {
    sb_autumn_challenge_name own;
    if (!read_name(v, index, &own))
        return sb_fail(error, SB_MISMATCH, "another challenge stands in its place"), fail_item(v, index, error);
    const place *at = &v->places[index];
    sb_out document = sb_out_growing();
    size_t n;
    *name = (sb_name){.family = "autumn", .seed = own.seed};
    snprintf(name->task, sizeof name->task, "%s", own.program);
    snprintf(name->difficulty, sizeof name->difficulty, "%s-%u", sb_autumn_challenge_names[own.kind], own.level);
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

/* Reads both files of a pack, and finds the lines in them. */
static bool open_pack(const char *path, verifying *v, sb_error *error) {
    char answers[1024];
    *v = (verifying){.task = sb_out_growing(), .answer = sb_out_growing()};
    return name_answers(path, answers, error) && sb_file_load(path, LARGEST, &v->task, error) &&
           sb_file_load(answers, LARGEST, &v->answer, error) &&
           (find_places(v, error) || sb_fail_at(error, "%s", sb_path_end(path)));
}

static void close_pack(verifying *v) {
    free(v->places);
    sb_out_free(&v->task), sb_out_free(&v->answer);
}

bool sb_autumn_pack_load(const char *path, sb_catalogue *catalogue,
                         bool (*found)(void *context, const sb_name *name, sb_error *error), void *context,
                         sb_error *error) {
    verifying v;
    const bool ok = open_pack(path, &v, error) &&
                    (add_all(&v, catalogue, found, context, error) || sb_fail_at(error, "%s", sb_path_end(path)));
    close_pack(&v);
    return ok;
}

bool sb_autumn_pack_each(const char *path,
                         bool (*found)(void *context, const sb_autumn_challenge *c, const sb_autumn_pack_lines *lines,
                                       sb_error *error),
                         void *context, sb_error *error) {
    verifying v;
    bool ok = open_pack(path, &v, error);
    for (size_t i = 0; ok && i < v.total; i++) {
        const place *at = &v.places[i];
        const sb_autumn_pack_lines lines = {v.task.data + at->task, v.answer.data + at->answer, at->n_task,
                                            at->n_answer, v.plan.one};
        sb_autumn_challenge c = {0};
        if (is_none(&v, at)) continue;
        ok = (sb_autumn_challenge_parse(lines.task, lines.n_task, lines.answer, lines.n_answer, &c, error) ||
              fail_item(&v, i, error)) &&
             found(context, &c, &lines, error);
        sb_autumn_challenge_clear(&c);
    }
    close_pack(&v);
    return ok;
}

/* ---- Keeping apart ----------------------------------------------------------------------------------------------- */

static bool keep_apart(void *context, const sb_autumn_challenge *c, const sb_autumn_pack_lines *lines,
                       sb_error *error) {
    (void)lines;
    return sb_autumn_apart_add(context, c, error);
}

bool sb_autumn_pack_keep_apart(const char *path, sb_autumn_apart *apart, sb_error *error) {
    sb_out tasks = sb_out_growing();
    const bool ok = sb_file_load(path, LARGEST, &tasks, error);
    if (ok) sb_sha256_hex(tasks.data, tasks.size, apart->sha256);
    sb_out_free(&tasks);
    return ok && sb_autumn_pack_each(path, keep_apart, apart, error);
}
