#include "datasets/census.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "datasets/key_set.h"
#include "engine/lookup.h"
#include "engine/testing.h"
#include "seeds/official.h"
#include "seeds/pack.h"

/* ---- Beginnings ---- */

enum { BLOCK = 64 /* episodes per item of work */ };

typedef struct beginnings {
    uint64_t key[BLOCK][2];
    bool made[BLOCK];
} beginnings;

typedef struct census {
    sb_schedule *schedule;
    const sb_selection *looked_at; /* the episodes that are looked at */
    bool may_fail; /* episodes that cannot be made are skipped: true for evaluation lists, which need not be played */
    sb_pack pack;  /* the evaluation lists of the pairs that occur; empty if nothing is compared with them */
    /* Which episodes are looked at, by their order in `drawn` if there is one. */
    size_t first, end;
    const size_t *drawn;
    const sb_scheduled *section;                /* the section whose episodes are looked at */
    sb_key_set evaluation, seen[SB_SPLITS_MAX]; /* seen: of each split, keys of the episodes that are not left out */
    /* Names of the recorded tapes' episodes so far, and names of those that are duplicates. */
    sb_key_set names, left_out;
} census;

static void free_env(void *scratch) { sb_free(*(sb_env **)scratch); }

static void key_of(const sb_env *env, uint64_t key[2]) {
    uint64_t all[4] = {env->task_index, env->difficulty_index};
    sb_key(env, &all[2]);
    sb_hash128(all, sizeof all, key);
}

static size_t episode_at(const census *c, size_t position) { return c->drawn ? c->drawn[position] : position; }

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const census *c = context;
    sb_env **env = scratch;
    beginnings *b = slot;
    if (!*env && !(*env = sb_make(c->looked_at->catalogue, NULL, error))) return false;
    const size_t first = c->first + index * BLOCK;
    for (size_t i = 0; i < BLOCK && first + i < c->end; i++) {
        sb_name name;
        b->made[i] = sb_reset_name(*env, sb_selection_name(c->looked_at, episode_at(c, first + i), &name), error);
        if (b->made[i])
            key_of(*env, b->key[i]);
        else if (!c->may_fail || error->code == SB_MEMORY)
            return false;
    }
    return true;
}

static bool take_evaluation(void *context, size_t index, void *slot, sb_error *error) {
    (void)error;
    census *c = context;
    const beginnings *b = slot;
    for (size_t i = 0; i < BLOCK && c->first + index * BLOCK + i < c->end; i++)
        if (b->made[i]) sb_key_set_add(&c->evaluation, b->key[i]);
    return true;
}

/* Whether an evaluation list has the episode's name. */
static bool is_listed(const census *c, const sb_name *name) {
    const sb_seed_list *list = sb_pack_find(&c->pack, name->task, name->difficulty);
    for (size_t i = 0; list && i < list->n; i++)
        if (list->seeds[i] == name->seed) return true;
    return false;
}

/* Whether the episode is one to evaluate with. Tests of built-in tasks have no list: some of their seeds are reserved.
 */
static bool is_to_evaluate(const census *c, size_t episode) {
    const sb_selection *selection = c->looked_at;
    const sb_chosen *chosen = &selection->episodes[episode];
    const sb_family *family = c->schedule->family;
    const sb_task_info *task = sb_task_at(selection->catalogue, family, chosen->task);
    const bool built_in = chosen->task < family->n_tasks;
    return (built_in && sb_is_reserved(family, task, chosen->difficulty, chosen->seed)) ||
           is_listed(c, sb_selection_name(selection, episode, &(sb_name){0}));
}

/* Whether an earlier episode begins like this one. Several tapes of one episode are no duplicates of each other, but
 * attempts at it, and all of them share its fate. */
static bool is_duplicate(census *c, size_t episode, const uint64_t key[2]) {
    const sb_chosen *chosen = &c->schedule->selection.episodes[episode];
    const uint64_t all[3] = {chosen->task, chosen->difficulty, chosen->seed};
    uint64_t name[2];
    sb_key_set *seen = &c->seen[c->section->split];
    if (!c->names.slots) return !sb_key_set_add(seen, key);
    sb_hash128(all, sizeof all, name);
    if (!sb_key_set_add(&c->names, name)) return sb_key_set_has(&c->left_out, name);
    if (sb_key_set_add(seen, key)) return false;
    sb_key_set_add(&c->left_out, name);
    return true;
}

/* Whether another split has an episode that begins like this one. */
static bool is_elsewhere(const census *c, const uint64_t key[2]) {
    for (size_t i = 0; i < c->schedule->n_splits; i++)
        if (i != c->section->split && sb_key_set_has(&c->seen[i], key)) return true;
    return false;
}

static bool take_selected(void *context, size_t index, void *slot, sb_error *error) {
    (void)error;
    census *c = context;
    const beginnings *b = slot;
    for (size_t i = 0; i < BLOCK && c->first + index * BLOCK + i < c->end; i++) {
        const size_t episode = episode_at(c, c->first + index * BLOCK + i);
        uint8_t *fate = &c->schedule->fates[episode];
        const bool evaluates = c->section->evaluates;
        if (!evaluates && is_to_evaluate(c, episode))
            *fate |= SB_IS_EVALUATION;
        else if (!evaluates && c->evaluation.slots && sb_key_set_has(&c->evaluation, b->key[i]))
            *fate |= SB_IS_ACROSS;
        if (is_elsewhere(c, b->key[i])) *fate |= SB_IS_ELSEWHERE;
        if (sb_schedule_leaves_out(c->schedule, episode))
            continue; /* an episode that is left out makes no other one a duplicate */
        if (is_duplicate(c, episode, b->key[i])) *fate |= SB_IS_DUPLICATE;
    }
    return true;
}

static bool look_at(census *c, const sb_selection *episodes, sb_range range, bool may_fail, sb_take *take, size_t jobs,
                    sb_error *error) {
    c->looked_at = episodes, c->first = range.first, c->end = range.end, c->may_fail = may_fail;
    const sb_pool pool = {.workers = jobs,
                          .context = c,
                          .work = work,
                          .take = take,
                          .stop = c->schedule->stop,
                          .slot_size = sizeof(beginnings),
                          .scratch_size = sizeof(sb_env *),
                          .free_scratch = free_env};
    return sb_pool_run(&pool, (range.end - range.first + BLOCK - 1) / BLOCK, error);
}

/* ---- The evaluation episodes ---- */

/* Returns a flag for each of the n pairs of task and difficulty: whether it occurs and has evaluation episodes. */
static bool *pairs_of(const sb_schedule *schedule, size_t n, sb_error *error) {
    const size_t n_difficulties = sb_most_difficulties(schedule->selection.catalogue, schedule->family);
    bool *occurs = calloc(n, sizeof *occurs);
    if (!occurs) return sb_fail(error, SB_MEMORY, "out of memory for a census"), NULL;
    for (size_t i = 0; i < schedule->selection.n; i++) {
        const sb_chosen *episode = &schedule->selection.episodes[i];
        const sb_task_info *task = sb_task_at(schedule->selection.catalogue, schedule->family, episode->task);
        bool *pair = &occurs[episode->task * n_difficulties + episode->difficulty];
        *pair = sb_has_evaluation(schedule->family, task, episode->difficulty);
    }
    return occurs;
}

bool sb_census_evaluation(const sb_schedule *schedule, sb_pack *pack, sb_error *error) {
    const sb_family *family = schedule->family;
    const sb_catalogue *catalogue = schedule->selection.catalogue;
    const size_t n_difficulties = sb_most_difficulties(catalogue, family);
    const size_t n_pairs = sb_task_count(catalogue, family) * n_difficulties;
    bool *occurs = pairs_of(schedule, n_pairs, error);
    sb_pack_task *pairs = calloc(n_pairs, sizeof *pairs);
    size_t n = 0;
    bool ok = occurs && (pairs || sb_fail(error, SB_MEMORY, "out of memory for a census"));
    for (size_t i = 0; ok && i < n_pairs; i++) {
        const sb_task_info *task = sb_task_at(catalogue, family, i / n_difficulties);
        if (occurs[i]) pairs[n++] = (sb_pack_task){task->name, sb_difficulty_name(family, task, i % n_difficulties)};
    }
    ok = ok && (n == 0 || sb_pack_derive(pack, family->name, "eval", pairs, n, sb_official_length("eval"), error));
    free(occurs), free(pairs);
    return ok;
}

static bool all_evaluate(const sb_schedule *schedule) {
    for (size_t i = 0; i < schedule->n_sections; i++)
        if (!schedule->sections[i].evaluates) return false;
    return true;
}

static bool look_at_evaluation(census *c, size_t jobs, sb_error *error) {
    sb_selection episodes = {0};
    if (!sb_census_evaluation(c->schedule, &c->pack, error)) return false;
    if (!c->pack.n_lists) return true;
    const bool ok = sb_key_set_make(&c->evaluation, c->pack.n_seeds, error) &&
                    sb_select_pack(c->schedule->selection.catalogue, &c->pack, &episodes, error) &&
                    look_at(c, &episodes, (sb_range){0, episodes.n}, true, take_evaluation, jobs, error);
    sb_selection_free(&episodes);
    return ok;
}

static bool make_names(census *c, sb_error *error) {
    const size_t n = c->schedule->selection.n;
    return !c->schedule->cast.recorded ||
           (sb_key_set_make(&c->names, n, error) && sb_key_set_make(&c->left_out, n, error));
}

/* ---- The sections ---- */

static bool make_sets(census *c, sb_error *error) {
    const sb_schedule *schedule = c->schedule;
    for (size_t split = 0; split < schedule->n_splits; split++) {
        size_t n = 0;
        for (size_t i = 0; i < schedule->n_sections; i++) {
            const sb_scheduled *s = &schedule->sections[i];
            if (s->split == split) n += s->end - s->first;
        }
        if (!sb_key_set_make(&c->seen[split], n, error)) return false;
    }
    return make_names(c, error);
}

static bool look_at_section(census *c, size_t index, size_t jobs, sb_error *error) {
    const sb_scheduled *s = c->section = &c->schedule->sections[index];
    c->drawn = c->schedule->drawn;
    return look_at(c, &c->schedule->selection, (sb_range){s->first, s->end}, false, take_selected, jobs, error);
}

/* Looks at the last split first, so that an episode that two splits share stays with the later one, and at extensions
 * in the end, so that they change nothing of what was there before. */
static bool look_at_sections(census *c, size_t jobs, sb_error *error) {
    for (size_t i = c->schedule->n_splits; i-- > 0;)
        if (!look_at_section(c, i, jobs, error)) return false;
    for (size_t i = c->schedule->n_splits; i < c->schedule->n_sections; i++)
        if (!look_at_section(c, i, jobs, error)) return false;
    return true;
}

static bool take_all(sb_schedule *schedule, size_t jobs, sb_error *error) {
    census c = {.schedule = schedule};
    schedule->fates = calloc(schedule->selection.n + 1, 1);
    bool ok = schedule->fates || sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", schedule->selection.n);
    ok = ok && make_sets(&c, error) && (all_evaluate(schedule) || look_at_evaluation(&c, jobs, error)) &&
         look_at_sections(&c, jobs, error);
    for (size_t i = 0; i < SB_SPLITS_MAX; i++) sb_key_set_free(&c.seen[i]);
    sb_key_set_free(&c.evaluation), sb_key_set_free(&c.names), sb_key_set_free(&c.left_out);
    sb_pack_clear(&c.pack);
    return ok;
}

static bool check_left(const sb_schedule *schedule, sb_error *error) {
    const sb_left left = sb_left_of(schedule, (sb_range){0, schedule->selection.n});
    return sb_left_check(&left, error);
}

bool sb_census_take(sb_schedule *schedule, size_t jobs, sb_error *error) {
    return take_all(schedule, jobs, error) && check_left(schedule, error);
}

/* ---- Selections without a recipe ---- */

static bool check_one_family(const sb_selection *selection, sb_error *error) {
    for (size_t i = 1; i < selection->n; i++)
        if (selection->episodes[i].family != selection->episodes[0].family)
            return sb_fail(error, SB_INVALID, "evaluation: `drop` is for episodes of one family, not of %s and %s",
                           sb_selection_family(selection, 0)->name, sb_selection_family(selection, i)->name);
    return true;
}

static void free_schedule(sb_schedule *schedule) {
    if (schedule) free(schedule->fates);
    free(schedule);
}

/* The schedule of a recipe of these episodes, after a census; the episodes stay the caller's. NULL on failure. */
static sb_schedule *schedule_of(const sb_selection *selection, const sb_recipe *recipe, size_t jobs,
                                const sb_stop *stop, sb_error *error) {
    if (!check_one_family(selection, error)) return NULL;
    sb_schedule *schedule = calloc(1, sizeof *schedule);
    if (!schedule) return sb_fail(error, SB_MEMORY, "out of memory for a census"), NULL;
    schedule->recipe = recipe, schedule->selection = *selection, schedule->stop = stop;
    schedule->family = sb_selection_family(selection, 0);
    schedule->n_sections = schedule->n_splits = 1, schedule->sections[0].end = selection->n;
    if (take_all(schedule, jobs, error)) return schedule;
    free_schedule(schedule);
    return NULL;
}

bool sb_census_find_evaluation(const sb_selection *selection, size_t jobs, const sb_stop *stop, bool *is_evaluation,
                               sb_error *error) {
    const sb_recipe recipe = sb_recipe_default();
    if (!selection->n) return true;
    sb_schedule *schedule = schedule_of(selection, &recipe, jobs, stop, error);
    for (size_t i = 0; schedule && i < selection->n; i++) is_evaluation[i] = sb_schedule_leaves_out(schedule, i);
    free_schedule(schedule);
    return schedule != NULL;
}

static void keep_the_rest(const sb_schedule *schedule, sb_selection *selection) {
    const size_t n = selection->n;
    selection->n = 0;
    for (size_t i = 0; i < n; i++)
        if (!sb_schedule_leaves_out(schedule, i)) selection->episodes[selection->n++] = selection->episodes[i];
}

bool sb_census_drop_evaluation(sb_selection *selection, size_t jobs, const sb_stop *stop, sb_error *error) {
    const sb_recipe recipe = sb_recipe_default();
    if (!selection->n) return true;
    sb_schedule *schedule = schedule_of(selection, &recipe, jobs, stop, error);
    const bool ok = schedule && check_left(schedule, error);
    if (ok) keep_the_rest(schedule, selection);
    free_schedule(schedule);
    return ok;
}
