/* The expert of SokobanPush: A* over pushes with the bound of oracles/kits/crossings.h. Pits that hold a box are as
 * closed as walls.
 *
 * With up to three boxes the search always finishes: the plan is the shortest, or there is none. With four boxes that
 * may take a hundred thousand states, so there the bound is a bold one, which is nearly always right: it also counts
 * the walks around each box, as if no other box needed them. If that takes too long, the bound grows, and the plan may
 * be some steps too long. An agent that has left the way of its plan gets such a plan at once. */
#include "generators/agentick/planning/sokoban_push.h"

#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/agentick/planning/sokoban_push_relaxed.h"
#include "oracles/kits/crossings.h"
#include "oracles/kits/mend.h"

enum { STATES = 5000000, CAREFUL_STATES = 300, SIDES = 4 };

typedef struct room {
    sb_pushing pushing;
    sb_goals goals;
    sb_needs proven[SB_PUSHING_GOALS][SB_PUSHING_CELLS], bold[SB_PUSHING_GOALS][SB_PUSHING_CELLS];
    bool is_drawn, is_bold; /* is_bold: which of the two are the needs of the goals now */
    int haste;              /* eighths by which the bound is too large */
} room;

typedef struct memory {
    sb_plan plan; /* has no actions if no plan was found for the expected state */
    room room;
    sb_push_state start; /* the layout for which the plan was made */
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(sb_push_state), STATES)];
} memory;

/* ---- The bound ---- */

static int bound(void *context, const void *layout) {
    room *r = context;
    const int steps = sb_goals_bound(&r->goals, &r->pushing, layout);
    return steps < 0 ? steps : steps + steps * r->haste / 8;
}

static void measure_pushes(const sb_episode *e, int n_targets, int16_t pushes[][SB_PUSHING_CELLS]) {
    sb_sokoban_push_alone alone;
    sb_sokoban_push_measure(&alone, e);
    for (int t = 0; t < n_targets; t++)
        for (int i = 0; i < SB_PUSHING_CELLS; i++) {
            pushes[t][i] = SB_FAR;
            for (int side = 0; side < SIDES && i < sb_n_cells(e); side++)
                if (alone.pushes[t][i][side] < SB_SOKOBAN_PUSH_NEVER && alone.pushes[t][i][side] < pushes[t][i])
                    pushes[t][i] = alone.pushes[t][i][side];
        }
}

/* ---- The bold bound: what a box needs if it were alone, with all walks around it ---- */

_Static_assert(SB_SOKOBAN_PUSH_CELLS <= 15 * 15 && SB_SOKOBAN_PUSH_BOXES <= 4, "each goal has a line outside the room");

/* Steps from each side of a box to each other side, around the box; SB_FAR: there is no way. */
typedef int16_t around[SIDES][SIDES];

static bool is_floor(const room *r, int cell) { return r->pushing.ground[cell] == SB_GROUND_FREE; }

/* Walks from one side of a box until all other sides are reached. */
static void walk_around(const room *r, int box, int from, int16_t to[SIDES]) {
    const int *step_of = r->pushing.step_of;
    uint8_t steps[SB_PUSHING_CELLS] = {0}, queue[SB_PUSHING_CELLS];
    int n = 0, left = 0;
    for (int d = 0; d < SIDES; d++) to[d] = SB_FAR, left += is_floor(r, box + step_of[d]);
    queue[n++] = (uint8_t)(box + step_of[from]);
    steps[queue[0]] = 1, steps[box] = UINT8_MAX;
    for (int i = 0; i < n && left > 0; i++) {
        for (int d = 0; d < SIDES; d++) {
            if (queue[i] == box + step_of[d]) to[d] = (int16_t)(steps[queue[i]] - 1), left--;
            const int next = queue[i] + step_of[d];
            if (steps[next] || !is_floor(r, next)) continue;
            steps[next] = (uint8_t)(steps[queue[i]] + 1), queue[n++] = (uint8_t)next;
        }
    }
}

static void measure_walks(const room *r, around *walks) {
    for (int i = 0; i < SB_PUSHING_CELLS; i++) {
        for (int k = 0; k < SIDES * SIDES; k++) walks[i][k / SIDES][k % SIDES] = SB_FAR;
        for (int d = 0; d < SIDES && is_floor(r, i); d++)
            if (is_floor(r, i + r->pushing.step_of[d])) walk_around(r, i, d, walks[i][d]);
    }
}

/* Lowers the steps that are left with the agent at each side of a box in this cell; returns whether it could. */
static bool lower(const room *r, int goal, int cell, around *walks, int16_t left[][SIDES]) {
    bool changed = false;
    for (int push = 0; push < SIDES; push++) {
        const int to = cell - r->pushing.step_of[push];
        const bool arrives = r->pushing.goal_at[to] == goal + 1;
        if (!arrives && !is_floor(r, to)) continue;
        const int then = 1 + (arrives ? 0 : left[to][push]);
        for (int side = 0; side < SIDES; side++) {
            const int steps = walks[cell][side][push] + then;
            if (steps < left[cell][side]) left[cell][side] = (int16_t)steps, changed = true;
        }
    }
    return changed;
}

/* Computes the fewest steps that bring a box alone to the goal, with the agent at each of its sides. */
static void measure_alone(const room *r, int goal, around *walks, int16_t left[][SIDES]) {
    for (int i = 0; i < SB_PUSHING_CELLS * SIDES; i++) left[i / SIDES][i % SIDES] = SB_FAR;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < 2 * SB_PUSHING_CELLS; k++) {
            const int cell = k < SB_PUSHING_CELLS ? k : 2 * SB_PUSHING_CELLS - 1 - k;
            if (is_floor(r, cell)) changed |= lower(r, goal, cell, walks, left);
        }
    }
}

/* Returns what the proven bound says of a box alone. */
static int bound_alone(const sb_goals *g, int goal, int cell, int from) {
    const sb_needs *needs = &g->needs[goal][cell];
    sb_fare fare[2];
    int least = SB_FAR;
    for (int axis = 0; axis < 2; axis++) {
        const sb_crossings behind = g->below[axis][from];
        const sb_crossings reached = (needs->beyond[axis] & ~behind) | (needs->before[axis] & behind);
        fare[axis] = sb_fare_of(needs->forth[axis], needs->back[axis], reached, behind);
    }
    for (int i = 0; i < g->n_ends[goal]; i++) {
        int steps = 0;
        for (int axis = 0; axis < 2; axis++)
            steps += sb_fare_to(fare[axis], g->below[axis][from] ^ g->below[axis][g->end[goal][i]]);
        if (steps < least) least = steps;
    }
    return least > needs->pushes ? least : needs->pushes;
}

/* Returns how many pairs of steps, at most 7, the proven bound always lacks for a box alone in this cell. */
static int lacking(const room *r, int goal, int cell, int16_t left[][SIDES]) {
    enum { MOST = 7 };
    int least = 2 * MOST;
    for (int side = 0; side < SIDES; side++) {
        const int from = cell + r->pushing.step_of[side];
        if (left[cell][side] >= SB_FAR) continue;
        const int lack = left[cell][side] - bound_alone(&r->goals, goal, cell, from);
        if (lack < least) least = lack;
    }
    return least / 2;
}

/* Adds to the needs of a box what the bold bound assumes: that the agent crosses by itself every line that the box is
 * never pushed over although the agent has to be on both of its sides, and that all other walks around the box are only
 * for this box. The lines 14 and 15 of both axes lie outside the room, so each of the four goals has one of its own: to
 * cross it back and forth once is two steps. */
static void embolden(room *r, int goal, int cell, const sb_crossings end[2], int detour) {
    sb_needs *needs = &r->bold[goal][cell];
    for (int axis = 0; axis < 2; axis++) {
        const sb_crossings alone = sb_not_less(0, needs->forth[axis] | needs->back[axis]);
        const sb_crossings turns = needs->before[axis] & needs->beyond[axis] & alone, at = r->goals.below[axis][cell];
        if (end[axis] > at) needs->forth[axis] += turns;
        if (end[axis] < at) needs->back[axis] += turns;
    }
    const sb_crossings own = (sb_crossings)detour << 4 * (14 + goal / 2);
    needs->forth[goal % 2] += own, needs->back[goal % 2] += own;
}

static void draw_bold(room *r) {
    around walks[SB_PUSHING_CELLS];
    int16_t left[SB_PUSHING_CELLS][SIDES];
    memcpy(r->bold, r->goals.needs, sizeof r->bold);
    measure_walks(r, walks);
    for (int i = 0; i < SB_PUSHING_CELLS; i++) {
        const int k = r->pushing.goal_at[i] - 1;
        if (k < 0) continue;
        const sb_crossings end[2] = {r->goals.below[0][i], r->goals.below[1][i]};
        measure_alone(r, k, walks, left);
        for (int cell = 0; cell < SB_PUSHING_CELLS; cell++)
            if (is_floor(r, cell) && r->bold[k][cell].pushes < SB_FAR)
                embolden(r, k, cell, end, lacking(r, k, cell, left));
    }
}

/* Decides which bound the next search uses. */
static void use_bound(room *r, bool is_bold) {
    if (r->is_bold == is_bold) return;
    r->is_bold = is_bold;
    memcpy(r->goals.needs, is_bold ? r->bold : r->proven, sizeof r->proven);
}

/* ---- The room ---- */

/* Draws what does not change in an episode; only the rooms of the highest difficulty need detours. */
static void draw_room(room *r, const sb_pushing *p, const sb_episode *e) {
    int16_t pushes[SB_SOKOBAN_PUSH_BOXES][SB_PUSHING_CELLS];
    r->pushing = *p, r->is_drawn = true, r->is_bold = false;
    measure_pushes(e, p->n_goals, pushes);
    sb_goals_draw(&r->goals, p, pushes);
    memcpy(r->proven, r->goals.needs, sizeof r->proven);
    if (e->difficulty == SB_EXPERT) draw_bold(r);
}

static bool is_same_room(const sb_pushing *a, const sb_pushing *b) {
    return a->n_goals == b->n_goals && memcmp(a->step_of, b->step_of, sizeof a->step_of) == 0 &&
           memcmp(a->ground, b->ground, sizeof a->ground) == 0 &&
           memcmp(a->goal_at, b->goal_at, sizeof a->goal_at) == 0;
}

static void read_room(room *r, sb_push_state *l, const sb_episode *e) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    sb_pushing p = {.n_things = v->n, .n_goals = v->n, .kept = SB_GROUND_WALL, .is_done = sb_all_kept, .bound = bound};
    sb_index_steps(e, p.step_of);
    for (int i = 0; i < sb_n_cells(e); i++)
        p.ground[i] = e->cells[i].terrain == SB_EMPTY ? SB_GROUND_FREE : SB_GROUND_WALL;
    *l = (sb_push_state){.agent = (uint8_t)sb_index(e, e->agent.at)};
    for (int k = 0; k < v->n; k++) {
        const int target = sb_index(e, v->target[k]);
        p.ground[target] = SB_GROUND_PIT, p.goal_at[target] = (int8_t)(k + 1);
        l->thing[k] = (uint8_t)sb_index(e, v->box[k]);
    }
    if (!r->is_drawn || !is_same_room(&r->pushing, &p)) draw_room(r, &p, e);
}

/* ---- Planning ---- */

/* Searches with at most so many states. */
static sb_verdict search_some(memory *m, const sb_push_state *start, int weight, int max_cost, uint64_t states,
                              sb_budget *budget) {
    sb_budget share = *budget;
    if (share.limit - share.spent > states) share.limit = share.spent + states;
    const sb_verdict verdict = sb_pushing_search(&m->room.pushing, m->search, STATES, start, weight, max_cost, &share);
    budget->spent = share.spent, budget->is_cut = share.is_cut;
    return verdict;
}

/* Searches with growing weights, each search with a part of the budget that is left. A higher weight finds a plan
 * sooner, but the plan may be longer. */
static sb_verdict search(memory *m, const sb_push_state *start, int max_cost, bool is_hasty, sb_budget *budget) {
    enum { MAX_WEIGHT = 5, HASTE = 2 };
    sb_verdict verdict = SB_NOT_FOUND;
    use_bound(&m->room, false);
    for (int weight = is_hasty ? HASTE : 1; weight <= MAX_WEIGHT && verdict == SB_NOT_FOUND; weight++) {
        const uint64_t left = budget->limit - budget->spent;
        verdict = search_some(m, start, weight, max_cost, left - left / 4, budget);
    }
    if (verdict == SB_SOLVED) sb_pushing_plan(&m->room.pushing, m->search, start, &m->plan);
    return verdict;
}

/* Searches with the bold bound, and with more and more haste if that takes too many states. That all states were seen
 * without success is a proof, because here no plan is too long for any bound. */
static sb_verdict search_boldly(memory *m, bool is_hasty, sb_budget *budget) {
    static const struct {
        int haste;
        uint64_t states;
    } tries[] = {{0, 2000}, {1, 2000}, {2, 2000}, {4, 50000}};
    enum { TRIES = sizeof tries / sizeof *tries, HASTY = 3 };
    sb_verdict verdict = SB_NOT_FOUND;
    use_bound(&m->room, true);
    for (int i = is_hasty ? HASTY : 0; i < TRIES && verdict == SB_NOT_FOUND; i++) {
        m->room.haste = tries[i].haste;
        verdict = search_some(m, &m->start, 1, SB_SEARCH_COST_MAX, tries[i].states, budget);
    }
    m->room.haste = 0;
    return verdict;
}

/* Searches in rooms whose best plans take too long to find: boldly, and then a little while with the proven bound for a
 * shorter plan. */
static sb_verdict search_large(memory *m, const sb_episode *e, int max_cost, bool is_hasty, sb_budget *budget) {
    const bool was_cut = budget->is_cut;
    const sb_verdict verdict = search_boldly(m, is_hasty, budget);
    const int cost = verdict == SB_SOLVED ? sb_search_cost(m->search) : 0;
    budget->is_cut = was_cut;
    if (verdict == SB_IMPOSSIBLE) return verdict;
    if (verdict == SB_NOT_FOUND || cost > max_cost) return search(m, &m->start, max_cost, is_hasty, budget);
    sb_pushing_plan(&m->room.pushing, m->search, &m->start, &m->plan);
    budget->is_cut |= is_hasty;
    if (is_hasty) return verdict;
    use_bound(&m->room, false);
    if (search_some(m, &m->start, 1, cost - 1, CAREFUL_STATES, budget) != SB_SOLVED) return verdict;
    sb_plan_begin(&m->plan, e);
    sb_pushing_plan(&m->room.pushing, m->search, &m->start, &m->plan);
    return verdict;
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const sb_push_state before = m->start;
    const bool is_hasty = m->plan.is_begun && e->difficulty == SB_EXPERT; /* the agent has left the way of its plan */
    const int steps_left = e->max_steps - e->clock;
    read_room(&m->room, &m->start, e);
    const bool is_hopeless = sb_pushing_is_hopeless(&m->plan, &before, &m->start, e);
    sb_verdict verdict = is_hopeless ? m->plan.verdict : SB_IMPOSSIBLE;
    sb_plan_begin(&m->plan, e);
    if (!is_hopeless && e->task->bound(e) >= 0)
        verdict = e->difficulty == SB_EXPERT ? search_large(m, e, steps_left, is_hasty, budget)
                                             : search(m, &m->start, steps_left, false, budget);
    return m->plan.verdict = verdict;
}

/* ---- Acting ---- */

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e) && !sb_plan_mend(&m->plan, e)) make_plan(m, e, budget);
    sb_plan_explain_push(&m->plan, e, UINT32_C(1) << SB_BOX, intent);
    if (!sb_plan_next(&m->plan, e, action))
        sb_pushing_give_up(&m->room.pushing, &m->start, "box", "boxes", &m->plan, action, intent);
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    memory *m = memory_;
    m->plan.is_begun = false;
    return make_plan(m, sb_episode_of(env), budget);
}

const sb_oracle sb_sokoban_push_expert = {
    .family = "agentick",
    .task = "SokobanPush-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 7, /* all but expert: there the search may be cut */
    .plans = true,
    .memory = sizeof(memory),
    .begin = sb_plan_forget,
    .act = act,
    .judge = judge,
    .judge_relaxed = sb_sokoban_push_judge_relaxed,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *room_, const sb_episode *e, void *state) { read_room(room_, state, e); }

const sb_packed_rule sb_sokoban_push_rule = {
    .task = "SokobanPush-v0",
    .memory = sizeof(room),
    .state_size = sizeof(sb_push_state),
    .pack = pack,
    .pushes = true,
    .expand = sb_pushing_expand,
};
