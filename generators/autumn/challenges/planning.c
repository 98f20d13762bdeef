/* Planning challenges (challenges 4): a goal that was reached in exploration, on a part of the grid. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/autumn/challenges/study.h"

static const uint32_t bands[SB_AUTUMN_LEVELS][2] = {{2, 3}, {4, 8}, {9, 20}, {21, 60}};
/* How many of a hundred random agents may reach the goal within the horizon. With so few of them, the share of all
 * random agents is below 0.25, 0.15, 0.10 and 0.06 with 97.5 % confidence (Wilson). */
static const uint32_t lucky[SB_AUTUMN_LEVELS] = {16, 8, 4, 1};
/* In how many of ten states after random actions the goal should be known to be in reach: the first attempts demand it.
 * In puzzles a short search finds no goal even where all actions can be undone, so later attempts only note the number.
 */
static const uint32_t alive[SB_AUTUMN_LEVELS] = {8, 6, 3, 0};
enum { CHOOSY = 8, GOALS = 8, OTHER_NOISES = 50, ENOUGH = 45, EPISODES = 50, EPISODE = 1000, TRIED = 100 };
/* PATIENT: attempts after which the search for a goal ends; EFFORT_MAX: steps under other draws after which it ends. */
enum { PATIENT = 120, EFFORT_MAX = 60000 };
enum { NAMED_MAX = 30 /* most cells that a goal names */ };

/* ---- Whether a goal holds ---------------------------------------------------------------------------------------- */

static bool holds_in(const sb_autumn_challenge *c, const uint8_t *frame) {
    for (uint32_t i = 0; i < c->size * c->size; i++)
        if (c->mask[i] && frame[i] != c->frames[i]) return false;
    return true;
}

static bool holds(sb_autumn_study *s, const sb_autumn_challenge *c, const sb_autumn_state *state) {
    return sb_autumn_goal_holds(s, c, c->frames, state);
}

/* Plays actions on s->a until the goal holds, without `n_left_out` of them from `left_out` on; returns the steps that
 * it took, 0 if it did not hold. */
static uint32_t play(sb_autumn_study *s, const sb_autumn_challenge *c, uint32_t left_out, uint32_t n_left_out) {
    uint32_t taken = 0;
    for (uint32_t i = 0; i < c->n_actions; i++) {
        if (i >= left_out && i < left_out + n_left_out) continue;
        if (!sb_autumn_step(s->a, c->actions[i], NULL)) return 0;
        taken++;
        if (holds(s, c, s->a)) return taken;
    }
    return 0;
}

static bool restart(sb_autumn_study *s) { return sb_autumn_copy(s->a, s->start); }

/* ---- The goal ---------------------------------------------------------------------------------------------------- */

static void take_plan(const sb_autumn_study *s, uint32_t met, sb_autumn_challenge *c) {
    for (uint32_t i = s->met[met].depth; i-- > 0; met = s->met[met].parent) c->actions[i] = s->met[met].event;
}

/* Counts for each cell how many of the other noises lead to the goal's colour when the plan is played without looking.
 */
static bool count_agreeing(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *goal, uint8_t *agreeing) {
    memset(agreeing, s->draws ? 0 : OTHER_NOISES, s->n_cells);
    for (uint64_t k = 1; s->draws && k <= OTHER_NOISES; k++) {
        if (!restart(s)) return false;
        sb_autumn_reseed(s->a, sb_autumn_noise(s->seed, "elsewhere", k));
        s->effort += c->n_actions;
        bool ok = true;
        for (uint32_t i = 0; i < c->n_actions && ok; i++) ok = sb_autumn_step(s->a, c->actions[i], NULL);
        if (!ok || !sb_autumn_study_frame(s, s->a, s->frame)) continue;
        for (uint32_t i = 0; i < s->n_cells; i++) agreeing[i] += s->frame[i] == goal[i];
    }
    return true;
}

static void mark(sb_autumn_study *s, const sb_autumn_state *state, uint32_t variable, uint8_t *mask, int border) {
    const sb_autumn_layer *layers = sb_autumn_layers(state);
    for (size_t l = 0; l < sb_autumn_n_layers(state); l++)
        for (uint32_t k = 0; layers[l].variable == variable && k < layers[l].n; k++) {
            const sb_autumn_cell *cell = &sb_autumn_cells(state)[layers[l].first + k];
            for (int dy = -border; dy <= border; dy++)
                for (int dx = -border; dx <= border; dx++) {
                    const int32_t x = cell->x + dx, y = cell->y + dy;
                    if (x >= 0 && y >= 0 && x < (int32_t)s->size && y < (int32_t)s->size)
                        mask[(uint32_t)y * s->size + (uint32_t)x] = 1;
                }
        }
}

/* Whether the cells of a variable differ between two states. */
static bool differs(const sb_autumn_state *a, const sb_autumn_state *b, uint32_t variable) {
    const sb_autumn_state *const states[2] = {a, b};
    const sb_autumn_layer *layer[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        for (size_t l = 0; l < sb_autumn_n_layers(states[i]); l++)
            if (sb_autumn_layers(states[i])[l].variable == variable) layer[i] = &sb_autumn_layers(states[i])[l];
    if (!layer[0] || !layer[1]) return layer[0] != layer[1];
    return layer[0]->n != layer[1]->n ||
           (layer[0]->n && memcmp(sb_autumn_cells(a) + layer[0]->first, sb_autumn_cells(b) + layer[1]->first,
                                  layer[0]->n * sizeof(sb_autumn_cell)) != 0);
}

/* Masks all cells that the goal shows otherwise than the start. */
static void mark_changes(sb_autumn_study *s, sb_autumn_challenge *c) {
    const bool shown = sb_autumn_study_frame(s, s->start, s->frame);
    for (uint32_t i = 0; i < s->n_cells; i++) c->mask[i] = shown && s->frame[i] != c->frames[i];
}

/* Masks the cells of one or two of the variables that differ between start and goal, with or without a border; on the
 * last level, whose plans are long, in half of the cases all cells that differ. */
static void choose_region(sb_autumn_study *s, sb_autumn_challenge *c, const sb_autumn_state *goal, sb_rng *rng) {
    const uint32_t wanted = 1 + sb_autumn_below(rng, 2);
    const int border = (int)sb_autumn_below(rng, 2);
    uint32_t met = 0, variables[2] = {UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < sb_autumn_n_variables(s->program); i++) {
        if (!differs(s->start, goal, i)) continue;
        met++;
        for (uint32_t k = 0; k < 2; k++)
            if (sb_autumn_below(rng, met) == 0) variables[k] = i;
    }
    memset(c->mask, 0, s->n_cells);
    if (c->name.level == SB_AUTUMN_LEVELS && sb_autumn_below(rng, 2)) {
        mark_changes(s, c);
        return;
    }
    for (uint32_t k = 0; k < wanted && k < 2; k++) {
        mark(s, s->start, variables[k], c->mask, border);
        mark(s, goal, variables[k], c->mask, border);
    }
}

/* With draws, only cells count that nearly all draws lead to. In half of the cases these are not those of some
 * variables but those that differ from the start, with their neighbours. */
static void choose_certain(sb_autumn_study *s, sb_autumn_challenge *c, const uint8_t *counts, sb_rng *rng) {
    const uint32_t size = s->size;
    if (sb_autumn_below(rng, 2) && sb_autumn_study_frame(s, s->start, s->frame)) {
        memset(c->mask, 0, s->n_cells);
        for (uint32_t i = 0; i < s->n_cells; i++) {
            if (s->frame[i] == c->frames[i] || counts[i] < ENOUGH) continue;
            c->mask[i] = 1;
            if (i % size) c->mask[i - 1] = 1;
            if (i % size + 1 < size) c->mask[i + 1] = 1;
            if (i >= size) c->mask[i - size] = 1;
            if (i + size < s->n_cells) c->mask[i + size] = 1;
        }
    }
    for (uint32_t i = 0; i < s->n_cells; i++) c->mask[i] = c->mask[i] && counts[i] >= ENOUGH;
}

static bool is_near(const sb_autumn_challenge *c, uint32_t cell, uint32_t centre, uint32_t distance) {
    const int32_t size = (int32_t)c->size, a = (int32_t)cell, b = (int32_t)centre;
    return (uint32_t)abs(a % size - b % size) <= distance && (uint32_t)abs(a / size - b / size) <= distance;
}

static uint32_t count_near(const sb_autumn_challenge *c, uint32_t cell, uint32_t distance) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->size * c->size; i++) n += c->mask[i] && is_near(c, i, cell, distance);
    return n;
}

/* A goal that names too many cells is narrowed to those around one that differs from the start. */
static void narrow(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng) {
    uint32_t n = 0, centre = 0, distance = 0;
    if (count_near(c, 0, c->size) > NAMED_MAX && sb_autumn_study_frame(s, s->start, s->frame)) {
        for (uint32_t i = 0; i < s->n_cells; i++)
            if (c->mask[i] && c->frames[i] != s->frame[i] && sb_autumn_below(rng, ++n) == 0) centre = i;
        while (count_near(c, centre, distance + 1) <= NAMED_MAX) distance++;
        for (uint32_t i = 0; i < s->n_cells; i++) c->mask[i] &= is_near(c, i, centre, distance);
    }
    c->n_mask = count_near(c, 0, c->size);
}

/* ---- Not trivial ------------------------------------------------------------------------------------------------- */

static bool is_dull(const sb_autumn_study *s, const sb_autumn_challenge *c) {
    for (uint32_t i = 0; i < s->n_dull; i++)
        if (holds_in(c, s->dull + (size_t)i * s->n_cells)) return true;
    return false;
}

static bool same_action(sb_autumn_event a, sb_autumn_event b) {
    return a.key == b.key && (a.key != SB_AUTUMN_CLICK || (a.x == b.x && a.y == b.y));
}

static bool is_repetition(const sb_autumn_challenge *c) {
    for (uint32_t i = 1; i < c->n_actions; i++)
        if (!same_action(c->actions[i], c->actions[0])) return false;
    return true;
}

/* Whether a single action, with a click on any cell, leads to the goal. */
static bool comes_at_once(sb_autumn_study *s, const sb_autumn_challenge *c) {
    for (uint32_t i = 0; i < SB_AUTUMN_CLICK + s->n_cells; i++) {
        sb_autumn_event event = {.key = (sb_autumn_key)(i < SB_AUTUMN_CLICK ? i : SB_AUTUMN_CLICK)};
        if (event.key == SB_AUTUMN_CLICK)
            event.x = (int32_t)((i - SB_AUTUMN_CLICK) % s->size), event.y = (int32_t)((i - SB_AUTUMN_CLICK) / s->size);
        if (restart(s) && sb_autumn_step(s->a, event, NULL) && holds(s, c, s->a)) return true;
    }
    return false;
}

/* The state with the shortest known way in which the goal holds. */
static uint32_t nearest(const sb_autumn_study *s, const sb_autumn_challenge *c, uint32_t met) {
    for (uint32_t i = 0; i < s->n_met; i++)
        if (s->met[i].depth < s->met[met].depth && holds_in(c, s->met[i].frame)) met = i;
    return met;
}

static bool try_without(sb_autumn_study *s, sb_autumn_challenge *c, uint32_t at, uint32_t n) {
    if (at + n > c->n_actions || !restart(s)) return false;
    const uint32_t taken = play(s, c, at, n);
    if (!taken) return false;
    memmove(c->actions + at, c->actions + at + n, (c->n_actions - at - n) * sizeof *c->actions);
    c->n_actions = taken;
    return true;
}

/* Leaves out single actions and pairs as long as the goal is met. */
static void shorten(sb_autumn_study *s, sb_autumn_challenge *c) {
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < c->n_actions; i++)
            while (try_without(s, c, i, 2) || try_without(s, c, i, 1)) again = true;
    }
}

bool sb_autumn_is_short(sb_autumn_study *s, const sb_autumn_challenge *c, uint8_t *goal) {
    sb_autumn_challenge same = *c;
    bool found = false;
    same.frames = goal;
    for (uint32_t i = 0; i < c->n_actions && !found; i++)
        for (uint32_t n = 1; n <= 2 && !found; n++) found = i + n <= c->n_actions && restart(s) && play(s, &same, i, n);
    return !found;
}

/* ---- With other draws, from other states ------------------------------------------------------------------------- */

static bool works_elsewhere(sb_autumn_study *s, const sb_autumn_challenge *c) {
    uint32_t reached = 0;
    for (uint64_t k = 1; k <= OTHER_NOISES; k++) {
        if (!restart(s)) return false;
        sb_autumn_reseed(s->a, sb_autumn_noise(s->seed, "elsewhere", k));
        reached += play(s, c, 0, 0) != 0;
    }
    return reached >= ENOUGH;
}

/* In which step a random agent reaches the goal; 0: not within `limit` steps, or no memory. */
static uint32_t try_random(sb_autumn_study *s, const sb_autumn_challenge *c, sb_rng *rng, uint64_t number,
                           uint32_t limit) {
    if (!restart(s)) return 0;
    sb_autumn_reseed(s->a, sb_autumn_noise(s->seed, "random", number));
    for (uint32_t step = 1; step <= limit; step++) {
        if (!sb_autumn_step(s->a, sb_autumn_random_event(rng, s->size), NULL)) return 0;
        if (holds(s, c, s->a)) return step;
    }
    return 0;
}

/* A hundred random agents until the horizon, and fifty for a thousand steps. False: too many reach the goal within the
 * horizon. */
static bool find_odds(sb_autumn_study *s, sb_autumn_challenge *c) {
    sb_rng rng = sb_autumn_attempt_rng(s, c->name.kind, c->name.level, c->name.seed, UINT32_MAX);
    double sum = 0;
    c->odds = (sb_autumn_odds){.episodes = EPISODES, .tried = TRIED};
    for (uint64_t k = 0; k < TRIED; k++) {
        c->odds.within += try_random(s, c, &rng, k, c->horizon) != 0;
        if (c->odds.within > lucky[c->name.level - 1]) return false;
    }
    for (uint64_t k = 0; k < EPISODES; k++) {
        const uint32_t steps = try_random(s, c, &rng, k, EPISODE);
        c->odds.successes += steps != 0, sum += steps;
    }
    if (c->odds.successes) c->odds.steps = sum / c->odds.successes;
    return true;
}

/* Whether the goal is known to be in reach after random actions: the plan or random actions lead to it. */
static bool is_alive(sb_autumn_study *s, const sb_autumn_challenge *c, sb_rng *rng) {
    enum { FIRST = 20, TRIES = 4, LONG = 60 };
    sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX];
    for (uint32_t i = 0; i < FIRST; i++)
        if (!sb_autumn_step(s->a, sb_autumn_random_event(rng, s->size), NULL)) return false;
    if (holds(s, c, s->a)) return true;
    if (!sb_autumn_copy(s->b, s->a)) return false;
    for (uint32_t k = 0; k < TRIES; k++) {
        if (!sb_autumn_copy(s->a, s->b)) return false;
        if (play(s, c, 0, 0)) return true;
        for (uint32_t i = 0; i < LONG && sb_autumn_size(s->a) == s->size; i++) {
            const size_t n = sb_autumn_interests(s->a, s->strings, rng, events);
            if (!sb_autumn_step(s->a, events[sb_autumn_below(rng, (uint32_t)n)], NULL)) break;
            if (holds(s, c, s->a)) return true;
        }
    }
    return false;
}

/* Of how many of ten states after 20 random actions the goal is known to be in reach. */
static uint32_t count_alive(sb_autumn_study *s, const sb_autumn_challenge *c, sb_rng *rng) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < 10; i++) n += restart(s) && is_alive(s, c, rng);
    return n;
}

/* ---- One attempt ------------------------------------------------------------------------------------------------- */

static bool pick_goal(sb_autumn_study *s, const uint32_t band[2], sb_rng *rng, uint32_t *met) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_met; i++)
        if (s->met[i].depth >= band[0] && s->met[i].depth <= 2 * band[1] && sb_autumn_below(rng, ++n) == 0) *met = i;
    return n != 0;
}

bool sb_autumn_is_of_level(const sb_autumn_challenge *c) {
    const uint32_t *band = bands[c->name.level - 1], least = c->version == 1 && c->name.level == 1 ? 1 : band[0];
    return c->n_actions >= least && c->n_actions <= band[1];
}

/* Finds region and plan of a goal; false: it is no goal for a challenge. */
static bool work_out(sb_autumn_study *s, sb_autumn_challenge *c, uint32_t met, sb_rng *rng, sb_autumn_why *why) {
    sb_autumn_challenge known = *c;
    known.n_actions = s->met[met].depth;
    take_plan(s, met, &known);
    memcpy(c->frames, s->met[met].frame, s->n_cells);
    choose_region(s, c, s->met[met].state, rng);
    if (s->draws) {
        if (!count_agreeing(s, &known, c->frames, s->agreeing)) return false;
        choose_certain(s, c, s->agreeing, rng);
    }
    *why = SB_AUTUMN_AT_START;
    if (holds(s, c, s->start)) return false;
    narrow(s, c, rng);
    *why = SB_AUTUMN_BY_WAITING;
    if (is_dull(s, c)) return false;
    met = nearest(s, c, met);
    c->n_actions = s->met[met].depth;
    take_plan(s, met, c);
    *why = SB_AUTUMN_OTHER_LEVEL;
    shorten(s, c);
    if (!sb_autumn_is_of_level(c)) return false;
    *why = SB_AUTUMN_BY_WAITING;
    return !is_repetition(c) && !comes_at_once(s, c);
}

uint32_t sb_autumn_horizon(const sb_autumn_challenge *c) {
    enum { FOR_ONE = 10, LEAST_OF_VERSION_1 = 100 };
    const uint32_t steps = FOR_ONE * c->n_actions;
    return c->version == 1 && steps < LEAST_OF_VERSION_1 ? LEAST_OF_VERSION_1 : steps;
}

bool sb_autumn_is_goal(const sb_autumn_challenge *c, sb_error *error) {
    if (c->n_mask > NAMED_MAX) return sb_fail(error, SB_MISMATCH, "the goal names more than %d cells", NAMED_MAX);
    if (is_repetition(c)) return sb_fail(error, SB_MISMATCH, "the plan repeats one action");
    return c->odds.within <= lucky[c->name.level - 1] ||
           sb_fail(error, SB_MISMATCH, "more random agents reach the goal than this level allows");
}

bool sb_autumn_goal_holds(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *goal,
                          const sb_autumn_state *state) {
    if (!sb_autumn_study_frame(s, state, s->frame)) return false;
    for (uint32_t i = 0; i < s->n_cells; i++)
        if (c->mask[i] && s->frame[i] != goal[i]) return false;
    return true;
}

sb_autumn_try sb_autumn_try_planning(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng, sb_autumn_why *why) {
    uint32_t met = 0;
    bool found = false;
    const sb_autumn_try again = c->attempt + 1 < PATIENT && s->effort < EFFORT_MAX ? SB_AUTUMN_AGAIN : SB_AUTUMN_NEVER;
    *why = SB_AUTUMN_NO_STATE;
    if (!sb_autumn_study_find_dull(s)) return SB_AUTUMN_NO_MEMORY;
    c->actions = calloc(2 * bands[SB_AUTUMN_LEVELS - 1][1], sizeof *c->actions);
    c->mask = calloc(s->n_cells, 1), c->frames = malloc(s->n_cells);
    if (!c->actions || !c->mask || !c->frames) return SB_AUTUMN_NO_MEMORY;
    for (int i = 0; i < GOALS && !found; i++) {
        if (!pick_goal(s, bands[c->name.level - 1], rng, &met)) return SB_AUTUMN_NEVER;
        found = work_out(s, c, met, rng, why);
    }
    if (!found) return again;
    *why = SB_AUTUMN_NEEDS_DRAWS;
    if (s->draws && !works_elsewhere(s, c)) return again;
    *why = SB_AUTUMN_OUT_OF_REACH;
    c->alive = count_alive(s, c, rng);
    if (c->alive < alive[c->name.level - 1] && c->attempt < CHOOSY) return SB_AUTUMN_AGAIN;
    c->horizon = sb_autumn_horizon(c);
    *why = SB_AUTUMN_EASY;
    if (!find_odds(s, c)) return again;
    uint32_t first = 0;
    while (!c->mask[first]) first++;
    for (uint32_t i = 0; i < s->n_cells; i++)
        if (!c->mask[i]) c->frames[i] = c->frames[first]; /* cells that do not count tell nothing */
    return sb_autumn_take_colours(c, s->program, c->frames, s->n_cells) ? SB_AUTUMN_FOUND : SB_AUTUMN_NO_MEMORY;
}
