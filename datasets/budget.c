#include "datasets/budget.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/pool.h"
#include "datasets/bundle.h"
#include "datasets/census.h"

typedef struct settling {
    sb_recipe *recipe;
    size_t jobs;
    const sb_stop *stop;
    bool guesses;
    size_t section;
    sb_composition composition; /* composition of the section */
    /* The next members are used while candidates are played. */
    const sb_schedule *schedule; /* a schedule with as many formats as are needed to count */
    sb_order order;
    uint64_t found; /* how much was found so far, in the budget's unit */
} settling;

static uint64_t goal_of(const sb_composition *c) { return c->budget[sb_budget_unit(c)]; }

static bool needs_play(const settling *s) {
    return sb_counts_rows(&s->composition) || !sb_filter_passes_all(&s->recipe->filter);
}

/* ---- By their beginnings ---- */

/* Returns how many candidates are taken until the goal is reached; 0: they do not suffice. */
static size_t count_beginnings(const settling *s, const sb_schedule *schedule) {
    const sb_scheduled *at = &schedule->sections[s->section];
    uint64_t found = 0;
    for (size_t i = at->first; i < at->end; i++)
        if (!sb_schedule_leaves_out(schedule, schedule->drawn[i]) && ++found == goal_of(&s->composition))
            return i + 1 - at->first;
    return 0;
}

/* ---- By playing ---- */

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    const settling *s = context;
    const sb_scheduled *at = &s->schedule->sections[s->section];
    sb_bundle *bundle = slot;
    (void)error;
    sb_bundle_begin(bundle);
    for (size_t i = at->first + index * SB_MEMBER_EPISODES; i < at->end && bundle->n < SB_MEMBER_EPISODES; i++)
        bundle->episodes[bundle->n++] = s->schedule->drawn[i];
    return true;
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    (void)index;
    return sb_bundle_make(&((settling *)context)->order, scratch, slot, error);
}

/* Counts a bundle; returns how many of its candidates are taken until the goal is reached, 0 if it is not. */
static size_t count_bundle(settling *s, const sb_bundle *bundle) {
    for (size_t i = 0; i < bundle->n_kept; i++) {
        s->found += sb_bundle_amount(bundle, i, sb_budget_unit(&s->composition));
        if (s->found < goal_of(&s->composition)) continue;
        for (size_t k = 0; k < bundle->n; k++)
            if (bundle->episodes[k] == bundle->kept[i]) return k + 1;
    }
    return 0;
}

static bool play(settling *s, const sb_schedule *schedule, size_t *cut, sb_error *error) {
    const sb_scheduled *at = &schedule->sections[s->section];
    sb_schedule counted = *schedule;
    const sb_pool pool = {.workers = s->jobs,
                          .context = s,
                          .give = give,
                          .work = work,
                          .slot_size = sizeof(sb_bundle),
                          .scratch_size = sizeof(sb_bundle_worker),
                          .free_slot = sb_bundle_free,
                          .free_scratch = sb_bundle_worker_free,
                          .stop = s->stop};
    void *slot;
    counted.n_exports = sb_counts_rows(&s->composition) ? 1 : 0;
    s->schedule = &counted, s->found = 0, *cut = 0;
    s->order = (sb_order){.schedule = &counted, .rows_only = true, .counts_texts = true};
    sb_pool_results *results = sb_pool_begin(&pool, (at->end - at->first + SB_MEMBER_EPISODES - 1) / SB_MEMBER_EPISODES,
                                             error);
    bool ok = results != NULL;
    for (size_t index = 0; ok && !*cut && (ok = sb_pool_next(results, &slot, error)); index++) {
        *cut = count_bundle(s, slot);
        if (*cut) *cut += index * SB_MEMBER_EPISODES;
    }
    sb_pool_end(results);
    return ok || error->code == SB_OK;
}

/* ---- Enough candidates ---- */

/* How many candidates are tried first: as many as the budget has episodes, or one for so many of another unit. */
static size_t first_try(const settling *s) {
    static const uint64_t of_episode[SB_UNITS] = {
        [SB_EPISODES] = 1, [SB_ROWS] = 16, [SB_CHARACTERS] = 1 << 14, [SB_TOKENS] = 1 << 12};
    const uint64_t of = of_episode[sb_budget_unit(&s->composition)];
    const uint64_t tried = goal_of(&s->composition) / of + (of > 1);
    const uint64_t margin = tried / 16 + 16; /* more candidates, for those that are left out */
    return tried + margin < SB_SELECTION_MAX ? (size_t)(tried + margin) : SB_SELECTION_MAX;
}

static bool too_few(const settling *s, size_t candidates, sb_error *error) {
    const sb_composition *c = &s->composition;
    return sb_fail(error, SB_INVALID,
                   "%s: the budget of %llu is not reached with all %zu episodes that are selected: give a larger "
                   "`count`, or more seeds or tasks",
                   sb_unit_names[sb_budget_unit(c)], (unsigned long long)goal_of(c), candidates);
}

/* Looks for the cut among the first `most` candidates; 0: they do not suffice. */
static bool try(settling *s, size_t most, size_t *cut, bool *all, size_t *n, sb_error *error) {
    sb_schedule schedule;
    s->recipe->cuts[s->section] = most;
    bool ok = sb_schedule_make(s->recipe, NULL, 0, &schedule, error);
    if (ok && !schedule.drawn) ok = sb_fail(error, SB_INVALID, "a budget takes episodes that agents of ours play");
    schedule.stop = s->stop;
    ok = ok && sb_census_take(&schedule, s->jobs, error);
    *cut = 0;
    if (ok) {
        const sb_scheduled *at = &schedule.sections[s->section];
        *all = at->all, *n = at->end - at->first;
        if (!needs_play(s))
            *cut = count_beginnings(s, &schedule);
        else if (s->guesses)
            *cut = *n;
        else
            ok = play(s, &schedule, cut, error);
    }
    sb_schedule_free(&schedule);
    return ok;
}

static bool settle_section(settling *s, sb_error *error) {
    size_t most = first_try(s), cut = 0, n = 0;
    bool all = false;
    while (try(s, most, &cut, &all, &n, error)) {
        s->recipe->cuts[s->section] = cut;
        if (cut) return true;
        if (all || most == SB_SELECTION_MAX) return too_few(s, n, error);
        most = most < SB_SELECTION_MAX / 2 ? 2 * most : SB_SELECTION_MAX;
    }
    s->recipe->cuts[s->section] = 0;
    return false;
}

static bool settle(settling *s, uint32_t *unsettled, sb_error *error) {
    sb_section sections[SB_SECTIONS_MAX];
    const size_t n = sb_recipe_sections(s->recipe, sections), n_splits = s->recipe->n_splits ? s->recipe->n_splits : 1;
    *unsettled = 0;
    for (size_t i = 0; i < n; i++) { /* sections in the order of the census: the last split first */
        s->section = i < n_splits ? n_splits - 1 - i : i;
        s->composition = sections[s->section].composition;
        if (!sb_has_budget(&s->composition) || s->recipe->cuts[s->section]) continue;
        if (s->composition.budget[SB_TOKENS] && !s->recipe->tokenizer)
            return sb_fail(error, SB_INVALID, "budget: nobody counts tokens here: name a tokenizer");
        if (s->guesses && needs_play(s)) *unsettled |= UINT32_C(1) << s->section;
        if (!settle_section(s, error)) return sb_fail_in_section(&sections[s->section], error);
    }
    return true;
}

bool sb_budget_settle(sb_recipe *recipe, size_t jobs, const sb_stop *stop, sb_error *error) {
    settling s = {.recipe = recipe, .jobs = jobs, .stop = stop};
    uint32_t unsettled;
    return settle(&s, &unsettled, error);
}

bool sb_budget_guess(sb_recipe *recipe, size_t jobs, uint32_t *unsettled, sb_error *error) {
    settling s = {.recipe = recipe, .jobs = jobs, .guesses = true};
    return settle(&s, unsettled, error);
}
