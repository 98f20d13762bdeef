/* Change detection challenges (challenges 5): which rule changes, and when. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/autumn/program.h"
#include "generators/autumn/challenges/changing.h"

/* By level: `least`: cells in which a frame must differ for the change to act in it; `times`: how often something must
 * have happened before the change may act; `cells`, `lasting`: cells that differ when it acts, or steps for which the
 * difference lasts; `most_seen`: in how many of a hundred steps the change would be seen at most. */
static const uint32_t least[SB_AUTUMN_LEVELS] = {3, 2, 2, 2};
static const uint32_t times[SB_AUTUMN_LEVELS][2] = {{2, 4}, {5, 10}, {11, 25}, {11, 25}};
static const uint32_t cells[SB_AUTUMN_LEVELS] = {6, 2, 1, 1}, lasting[SB_AUTUMN_LEVELS] = {5, 2, 1, 1};
static const uint32_t most_seen[SB_AUTUMN_LEVELS] = {100, 100, 50, 20};

enum { TAPES = 20, TAPES_WITH_DRAWS = 6, TAPE = 300, AFTERWARDS = 8, LONG = 1000, LONG_TAPES = 10 };
enum { LOST_MAX = 25 /* attempts that end because enumeration took too long */ };
enum { EFFORT_MAX = 400000 /* steps of trials, after which the search for a change ends */ };
enum { EPISODES = 50, EPISODES_WITH_DRAWS = 12, EPISODE = 1000, EPISODE_WITH_DRAWS = 300 };

/* One attempt to derive a change. */
typedef struct trial {
    sb_autumn_study *s;
    sb_autumn_challenge *c;
    sb_rng *rng;
    sb_autumn_changing *test;
    sb_autumn_event *actions, *shortest; /* each has room for TAPE actions */
    uint32_t n_shortest;
    uint32_t triggered, visible, seen, steps, long_tapes;
    bool failed; /* a step with the change failed */
    bool no_memory;
} trial;

/* ---- Drawing rule, mutation and guard ---------------------------------------------------------------------------- */

/* The kind of mutation is drawn first, so that numbers, of which there are many, are not all that ever changes. */
static const sb_autumn_mutation *draw_mutation(const trial *t) {
    const sb_autumn_mutations *all = &t->s->mutations;
    uint32_t counts[SB_AUTUMN_N_MUTATIONS] = {0}, kinds = 0, kind = 0, n = 0;
    const sb_autumn_mutation *drawn = NULL;
    for (size_t i = 0; i < all->n; i++) counts[all->all[i].kind]++;
    for (uint32_t k = 0; k < SB_AUTUMN_N_MUTATIONS; k++)
        if (counts[k] && sb_autumn_below(t->rng, ++kinds) == 0) kind = k;
    for (size_t i = 0; i < all->n; i++)
        if (all->all[i].kind == kind && sb_autumn_below(t->rng, ++n) == 0) drawn = &all->all[i];
    return drawn;
}

uint32_t sb_autumn_least_change(uint32_t level) { return least[level - 1]; }

static sb_autumn_guard draw_guard(const trial *t, const sb_autumn_mutation *m) {
    enum { STEPS_FOR_ONE = 3 };
    sb_autumn_guard guard = {.times = sb_autumn_between(t->rng, times[t->c->name.level - 1]),
                             .cells = sb_autumn_least_change(t->c->name.level)};
    const uint32_t other = sb_autumn_below(t->rng, 4);
    if (other >= 2 && m->unit == SB_AUTUMN_IN_HANDLER)
        guard.kind = SB_AUTUMN_AFTER_HANDLER, guard.number = m->number;
    else if (other >= 2 && m->unit == SB_AUTUMN_IN_RULE)
        guard.kind = SB_AUTUMN_AFTER_CHANGE, guard.number = m->number;
    else if (other == 0)
        guard.kind = SB_AUTUMN_AFTER_CLICKS;
    else
        guard.kind = SB_AUTUMN_AFTER_STEPS, guard.times *= STEPS_FOR_ONE;
    return guard;
}

static bool take_mutation(sb_autumn_challenge *c, const sb_autumn_mutation *m) {
    strcpy(c->mutation, sb_autumn_mutation_names[m->kind]);
    for (uint32_t i = 0; i < m->n_edits; i++) {
        sb_autumn_edit *const edit = &c->edits[c->n_edits++];
        *edit = (sb_autumn_edit){.at = m->edits[i].at, .n = m->edits[i].n};
        edit->before = strdup(m->edits[i].before), edit->after = strdup(m->edits[i].after);
        if (!edit->before || !edit->after) return false;
    }
    return true;
}

static bool same_edits(const sb_autumn_mutation *m, const sb_autumn_challenge *c) {
    if (m->n_edits != c->n_edits) return false;
    for (uint32_t i = 0; i < m->n_edits; i++)
        if (m->edits[i].at != c->edits[i].at || strcmp(m->edits[i].before, c->edits[i].before) != 0 ||
            strcmp(m->edits[i].after, c->edits[i].after) != 0)
            return false;
    return true;
}

bool sb_autumn_is_mutation(const sb_autumn_study *s, const sb_autumn_challenge *c) {
    const sb_autumn_unit unit = c->guard.kind == SB_AUTUMN_AFTER_HANDLER  ? SB_AUTUMN_IN_HANDLER
                                : c->guard.kind == SB_AUTUMN_AFTER_CHANGE ? SB_AUTUMN_IN_RULE
                                                                          : SB_AUTUMN_ELSEWHERE;
    for (size_t i = 0; i < s->mutations.n; i++) {
        const sb_autumn_mutation *m = &s->mutations.all[i];
        if (strcmp(sb_autumn_mutation_names[m->kind], c->mutation) != 0 || !same_edits(m, c)) continue;
        if (unit == SB_AUTUMN_ELSEWHERE ? c->guard.number == 0 : m->unit == unit && m->number == c->guard.number)
            return true;
    }
    return false;
}

/* ---- Trying it out ----------------------------------------------------------------------------------------------- */

/* Draws an action: mostly one of interest, with runs of noops, as the coverage walk has them. */
static sb_autumn_event draw_action(const trial *t, uint32_t *noops) {
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    const sb_autumn_state *state = sb_autumn_changing_state(t->test);
    if (*noops) return --*noops, (sb_autumn_event){0};
    if (sb_autumn_below(t->rng, 4) == 0) return *noops = sb_autumn_below(t->rng, 4), (sb_autumn_event){0};
    if (sb_autumn_size(state) != t->s->size) return sb_autumn_random_event(t->rng, t->s->size);
    const size_t n = sb_autumn_interests(state, t->s->strings, t->rng, events);
    return events[sb_autumn_below(t->rng, (uint32_t)n)];
}

/* Whether the difference is large or lasts: both programs go on with the same actions. */
static bool is_visible(trial *t) {
    const uint32_t level = t->c->name.level - 1;
    sb_autumn_state *const without = sb_autumn_changing_unchanged(t->test);
    uint32_t n = sb_autumn_changing_differences(t->test, without, sb_autumn_changing_state(t->test)), steps = 0;
    if (n >= cells[level]) return true;
    for (uint32_t i = 0; i < AFTERWARDS; i++) {
        const sb_autumn_event event = i % 2 ? (sb_autumn_event){0} : sb_autumn_random_event(t->rng, t->s->size);
        if (!sb_autumn_step(without, event, NULL) || !sb_autumn_changing_step(t->test, event)) break;
        steps += sb_autumn_changing_differences(t->test, without, sb_autumn_changing_state(t->test)) != 0;
    }
    return steps >= lasting[level];
}

/* Random actions after the change must not fail. */
static bool lasts_long(trial *t) {
    for (uint32_t i = 0; i < LONG; i++)
        if (!sb_autumn_changing_step(t->test, sb_autumn_random_event(t->rng, t->s->size))) return false;
    return true;
}

static void play_tape(trial *t, uint64_t number) {
    uint32_t noops = 0, acted = 0;
    const uint64_t noise = number ? sb_autumn_noise(t->s->seed, "tape", number)
                                  : sb_autumn_noise(t->s->seed, "test", 0);
    if (!sb_autumn_changing_begin(t->test, &t->c->guard, t->s->seed, noise)) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < TAPE && !acted; i++) {
        t->actions[i] = draw_action(t, &noops);
        if (!sb_autumn_changing_step(t->test, t->actions[i])) {
            t->failed = true;
            return;
        }
        acted = sb_autumn_changing_acted(t->test);
        t->steps++, t->s->effort++, t->seen += sb_autumn_changing_would_differ(t->test);
    }
    if (!acted) return;
    t->triggered++;
    if (number == 0) { /* a tape with the noise of the test becomes the example */
        memcpy(t->shortest, t->actions, acted * sizeof *t->actions);
        t->n_shortest = acted;
    }
    t->visible += is_visible(t);
    if (t->long_tapes < LONG_TAPES) t->long_tapes++, t->failed = !lasts_long(t);
}

/* Whether the change would be seen in more than `times` as many steps as it may. */
static bool is_seen(const trial *t, uint32_t times) {
    return 100 * (uint64_t)t->seen > (uint64_t)times * most_seen[t->c->name.level - 1] * t->steps;
}

/* Tries a change out on tapes. One that is seen far too often is left out after the first tape. */
static bool try_out(trial *t, sb_autumn_why *why) {
    enum { FAR_TOO_OFTEN = 2 };
    const uint32_t n = t->s->draws ? TAPES_WITH_DRAWS : TAPES;
    sb_autumn_changing_watch(t->test, most_seen[t->c->name.level - 1] < 100);
    *why = SB_AUTUMN_CHANGED_FAILS;
    for (uint32_t k = 0; k < n && !t->failed; k++) {
        play_tape(t, k);
        *why = SB_AUTUMN_RARELY_ACTS;
        if (k == 0 && !t->triggered) return false;
        if (2 * (t->triggered + n - 1 - k) < n) return false;
        *why = SB_AUTUMN_SEEN_AT_ONCE;
        if (k == 0 && is_seen(t, FAR_TOO_OFTEN)) return false;
    }
    sb_autumn_changing_watch(t->test, false);
    if (t->failed) return *why = SB_AUTUMN_CHANGED_FAILS, false;
    if (2 * t->visible < t->triggered) return *why = SB_AUTUMN_HARDLY_SEEN, false;
    *why = SB_AUTUMN_SEEN_AT_ONCE;
    return !is_seen(t, 1);
}

/* ---- The example ------------------------------------------------------------------------------------------------- */

/* In which step these actions make the change act; 0: in none. */
static uint32_t acts_at(sb_autumn_changing *test, const sb_autumn_challenge *c, const sb_autumn_event *actions,
                        uint32_t n) {
    if (!sb_autumn_changing_begin(test, &c->guard, c->name.seed, sb_autumn_noise(c->name.seed, "test", 0))) return 0;
    for (uint32_t i = 0; i < n && !sb_autumn_changing_acted(test); i++)
        if (!sb_autumn_changing_step(test, actions[i])) return 0;
    return sb_autumn_changing_acted(test);
}

/* Leaves out actions, in smaller and smaller portions, as long as the change still acts. */
static void shorten(trial *t) {
    enum { TRIES = 60 };
    int tries = t->s->draws ? TRIES / 4 : TRIES;
    for (uint32_t portion = t->n_shortest / 2; portion && tries > 0; portion /= 2)
        for (uint32_t at = 0; at + portion < t->n_shortest && tries-- > 0;) {
            memcpy(t->actions, t->shortest, at * sizeof *t->actions);
            memcpy(t->actions + at, t->shortest + at + portion, (t->n_shortest - at - portion) * sizeof *t->actions);
            const uint32_t acted = acts_at(t->test, t->c, t->actions, t->n_shortest - portion);
            if (!acted) {
                at += portion;
                continue;
            }
            memcpy(t->shortest, t->actions, acted * sizeof *t->actions);
            t->n_shortest = acted;
        }
}

static bool take_example(trial *t) {
    sb_autumn_challenge *c = t->c;
    shorten(t);
    if (acts_at(t->test, c, t->shortest, t->n_shortest) != t->n_shortest) return false;
    c->proof = sb_autumn_changing_proof(t->test, &c->largest);
    c->cells = sb_autumn_changing_differences(t->test, sb_autumn_changing_unchanged(t->test),
                                              sb_autumn_changing_state(t->test));
    c->actions = malloc((t->n_shortest + 1) * sizeof *c->actions);
    if (!c->actions) return t->no_memory = true, false;
    memcpy(c->actions, t->shortest, t->n_shortest * sizeof *c->actions);
    c->n_actions = t->n_shortest;
    return true;
}

static void find_odds(trial *t) {
    const uint32_t episodes = t->s->draws ? EPISODES_WITH_DRAWS : EPISODES;
    const uint32_t limit = t->s->draws ? EPISODE_WITH_DRAWS : EPISODE;
    double sum = 0;
    t->c->odds = (sb_autumn_odds){.episodes = episodes};
    for (uint64_t k = 0; k < episodes; k++) {
        if (!sb_autumn_changing_begin(t->test, &t->c->guard, t->s->seed, sb_autumn_noise(t->s->seed, "random", k)))
            break;
        for (uint32_t i = 0; i < limit && !sb_autumn_changing_acted(t->test); i++)
            if (!sb_autumn_changing_step(t->test, sb_autumn_random_event(t->rng, t->s->size))) break;
        const uint32_t acted = sb_autumn_changing_acted(t->test);
        t->c->odds.successes += acted != 0, t->c->odds.within += acted != 0, sum += acted;
    }
    if (t->c->odds.successes) t->c->odds.steps = sum / t->c->odds.successes;
}

/* ---- One attempt ------------------------------------------------------------------------------------------------- */

static sb_autumn_try attempt(trial *t, sb_autumn_why *why) {
    if (!try_out(t, why)) {
        if (!sb_autumn_changing_lost(t->test)) return t->s->effort < EFFORT_MAX ? SB_AUTUMN_AGAIN : SB_AUTUMN_NEVER;
        *why = SB_AUTUMN_UNKNOWN_CHANGE;
        return ++t->s->unknown < LOST_MAX ? SB_AUTUMN_AGAIN : SB_AUTUMN_NEVER;
    }
    *why = SB_AUTUMN_NO_EXAMPLE;
    if (!take_example(t)) return t->no_memory ? SB_AUTUMN_NO_MEMORY : SB_AUTUMN_AGAIN;
    find_odds(t);
    return SB_AUTUMN_FOUND;
}

sb_autumn_try sb_autumn_try_change(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng, sb_autumn_why *why) {
    trial t = {.s = s, .c = c, .rng = rng};
    const sb_autumn_mutation *const m = draw_mutation(&t);
    *why = SB_AUTUMN_NO_RULE;
    if (!m) return SB_AUTUMN_NEVER;
    c->guard = draw_guard(&t, m);
    if (!take_mutation(c, m)) return SB_AUTUMN_NO_MEMORY;
    t.test = sb_autumn_changing_new(s->text, s->n, c->edits, c->n_edits, &t.no_memory);
    t.actions = malloc(TAPE * sizeof *t.actions), t.shortest = malloc(TAPE * sizeof *t.shortest);
    *why = SB_AUTUMN_NO_PROGRAM;
    sb_autumn_try result = t.test || !t.no_memory ? SB_AUTUMN_AGAIN : SB_AUTUMN_NO_MEMORY;
    if (!t.actions || !t.shortest)
        result = SB_AUTUMN_NO_MEMORY;
    else if (t.test)
        result = attempt(&t, why);
    sb_autumn_changing_free(t.test);
    free(t.actions), free(t.shortest);
    return result;
}
