#include "oracles/kits/crossings.h"

#include <string.h>

/* ---- What all ways of one thing to one goal have in common ---- */

static const sb_needs everything = {.forth = {SB_EACH(1), SB_EACH(1)},
                                    .back = {SB_EACH(1), SB_EACH(1)},
                                    .before = {SB_EACH(1), SB_EACH(1)},
                                    .beyond = {SB_EACH(1), SB_EACH(1)},
                                    .over = ~0u};

/* Keeps of `common` what a way needs that begins with a push from `behind` to the thing's cell and then needs `then`:
 * the agent ends where the thing was. */
static void keep_common(sb_needs *common, const sb_goals *g, int behind, int cell, const sb_needs *then) {
    for (int axis = 0; axis < 2; axis++) {
        const sb_crossings from = g->below[axis][behind], to = g->below[axis][cell];
        common->forth[axis] &= (to & ~from) | then->forth[axis];
        common->back[axis] &= (from & ~to) | then->back[axis];
        common->before[axis] &= ~(from & to) | then->before[axis];
        common->beyond[axis] &= from | to | then->beyond[axis];
    }
}

/* Intersects the needs of all pushes that lead on; returns whether this changes what was known. */
static bool refine(sb_goals *g, const sb_pushing *p, int goal, int cell) {
    static const sb_needs nothing = {0};
    sb_needs *known = &g->needs[goal][cell], left = everything;
    left.pushes = known->pushes;
    for (int d = 0; d < 4; d++) {
        const int behind = cell - p->step_of[d], to = cell + p->step_of[d];
        const bool arrives = p->goal_at[to] == goal + 1;
        const sb_needs *then = arrives ? &nothing : &g->needs[goal][to];
        if (p->ground[behind] > SB_GROUND_WALKED || then->pushes >= SB_FAR) continue;
        keep_common(&left, g, behind, cell, then);
        left.over &= then->over | (arrives || !p->goal_at[to] ? 0 : 1u << (p->goal_at[to] - 1));
    }
    if (memcmp(&left, known, sizeof left) == 0) return false;
    *known = left;
    return true;
}

/* Starts with the assumption that everything is needed, and refines it back and forth over the cells until nothing
 * changes. */
static void draw_goal(sb_goals *g, const sb_pushing *p, int goal, const int16_t *pushes) {
    g->n_ends[goal] = 0;
    for (int i = 0; i < SB_PUSHING_CELLS; i++) {
        g->needs[goal][i] = everything;
        g->needs[goal][i].pushes = pushes[i];
        if (pushes[i] == 1) g->end[goal][g->n_ends[goal]++] = (uint8_t)i;
    }
    for (bool refined = true; refined;) {
        refined = false;
        for (int k = 0; k < 2 * SB_PUSHING_CELLS; k++) {
            const int cell = k < SB_PUSHING_CELLS ? k : 2 * SB_PUSHING_CELLS - 1 - k;
            if (pushes[cell] > 0 && pushes[cell] < SB_FAR) refined |= refine(g, p, goal, cell);
        }
    }
}

void sb_goals_draw(sb_goals *g, const sb_pushing *p, int16_t pushes[][SB_PUSHING_CELLS]) {
    const int width = p->step_of[SB_SOUTH];
    for (int i = 0; i < SB_PUSHING_CELLS; i++) {
        g->below[0][i] = sb_lines_below(i % width);
        g->below[1][i] = i / width < 16 ? sb_lines_below(i / width) : 0; /* other cells are outside the room */
    }
    for (int k = 0; k < p->n_goals; k++) draw_goal(g, p, k, pushes[k]);
}

/* ---- One matching ---- */

/* A state, for which all matchings are asked. */
typedef struct question {
    sb_goals *g;
    const sb_pushing *p;
    sb_push_state l; /* things in the order of the state being expanded */
    unsigned open, fixed;
    sb_crossings behind[2]; /* the lines below the agent */
    int n_ends;
    sb_crossings between[4 * SB_PUSHING_GOALS][2]; /* the lines between the agent and each end */
} question;

static void ask(question *q, sb_goals *g, const sb_pushing *p, const sb_push_state *l, unsigned open, unsigned fixed) {
    q->g = g, q->p = p, q->l = *l, q->open = open, q->fixed = fixed, q->n_ends = 0;
    for (int axis = 0; axis < 2; axis++) q->behind[axis] = g->below[axis][l->agent];
    for (int k = 0; k < p->n_goals; k++)
        for (int i = 0; i < g->n_ends[k] && open >> k & 1; i++, q->n_ends++)
            for (int axis = 0; axis < 2; axis++)
                q->between[q->n_ends][axis] = q->behind[axis] ^ g->below[axis][g->end[k][i]];
}

static void add(sb_needs *sum, const sb_needs *more) {
    for (int axis = 0; axis < 2; axis++) {
        sum->forth[axis] += more->forth[axis], sum->back[axis] += more->back[axis];
        sum->before[axis] |= more->before[axis], sum->beyond[axis] |= more->beyond[axis];
    }
    sum->pushes += more->pushes;
}

/* Returns the fewest steps for the needs of all things together. If they are not below the limit, the result may be
 * smaller than that, but not below the limit either. */
static int fewest_steps(const question *q, const sb_needs *sum, int limit) {
    sb_fare fare[2];
    int least = SB_FAR, saved = 0;
    for (int axis = 0; axis < 2; axis++) {
        const sb_crossings behind = q->behind[axis];
        const sb_crossings reached = (sum->beyond[axis] & ~behind) | (sum->before[axis] & behind);
        fare[axis] = sb_fare_of(sum->forth[axis], sum->back[axis], reached, behind);
        saved += sb_count_lines(fare[axis].saved);
    }
    const int lowest = fare[0].round_trip + fare[1].round_trip - saved;
    if (lowest >= limit) return lowest;
    for (int i = 0; i < q->n_ends; i++) {
        const int steps = sb_fare_to(fare[0], q->between[i][0]) + sb_fare_to(fare[1], q->between[i][1]);
        if (steps < least) least = steps;
    }
    return least > sum->pushes ? least : sum->pushes;
}

/* Tells whether the thing can still be pushed to the goal, as far as this is known. */
static bool can_reach(const question *q, int thing, const sb_needs *needs) {
    return needs->pushes < SB_FAR && !(q->fixed >> thing & 1) && !(needs->over & ~q->open);
}

/* Like fewest_steps, for a matching; SB_FAR if it is impossible. */
static int steps_of(const question *q, const sb_matching *m, int limit) {
    sb_needs sum = {0};
    for (int k = 0; k < q->p->n_goals; k++) {
        if (!(q->open >> k & 1)) continue;
        const sb_needs *needs = &q->g->needs[k][q->l.thing[m->thing[k]]];
        if (!can_reach(q, m->thing[k], needs)) return SB_FAR;
        add(&sum, needs);
    }
    return fewest_steps(q, &sum, limit);
}

/* ---- All matchings ---- */

static void insert(sb_goals *g, const sb_matching *m) {
    if (g->n == SB_MATCHINGS_MAX) {
        const int last = g->matching[g->n - 1].steps, dearer = m->steps > last ? m->steps : last;
        if (dearer < g->unlisted) g->unlisted = dearer;
        if (m->steps >= last) return;
        g->n--;
    }
    int i = g->n++;
    for (; i > 0 && g->matching[i - 1].steps > m->steps; i--) g->matching[i] = g->matching[i - 1];
    g->matching[i] = *m;
}

/* Lists the matchings of things that are not `used` with the open goals from the k-th on. Those that are much more
 * expensive than the cheapest so far are not measured exactly. */
static void list(const question *q, int k, unsigned used, const sb_needs *sum, sb_matching *m) {
    enum { MUCH = 8 };
    const sb_pushing *p = q->p;
    while (k < p->n_goals && !(q->open >> k & 1)) k++;
    if (k == p->n_goals) {
        m->steps = (int16_t)fewest_steps(q, sum, q->g->n ? q->g->matching[0].steps + MUCH : SB_FAR);
        insert(q->g, m);
        return;
    }
    for (int i = 0; i < p->n_things; i++) {
        const sb_needs *needs = &q->g->needs[k][q->l.thing[i]];
        if (used >> i & 1 || p->type[i] != p->goal_type[k] || !can_reach(q, i, needs)) continue;
        sb_needs with = *sum;
        add(&with, needs);
        m->thing[k] = (uint8_t)i;
        list(q, k + 1, used | 1u << i, &with, m);
    }
}

/* Finds the things that will not be pushed any more: they are kept or stuck. False if one is stuck on a goal that needs
 * another one. */
static bool find_fixed(const sb_pushing *p, const sb_push_state *l, const uint8_t *holds, unsigned *fixed) {
    *fixed = 0;
    for (int i = 0; i < p->n_things; i++) {
        const bool is_kept = sb_kept_by(p, l, i) >= 0;
        if (!is_kept && !sb_is_stuck(p, holds, l->thing[i])) continue;
        if (!is_kept && p->goal_at[l->thing[i]]) return false;
        *fixed |= 1u << i;
    }
    return true;
}

static void list_all(sb_goals *g, const sb_pushing *p, const sb_push_state *l) {
    static const sb_needs nothing = {0};
    uint8_t holds[SB_PUSHING_CELLS];
    sb_matching m = {0};
    question q;
    sb_lay_out(p, l, holds);
    g->n = 0, g->unlisted = SB_FAR, g->listed = p->n_expanded, g->open = (1u << p->n_goals) - 1;
    for (int i = 0; i < p->n_things; i++) {
        const int goal = sb_kept_by(p, l, i);
        if (goal >= 0) g->open &= ~(1u << goal);
    }
    if (!find_fixed(p, l, holds, &g->fixed)) return;
    ask(&q, g, p, l, g->open, g->fixed);
    list(&q, 0, g->fixed, &nothing, &m);
}

/* Returns the bound of the state after the push; `l` has the things in the order of the state before. */
static int bound_after(sb_goals *g, sb_pushing *p, const sb_push_state *l) {
    const int goal = sb_kept_by(p, l, p->thing);
    const uint8_t from = p->before.thing[p->thing], there = p->survey.holds[p->to];
    uint8_t *holds = p->survey.holds;
    unsigned fixed = g->fixed;
    int least = SB_FAR;
    question q;
    holds[from] = p->ground[from], holds[p->to] = goal < 0 ? SB_GROUND_THING : p->kept;
    const bool is_lost = sb_is_stuck(p, holds, p->to) && !find_fixed(p, l, holds, &fixed);
    holds[from] = SB_GROUND_THING, holds[p->to] = there;
    if (is_lost) return -1;
    ask(&q, g, p, l, goal < 0 ? g->open : g->open & ~(1u << goal), fixed);
    for (int i = 0; i < g->n && g->matching[i].steps - p->cost < least; i++) {
        const sb_matching *m = &g->matching[i];
        if (goal >= 0 && m->thing[goal] != p->thing) continue;
        const int steps = steps_of(&q, m, least);
        if (steps < least) least = steps;
    }
    if (g->unlisted < SB_FAR && g->unlisted - p->cost < least) least = g->unlisted - p->cost;
    return least < SB_FAR ? least : -1;
}

int sb_goals_bound(sb_goals *g, sb_pushing *p, const sb_push_state *l) {
    if (p->n_expanded == 0) {
        list_all(g, p, l);
        return g->n > 0 ? g->matching[0].steps : -1;
    }
    sb_push_state after = p->before;
    after.agent = after.thing[p->thing], after.thing[p->thing] = (uint8_t)p->to;
    if (g->listed != p->n_expanded) list_all(g, p, &p->before);
    return bound_after(g, p, &after);
}
