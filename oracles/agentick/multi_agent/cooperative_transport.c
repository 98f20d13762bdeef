/* Expert and observer of CooperativeTransport: A* over single steps. The helper follows the rules, and even its random
 * moves depend only on the step counter. So the search plays the helper too, on states that hold everything that can
 * change.
 *
 * The bound takes the boxes one after the other, in the best order, each to its own hole: the walk to the box, and the
 * pushes with the walks around the box when they change direction. It ignores most of the waiting for the helper. It
 * also ignores that pushes of several boxes may alternate, which hardly ever helps. For one box the bound is proven;
 * for any number of boxes it is proven where it says that a box cannot reach a hole. With three and four boxes the
 * ignored waits make too many states look good. There the bound is first multiplied by more than 1, and then by less,
 * as long as that finds shorter plans.
 *
 * Where the agent has left its way, a plan in less time will do. While there are many boxes, it leads only to the next
 * delivery, and the steps from there are estimated. When it ends, another one follows.
 *
 * The order of the boxes decides which one the helper goes to, and is not visible. The observer knows it at the start
 * and tracks which box was pushed. */
#include "generators/agentick/multi_agent/cooperative_transport.h"

#include <string.h>

#include "base/search/search.h"
#include "engine/gridworld/search.h"
#include "oracles/agentick/multi_agent/cooperative_transport_relaxed.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/plan.h"

typedef sb_cooperative_transport_vars vars;

enum {
    BOXES = SB_COOPERATIVE_TRANSPORT_BOXES,
    ROW = 16, /* cells in a row of the largest room, without the border */
    CELLS = ROW * ROW,
    MAX_STEPS = 500,
    FAR = 10000, /* more steps than any episode has */
    PROSPECTS = 1 << 14,
    STATES = 1 << 18
};

/* The parameters of a search. A larger bound finds plans sooner, but they may not be the shortest. */
typedef struct effort {
    int percent, weight; /* the bound is multiplied by percent / 100; weight: as in sb_problem */
    uint32_t states;
} effort;

/* The first search that succeeds makes a plan, and the following ones must improve it. Those with a weight above 1 run
 * only while there is no plan. If the agent has left the way of its plan, the first plan to the next delivery is good
 * enough, or else the first plan. */
enum { EFFORTS = 4 };
static const effort efforts[SB_N_DIFFICULTIES][EFFORTS] = {
    {{100, 1, STATES}},
    {{100, 1, 100000}, {100, 2, STATES}, {90, 1, 5000}},
    {{140, 1, 50000}, {100, 2, STATES}, {115, 1, 10000}, {100, 1, 40000}},
    {{140, 1, 50000}, {100, 2, STATES}, {130, 1, 20000}, {115, 1, 30000}},
};
static const effort last_resort = {100, 4, STATES}, to_delivery = {110, 1, 20000};

/* With so few boxes left, everything is planned at once to the end: that takes a little longer, but loses no steps. */
static const int planned_whole[SB_N_DIFFICULTIES] = {1, 1, 2, 1};

/* Everything that can change. */
typedef struct packed_state {
    uint16_t clock;
    uint8_t agent, helper; /* cells */
    uint8_t filled;        /* bit j is set if hole j is filled */
    uint8_t n;             /* boxes that are left */
    uint8_t box[BOXES];    /* cells of the boxes in the order of the task's list; then 0 */
} packed_state;

/* The remaining steps, by the box with which the agent begins and the side of it on which the agent stands. */
typedef struct prospect {
    uint8_t filled, box[BOXES]; /* the part of the state that these steps depend on */
    bool is_known;
    int16_t steps[BOXES][4];
    int16_t least[BOXES]; /* fewest remaining steps if the agent begins with the box on any side */
} prospect;

typedef struct map {
    int height, n;              /* n: number of holes, and of boxes at the start */
    sb_area inside;             /* walkable cells and holes */
    sb_area floor;              /* what can be reached once all holes are filled */
    sb_area ground[1 << BOXES]; /* cells that are neither walls nor open holes, for each set of filled holes */
    sb_xy hole[BOXES];
    int16_t walks[CELLS][4][4]; /* fewest steps from one side of a box in this cell to another */
    bool is_cut[CELLS];         /* whether a box in this cell separates some of its sides from each other */
    /* steps to the hole, with a box in the cell and the agent on that side of the box */
    int16_t steps[BOXES][CELLS][4];
    /* 1 + the way that the helper takes at random, by clock and number of ways; 0: not computed yet */
    uint8_t whim[MAX_STEPS + 2][5];
    int percent; /* the bound is multiplied by percent / 100 */
    int until;   /* a search ends when so few boxes are left */
    prospect prospects[PROSPECTS];
} map;

typedef struct memory {
    sb_plan plan;
    bool is_hopeless; /* no plan was found, so the agent waits for the end */
    bool is_lost;     /* it is proven that no plan exists */
    map map;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(packed_state), STATES)];
} memory;

static sb_xy place(int cell) { return sb_at(1 + cell % ROW, 1 + cell / ROW); }
static uint8_t cell_of(sb_xy p) { return (uint8_t)((p.y - 1) * ROW + p.x - 1); }

/* ---- The helper ---- */

static sb_area open_to_helper(const map *m, const packed_state *s) {
    sb_area open = m->ground[s->filled];
    sb_area_set(&open, place(s->agent), false);
    for (int i = 0; i < s->n; i++) sb_area_set(&open, place(s->box[i]), false);
    return open;
}

/* Lists the open neighbours in the helper's order. Returns how many there are. */
static int list_open(const sb_area *open, sb_xy from, sb_xy list[4]) {
    int n = 0;
    for (int i = 0; i < 4; i++) {
        const sb_xy to = sb_beside(from, sb_ewsn[i]);
        if (sb_area_has(open, to)) list[n++] = to;
    }
    return n;
}

static sb_xy wander(map *m, const sb_area *open, sb_xy from, int clock) {
    sb_xy ways[4];
    const int n = list_open(open, from, ways);
    uint8_t *whim = &m->whim[clock][n];
    if (n == 0) return from;
    if (*whim == 0) *whim = (uint8_t)(1 + sb_cooperative_transport_whim(clock, n, NULL));
    return ways[*whim - 1];
}

/* Like the task's rule, except that no box is ever under the helper here. False if there is no room beside the box. */
static bool follow(const map *m, const sb_area *open, sb_xy agent, sb_xy box, sb_xy *helper) {
    const sb_xy from = *helper, ideal = sb_at(2 * box.x - agent.x, 2 * box.y - agent.y);
    sb_xy station[5] = {ideal}, ways[4];
    const int has_ideal = sb_area_has(open, ideal), n = has_ideal + list_open(open, box, station + has_ideal);
    for (int k = 0; k < n; k++) {
        if (sb_same(station[k], from)) return true;
        const sb_direction d = sb_area_lead(open, m->height, from, station[k]);
        if (d == SB_NOWHERE) continue;
        *helper = sb_beside(from, d);
        return true;
    }
    for (int i = list_open(open, from, ways) - 1; n > 0 && i >= 0; i--)
        if (sb_manhattan(ways[i], station[0]) < sb_manhattan(from, station[0])) *helper = ways[i];
    return n > 0;
}

static void move_helper(map *m, packed_state *s) {
    const sb_area open = open_to_helper(m, s);
    const sb_xy agent = place(s->agent);
    sb_xy helper = place(s->helper);
    int i = 0;
    while (i < s->n && sb_manhattan(agent, place(s->box[i])) != 1) i++;
    if (i == s->n || !follow(m, &open, agent, place(s->box[i]), &helper)) helper = wander(m, &open, helper, s->clock);
    s->helper = cell_of(helper);
}

/* ---- Moves ---- */

static int box_at(const packed_state *s, uint8_t cell) {
    for (int i = 0; i < s->n; i++)
        if (s->box[i] == cell) return i;
    return -1;
}

static int open_hole_at(const map *m, const packed_state *s, sb_xy p) {
    for (int j = 0; j < m->n; j++)
        if (!(s->filled >> j & 1) && sb_same(m->hole[j], p)) return j;
    return -1;
}

static void deliver(packed_state *s, int box, int hole) {
    s->filled |= (uint8_t)(1u << hole);
    for (int i = box; i + 1 < s->n; i++) s->box[i] = s->box[i + 1];
    s->box[--s->n] = 0;
}

static bool push(const map *m, packed_state *s, int box, sb_direction d) {
    const sb_xy from = place(s->box[box]), to = sb_beside(from, d), helper = place(s->helper);
    const int hole = open_hole_at(m, s, to);
    if (sb_manhattan(helper, from) != 1) return false;
    if (hole >= 0) {
        deliver(s, box, hole);
        return true;
    }
    if (!sb_area_has(&m->ground[s->filled], to) || box_at(s, cell_of(to)) >= 0) return false;
    if (sb_same(to, helper)) {
        const sb_area open = open_to_helper(m, s);
        sb_xy aside[4];
        if (list_open(&open, to, aside) > 0) s->helper = cell_of(aside[0]);
    }
    s->box[box] = cell_of(to);
    return true;
}

/* Plays a step. False if the action has no effect, or if a box ends under the helper, where it is lost. */
static bool play(map *m, packed_state *s, sb_action action) {
    s->clock++;
    if (action != SB_NOOP) {
        const sb_direction d = sb_direction_of(action);
        const sb_xy to = sb_beside(place(s->agent), d);
        if (!sb_area_has(&m->ground[s->filled], to)) return false;
        const int box = box_at(s, cell_of(to));
        if (box >= 0 && !push(m, s, box, d)) return false;
        s->agent = cell_of(to);
    }
    move_helper(m, s);
    return box_at(s, s->helper) < 0;
}

/* ---- The bound ---- */

/* Returns the steps from one side of a box to another. Between opposite sides the box is in the way: walks through a
 * side in between are sums of two entries, and other walks are longer. */
static int walk_around(const map *m, sb_xy box, sb_direction side, sb_direction other) {
    const sb_xy from = sb_beside(box, side);
    const bool is_corner = (side + other) % 2;
    sb_area open = m->floor;
    if (is_corner && sb_area_has(&open, sb_beside(from, other))) return 2;
    sb_area_set(&open, box, false);
    if (!sb_area_connects(&open, m->height, from, sb_beside(box, other))) return FAR;
    return is_corner ? 4 : 6;
}

static void draw_walks(map *m) {
    memset(m->is_cut, 0, sizeof m->is_cut);
    for (int cell = 0; cell < CELLS; cell++)
        for (sb_direction side = SB_NORTH; side < SB_NOWHERE; side++)
            for (sb_direction other = SB_NORTH; other < side; other++) {
                const sb_xy box = place(cell);
                const bool is_open = sb_area_has(&m->floor, sb_beside(box, side)) &&
                                     sb_area_has(&m->floor, sb_beside(box, other));
                const int steps = is_open ? walk_around(m, box, side, other) : FAR;
                m->walks[cell][side][other] = m->walks[cell][other][side] = (int16_t)steps;
                m->is_cut[cell] |= is_open && steps == FAR;
            }
}

/* Improves the steps for a cell: the next push is straight ahead, or from another side. Returns whether any became
 * smaller. */
static bool refine(map *m, int j, int cell) {
    int16_t *steps = m->steps[j][cell];
    bool refined = false;
    for (sb_direction side = SB_NORTH; side < SB_NOWHERE; side++) {
        const sb_xy to = sb_beside(place(cell), (side + 2) % 4);
        int least = FAR;
        if (!sb_area_has(&m->floor, sb_beside(place(cell), side))) continue;
        for (sb_direction other = SB_NORTH; other < SB_NOWHERE; other++) {
            const int turned = other == side ? FAR : m->walks[cell][side][other] + steps[other];
            if (turned < least) least = turned;
        }
        if (sb_same(to, m->hole[j]))
            least = 1;
        else if (sb_area_has(&m->floor, to) && m->steps[j][cell_of(to)][side] + 1 < least)
            least = m->steps[j][cell_of(to)][side] + 1;
        if (least >= steps[side]) continue;
        steps[side] = (int16_t)least;
        refined = true;
    }
    return refined;
}

/* Computes the steps to hole j. Other holes count as floor, because they may be filled by then. */
static void draw_steps(map *m, int j) {
    for (int i = 0; i < CELLS * 4; i++) m->steps[j][i / 4][i % 4] = FAR;
    for (bool refined = true; refined;) {
        refined = false;
        for (int k = 0; k < 2 * CELLS; k++) {
            const int cell = k < CELLS ? k : 2 * CELLS - 1 - k;
            if (sb_area_has(&m->floor, place(cell))) refined |= refine(m, j, cell);
        }
    }
}

/* Returns a lower bound on the steps to a side of the box, around the box if it is in between. */
static int walk(sb_xy from, sb_xy box, sb_direction side) {
    const sb_xy to = sb_beside(box, side);
    const bool is_behind = from.x == to.x ? to.x == box.x && (from.y < box.y) == (box.y < to.y)
                                          : from.y == to.y && to.y == box.y && (from.x < box.x) == (box.x < to.x);
    return sb_manhattan(from, to) + 2 * is_behind;
}

/* Steps from beside hole j to box k and with it to another hole. */
typedef int16_t legs[BOXES][BOXES][BOXES];

static void measure_legs(const map *m, const packed_state *s, legs leg) {
    for (int j = 0; j < m->n; j++)
        for (int k = 0; k < s->n; k++)
            for (int to = 0; to < m->n; to++) {
                leg[j][k][to] = FAR;
                for (sb_direction side = SB_NORTH; side < SB_NOWHERE; side++) {
                    const int steps = walk(m->hole[j], place(s->box[k]), side) - 1 + m->steps[to][s->box[k]][side];
                    if (steps < leg[j][k][to]) leg[j][k][to] = (int16_t)steps;
                }
            }
}

/* Returns the fewest steps, from beside hole j, to bring a set of boxes to a set of holes. */
static int finish(const map *m, legs leg, int j, unsigned boxes, unsigned holes) {
    int least = boxes ? FAR : 0;
    for (int k = 0; boxes >> k; k++)
        for (int to = 0; boxes >> k & 1 && holes >> to; to++) {
            if (!(holes >> to & 1) || leg[j][k][to] >= least) continue;
            const int steps = leg[j][k][to] + finish(m, leg, to, boxes & ~(1u << k), holes & ~(1u << to));
            if (steps < least) least = steps;
        }
    return least;
}

/* Tells whether some boxes block each other so that none of them can move first: whatever the other boxes do, each has
 * a wall or another of these boxes on one side in each axis. */
static bool is_stuck(const map *m, const packed_state *s) {
    sb_area open = m->floor;
    unsigned stuck = (1u << s->n) - 1, before = 0;
    for (int i = 0; i < s->n; i++) sb_area_set(&open, place(s->box[i]), false);
    while (stuck != before) {
        before = stuck;
        for (int i = 0; i < s->n; i++) {
            const sb_xy p = place(s->box[i]);
            const bool in_row = sb_area_has(&open, sb_beside(p, SB_WEST)) && sb_area_has(&open, sb_beside(p, SB_EAST));
            const bool in_column = sb_area_has(&open, sb_beside(p, SB_NORTH)) &&
                                   sb_area_has(&open, sb_beside(p, SB_SOUTH));
            if (!in_row && !in_column) continue;
            sb_area_add(&open, p);
            stuck &= ~(1u << i);
        }
    }
    return stuck;
}

static void measure_prospect(const map *m, const packed_state *s, prospect *p) {
    const unsigned boxes = (1u << s->n) - 1, holes = ((1u << m->n) - 1) & ~(unsigned)s->filled;
    legs leg;
    measure_legs(m, s, leg);
    for (int k = 0; k < BOXES * 4; k++) p->steps[k / 4][k % 4] = FAR;
    for (int k = 0; k < s->n && !is_stuck(m, s); k++)
        for (int j = 0; holes >> j; j++) {
            if (!(holes >> j & 1)) continue;
            const int then = finish(m, leg, j, boxes & ~(1u << k), holes & ~(1u << j));
            for (int side = 0; side < 4; side++) {
                const int steps = m->steps[j][s->box[k]][side] + then;
                if (steps < p->steps[k][side]) p->steps[k][side] = (int16_t)steps;
            }
        }
    for (int k = 0; k < BOXES; k++) {
        p->least[k] = FAR;
        for (int side = 0; side < 4; side++)
            if (p->steps[k][side] < p->least[k]) p->least[k] = p->steps[k][side];
    }
}

static const prospect *prospect_of(map *m, const packed_state *s) {
    uint32_t hash = s->filled;
    for (int i = 0; i < BOXES; i++) hash = (hash ^ s->box[i]) * UINT32_C(0x9e3779b1);
    prospect *p = &m->prospects[hash / (UINT32_MAX / PROSPECTS + 1)];
    if (p->is_known && p->filled == s->filled && memcmp(p->box, s->box, sizeof p->box) == 0) return p;
    p->is_known = true, p->filled = s->filled;
    memcpy(p->box, s->box, sizeof p->box);
    measure_prospect(m, s, p);
    return p;
}

/* Tells whether the agent can get to that side before the box is pushed. */
static bool can_reach(const map *m, sb_xy agent, int cell, sb_direction side) {
    if (!m->is_cut[cell]) return true;
    sb_area open = m->floor;
    sb_area_set(&open, place(cell), false);
    return sb_area_connects(&open, m->height, agent, sb_beside(place(cell), side));
}

/* Returns the fewest steps if the agent begins with this box, or FAR. The first push also waits for the helper, which
 * moves one cell per step. after: the share of its way, in percent, that it goes when the agent has come to the box; 0:
 * both go at the same time. */
static int begin_with(const map *m, const packed_state *s, const prospect *p, int k, int after) {
    const sb_xy agent = place(s->agent), box = place(s->box[k]);
    const int come = sb_manhattan(place(s->helper), box) - 1;
    int least = FAR;
    for (sb_direction side = SB_NORTH; side < SB_NOWHERE; side++) {
        if (p->steps[k][side] >= FAR || !can_reach(m, agent, s->box[k], side)) continue;
        const int go = walk(agent, box, side), late = go + come * after / 100, most = go > come ? go : come;
        const int steps = p->steps[k][side] + (after ? late : most);
        if (steps < least) least = steps;
    }
    return least;
}

/* Returns the steps with the best box first. Every box has to be pushed at some time from a side that can be reached
 * now; if not, returns -1. A box that cannot be the best one is not looked at more closely. */
static int measure(map *m, const packed_state *s, int after) {
    const prospect *p = prospect_of(m, s);
    int least = FAR;
    for (int k = 0; k < s->n; k++) {
        const int go = sb_manhattan(place(s->agent), place(s->box[k])) - 1;
        if (p->least[k] < FAR && p->least[k] + go >= least && !m->is_cut[s->box[k]]) continue;
        const int with = begin_with(m, s, p, k, after);
        if (with == FAR) return -1;
        if (with < least) least = with;
    }
    return least * m->percent / 100;
}

static int bound(void *context, const void *state) { return measure(context, state, 0); }

/* ---- Moves of the search ---- */

/* Returns about how many steps there are from a delivery to the end; -1 if there is no way. The helper comes only when
 * the agent stands beside a box, so most of its way comes after the agent's. */
static int estimate(map *m, const packed_state *s) { return s->n > 0 ? measure(m, s, 70) : 0; }

static void expand(void *context, const void *state, sb_search *search) {
    map *m = context;
    for (sb_action action = SB_NOOP; action <= SB_MOVE_RIGHT; action++) {
        packed_state s = *(const packed_state *)state;
        if (!play(m, &s, action)) continue;
        const bool is_goal = s.n <= m->until;
        const int rest = is_goal ? estimate(m, &s) : 0;
        if (rest >= 0) sb_search_add(search, &s, (uint32_t)action, 1 + rest, is_goal);
    }
}

/* ---- Planning ---- */

/* Draws the map, unless the one of an earlier plan is still right. */
static void draw_map(map *m, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_area open = {0};
    sb_area_walkable(&open, e);
    for (int j = 0; j < v->n; j++) sb_area_add(&open, v->hole[j]);
    if (m->height == e->height && m->n == v->n && memcmp(m->hole, v->hole, sizeof m->hole) == 0 &&
        memcmp(&m->inside, &open, sizeof open) == 0 && sb_area_has(&m->floor, e->agent.at))
        return;
    m->height = e->height, m->n = v->n, m->inside = open;
    memcpy(m->hole, v->hole, sizeof m->hole);
    sb_area_flood(&m->floor, &open, e->height, e->agent.at);
    for (int filled = 0; filled < 1 << v->n; filled++) {
        m->ground[filled] = open;
        for (int j = 0; j < v->n; j++) sb_area_set(&m->ground[filled], v->hole[j], filled >> j & 1);
    }
    draw_walks(m);
    for (int j = 0; j < v->n; j++) draw_steps(m, j);
    for (int i = 0; i < PROSPECTS; i++) m->prospects[i].is_known = false;
}

static packed_state state_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    packed_state s = {.clock = (uint16_t)e->clock, .agent = cell_of(e->agent.at), .helper = cell_of(v->helper)};
    for (int j = 0; j < v->n; j++) s.filled |= (uint8_t)((sb_peek(e, v->hole[j])->terrain == SB_EMPTY) << j);
    for (int i = 0; i < v->n_left; i++) s.box[s.n++] = cell_of(v->box[i]);
    return s;
}

/* Runs one search; returns whether it found a plan that is shorter than the one in memory, if there is any. */
static bool attempt(memory *m, const sb_episode *e, const effort *how, sb_budget *budget) {
    const packed_state start = state_of(e);
    const sb_problem problem = {.state_size = sizeof start,
                                .expand = expand,
                                .bound = bound,
                                .context = &m->map,
                                .weight = how->weight,
                                .max_cost = m->plan.n > 0 ? m->plan.n - 1 : e->max_steps - e->clock};
    uint32_t moves[SB_PLAN_MAX];
    sb_budget share = *budget;
    if (share.limit - share.spent > how->states) share.limit = share.spent + how->states;
    m->map.percent = how->percent;
    m->map.until = how == &to_delivery && start.n > planned_whole[e->difficulty] ? start.n - 1 : 0;
    const bool is_solved = sb_search_run(m->search, STATES, &problem, &start, &share) == SB_SOLVED;
    budget->spent = share.spent, budget->is_cut = share.is_cut;
    if (!is_solved) return false;
    const int n = sb_search_plan(m->search, moves, SB_PLAN_MAX);
    sb_plan_begin(&m->plan, e);
    for (int i = 0; i < n; i++) sb_plan_add(&m->plan, (sb_action)moves[i]);
    return true;
}

/* Tells whether a box is lost, by itself or together with others. If the tables of single boxes tell, their entries
 * count as states. */
static bool is_lost(memory *m, const sb_episode *e, sb_budget *budget) {
    const packed_state start = state_of(e);
    if (e->task->bound(e) < 0) return true;
    if (bound(&m->map, &start) >= 0) return false;
    budget->spent += (uint64_t)(4 * m->map.n * sb_area_count(&m->map.floor, m->map.height));
    return true;
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const bool has_left_its_way = m->plan.is_begun;
    draw_map(&m->map, e);
    sb_plan_begin(&m->plan, e);
    m->is_hopeless = false;
    m->is_lost = is_lost(m, e, budget);
    if (has_left_its_way && !m->is_lost) attempt(m, e, &to_delivery, budget);
    for (int i = 0; i < EFFORTS && !m->is_lost; i++) {
        const effort *how = &efforts[e->difficulty][i];
        if (has_left_its_way && m->plan.n > 0) break;
        if (how->weight > 1 ? m->plan.n == 0 : how->states > 0) attempt(m, e, how, budget);
    }
    if (m->is_lost || (m->plan.n == 0 && !attempt(m, e, &last_resort, budget))) {
        m->is_hopeless = true;
        for (int clock = e->clock; clock < e->max_steps; clock++) sb_plan_add(&m->plan, SB_NOOP);
    }
    return m->is_lost ? SB_IMPOSSIBLE : m->is_hopeless ? SB_NOT_FOUND : SB_SOLVED;
}

/* ---- Acting ---- */

static void explain(const sb_plan *plan, const sb_episode *e, sb_intent *intent) {
    const vars *v = SB_VARS(e);
    if (plan->actions[plan->next] == SB_NOOP)
        sb_intend(intent, "wait for", "helper", v->helper);
    else
        sb_plan_explain_push(plan, e, UINT32_C(1) << SB_BOX, intent);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(&m->plan, e, intent);
    sb_plan_next(&m->plan, e, action);
    if (m->is_hopeless) sb_give_up(intent, m->is_lost ? "a box is lost" : "no solution was found");
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    memory *m = memory_;
    m->plan.is_begun = false;
    return make_plan(m, sb_episode_of(env), budget);
}

const sb_oracle sb_cooperative_transport_expert = {
    .family = "agentick",
    .task = "CooperativeTransport-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 1,
    .plans = true,
    .memory = sizeof(memory),
    .begin = sb_plan_forget,
    .act = act,
    .judge = judge,
    .judge_relaxed = sb_cooperative_transport_judge_relaxed,
};

/* ---- The observer ---- */

typedef struct observer {
    bool has_begun;
    int n;
    sb_xy box[BOXES]; /* cells of the boxes in the order of the task's variables */
    memory expert;
} observer;

/* If the agent stands on the cell of a box, it has just pushed that box. Without having watched, only the visible boxes
 * are known. */
static void keep_count(observer *o, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int i = 0;
    if (!o->has_begun) {
        o->has_begun = true, o->n = v->n_left;
        memcpy(o->box, e->clock == 0 ? v->placed : v->box, sizeof o->box);
    }
    while (i < o->n && !sb_same(o->box[i], e->agent.at)) i++;
    if (i == o->n) return;
    if (o->n == v->n_left) {
        o->box[i] = sb_beside(o->box[i], (sb_direction)e->agent.facing);
        return;
    }
    for (o->n--; i < o->n; i++) o->box[i] = o->box[i + 1];
    o->box[o->n] = sb_at(0, 0);
}

static void observe(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                    sb_intent *intent) {
    observer *o = memory;
    sb_belief belief;
    vars *v = SB_VARS(sb_believe(&belief, observation));
    keep_count(o, &belief.episode);
    memcpy(v->box, o->box, sizeof v->box);
    sb_act_on_belief(&belief, &sb_cooperative_transport_expert, &o->expert, budget, action, intent);
}

/* Whether every visible box is one of those that are known. */
static bool accounts_for_boxes(const observer *o, const sb_episode *e) {
    int n_known = 0, n_visible = 0;
    for (int i = 0; i < o->n; i++) n_known += sb_peek(e, o->box[i])->object == SB_BOX;
    for (int i = 0; i < sb_n_cells(e); i++) n_visible += e->cells[i].object == SB_BOX;
    return n_known == n_visible;
}

/* An agent on the cell of an invisible box has not pushed it, so the count may be lost. */
static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    const observer *o = memory;
    sb_episode *e = env->state;
    vars *v = SB_VARS(e);
    if (accounts_for_boxes(o, e) && o->n == v->n_left)
        memcpy(v->box, o->box, sizeof v->box);
    else
        sb_shuffle_xy(rng, v->box, (size_t)v->n_left);
}

static bool begin_to_observe(void *memory, const sb_env *env, sb_budget *budget, sb_error *error) {
    return sb_plan_forget(&((observer *)memory)->expert, env, budget, error);
}

const sb_oracle sb_cooperative_transport_observer = {
    .family = "agentick",
    .task = "CooperativeTransport-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .begin = begin_to_observe,
    .remembers = offsetof(observer, expert),
    .memory = sizeof(observer),
    .act = observe,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *map_, const sb_episode *e, void *state) {
    draw_map(map_, e);
    *(packed_state *)state = state_of(e);
}

/* A box that ends under the helper is lost. */
static bool leaves_out(const void *map_, const void *state, const sb_episode *e) {
    (void)map_, (void)e;
    const packed_state *s = state;
    return box_at(s, s->helper) >= 0;
}

const sb_packed_rule sb_cooperative_transport_rule = {
    .task = "CooperativeTransport-v0",
    .memory = sizeof(map),
    .state_size = sizeof(packed_state),
    .pack = pack,
    .expand = expand,
    .leaves_out = leaves_out,
};
