/* The expert of SokobanPush: A* over pushes. What can change is the cells of the free boxes, which targets are covered,
 * and the agent's cell. A push and the walk to it are one move, which costs the steps of both.
 *
 * The bound makes it fast. Draw a line between every two columns and every two rows: each step of the agent crosses one
 * line. A box that has to get from column 3 to column 6 is pushed over three lines eastwards, whatever else happens,
 * and the agent has to cross a line to the west before it can cross it to the east again. So the pushes that are needed
 * in both directions, the places that the agent has to visit and the places where it may end give the fewest crossings
 * of every line. This bound ignores walls and other boxes. A second bound, the fewest pushes of each box alone, counts
 * the walls. Both are computed for every matching of boxes with targets.
 *
 * With up to three boxes the search always finishes: the plan is the shortest, or there is none. With four it nearly
 * always does; else the plan may be longer. */
#include "generators/agentick/planning/sokoban_push.h"

#include <string.h>

#include "engine/gridworld/search.h"
#include "oracles/agentick/packed.h"
#include "oracles/agentick/planning/sokoban_push_relaxed.h"
#include "oracles/kits/mend.h"
#include "oracles/kits/plan.h"
#include "search/search.h"

enum {
    MAX_BOXES = SB_SOKOBAN_PUSH_BOXES,
    CELLS = SB_SOKOBAN_PUSH_CELLS,
    FAR = SB_SOKOBAN_PUSH_NEVER,
    STATES = 5000000
};

typedef struct packed_state {
    uint8_t agent;          /* a cell */
    uint8_t covered;        /* bit t for target t */
    uint8_t box[MAX_BOXES]; /* cells of the free boxes, descending; then 0 */
} packed_state;

/* Sets of lines: bit x is the line between columns x and x + 1, bit 16 + y the line between rows y and y + 1. */
typedef uint32_t lines;

/* What every way of a box to a target needs. */
typedef struct needs {
    uint64_t pushed; /* lines that the agent crosses while pushing: eastwards and southwards in the lower half (forth),
                        westwards and northwards in the upper half (back) */
    lines before, beyond; /* it has to be west or north of `before` at some time, and east or south of `beyond` */
} needs;

typedef struct map {
    int n_targets, n_ends[MAX_BOXES];
    int step[4]; /* change of a cell's index for each direction */
    bool floor[CELLS];
    int8_t target_at[CELLS];   /* -1: none */
    lines passed[CELLS];       /* the lines west and north of the cell */
    uint8_t end[MAX_BOXES][4]; /* where the agent may be after the push onto the target */
    int16_t pushes[MAX_BOXES][CELLS];
    needs needs[MAX_BOXES][CELLS];
} map;

typedef struct memory {
    sb_plan plan; /* has no actions if no plan was found for the expected state */
    map map;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(packed_state), STATES)];
} memory;

/* ---- The map ---- */

/* Returns the needs of one push of a box. The push ends with the agent where the box was. */
static needs needs_of_push(const map *m, int box, sb_direction d) {
    const lines from = m->passed[box - m->step[d]], to = m->passed[box];
    return (needs){(uint64_t)(from & ~to) << 32 | (to & ~from), ~(from & to), from | to};
}

/* Computes what all pushes that lead on have in common, together with what follows them. Returns whether the needs of
 * this cell changed. */
static bool refine(map *m, int target, int box) {
    needs *known = &m->needs[target][box], left = {~(uint64_t)0, ~(lines)0, ~(lines)0};
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const int to = box + m->step[d];
        const bool arrives = m->target_at[to] == target;
        if (!m->floor[box - m->step[d]] || (!arrives && m->pushes[target][to] == FAR)) continue;
        const needs first = needs_of_push(m, box, d), then = arrives ? (needs){0} : m->needs[target][to];
        left.pushed &= first.pushed | then.pushed;
        left.before &= first.before | then.before;
        left.beyond &= first.beyond | then.beyond;
    }
    if (left.pushed == known->pushed && left.before == known->before && left.beyond == known->beyond) return false;
    *known = left;
    return true;
}

/* Starts with the assumption that everything is needed, and refines it back and forth over the cells until nothing
 * changes. */
static void draw_needs(map *m, int target, int n_cells) {
    for (int i = 0; i < n_cells; i++) m->needs[target][i] = (needs){~(uint64_t)0, ~(lines)0, ~(lines)0};
    for (bool refined = true; refined;) {
        refined = false;
        for (int k = 0; k < 2 * n_cells; k++) {
            const int box = k < n_cells ? k : 2 * n_cells - 1 - k;
            if (m->pushes[target][box] != FAR) refined |= refine(m, target, box);
        }
    }
}

static void draw_pushes(map *m, const sb_sokoban_push_alone *alone, int target, int n_cells) {
    m->n_ends[target] = 0;
    for (int i = 0; i < n_cells; i++) {
        int16_t *least = &m->pushes[target][i];
        *least = FAR;
        for (int side = 0; side < 4; side++)
            if (alone->pushes[target][i][side] < *least) *least = alone->pushes[target][i][side];
        if (*least == 1) m->end[target][m->n_ends[target]++] = (uint8_t)i;
    }
}

static void draw_map(map *m, const sb_episode *e) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    const int n_cells = sb_n_cells(e);
    sb_sokoban_push_alone alone;
    sb_sokoban_push_measure(&alone, e);
    m->n_targets = v->n;
    memset(m->target_at, -1, sizeof m->target_at);
    for (int t = 0; t < v->n; t++) m->target_at[sb_index(e, v->target[t])] = (int8_t)t;
    sb_index_steps(e, m->step);
    for (int i = 0; i < n_cells; i++) {
        const sb_xy p = sb_xy_of(e, i);
        m->floor[i] = sb_area_has(&alone.floor, p);
        m->passed[i] = ((1u << p.x) - 1) | ((1u << p.y) - 1) << 16;
    }
    for (int t = 0; t < v->n; t++) {
        draw_pushes(m, &alone, t, n_cells);
        draw_needs(m, t, n_cells);
    }
}

/* ---- The bound ---- */

static int count(lines set) {
    set -= set >> 1 & 0x55555555;
    set = (set & 0x33333333) + (set >> 2 & 0x33333333);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24);
}

/* The needs of several boxes together: pushed[k] are the lines over which more than k of them are pushed. */
typedef struct tally {
    uint64_t pushed[MAX_BOXES];
    lines before, beyond;
} tally;

static void add(tally *sum, const needs *more) {
    for (int k = MAX_BOXES - 1; k > 0; k--) sum->pushed[k] |= sum->pushed[k - 1] & more->pushed;
    sum->pushed[0] |= more->pushed;
    sum->before |= more->before, sum->beyond |= more->beyond;
}

/* What all matchings of one state have in common. */
typedef struct question {
    const map *map;
    const packed_state *s;
    lines behind; /* lines that the agent can at first only cross backwards (to the west or north) */
    int n_ends, least;
    struct {
        lines between; /* lines between the end and the agent */
        int distance;
    } end[4 * MAX_BOXES];
} question;

static void add_ends(question *q, int target) {
    for (int i = 0; i < q->map->n_ends[target]; i++) {
        const lines between = q->behind ^ q->map->passed[q->map->end[target][i]];
        q->end[q->n_ends].between = between;
        q->end[q->n_ends++].distance = count(between);
    }
}

/* Returns the fewest steps of an agent that crosses the lines as often as necessary, or FAR if they are not fewer than
 * q->least.
 *
 * For one line, let e be the number of boxes pushed in the direction in which the agent can cross it first, and w the
 * number of boxes pushed in the other direction. If the agent ends on the side where it is now, it crosses the line 2
 * max(e, w) times, or twice if it only has to visit the other side. Otherwise it crosses 2 max(e, w + 1) - 1 times: one
 * less than before if e > w or it only visits, and one more in all other cases. */
static int fewest_crossings(const question *q, const tally *sum) {
    const lines visited = (sum->beyond & ~q->behind) | (sum->before & q->behind);
    lines is_less = visited & ~(lines)(sum->pushed[0] | sum->pushed[0] >> 32);
    int returning = 2 * count(is_less), change = 0;
    for (int k = 0; k < MAX_BOXES; k++) {
        const lines forth = (lines)sum->pushed[k], back = (lines)(sum->pushed[k] >> 32);
        returning += 2 * count(forth | back);
        is_less |= (forth & ~back & ~q->behind) | (back & ~forth & q->behind);
    }
    if (returning - count(is_less) >= q->least) return FAR;
    for (int i = 0; i < q->n_ends; i++) {
        const int here = q->end[i].distance - 2 * count(q->end[i].between & is_less);
        if (i == 0 || here < change) change = here;
    }
    return returning + change;
}

/* Assigns the boxes from the i-th on to targets in `open`, in all ways; lowers q->least. */
static void match(question *q, int i, unsigned open, int pushes, const tally *sum) {
    if (pushes >= q->least) return;
    if (i == MAX_BOXES || q->s->box[i] == 0) {
        const int crossings = fewest_crossings(q, sum), steps = crossings > pushes ? crossings : pushes;
        if (steps < q->least) q->least = steps;
        return;
    }
    const int box = q->s->box[i];
    for (int t = 0; t < q->map->n_targets; t++) {
        if (!(open >> t & 1) || q->map->pushes[t][box] == FAR) continue;
        tally with = *sum;
        add(&with, &q->map->needs[t][box]);
        match(q, i + 1, open & ~(1u << t), pushes + q->map->pushes[t][box], &with);
    }
}

static int bound(void *context, const void *state) {
    const packed_state *s = state;
    const tally nothing = {0};
    question q = {.map = context, .s = s, .least = FAR};
    q.behind = q.map->passed[s->agent];
    for (int t = 0; t < q.map->n_targets; t++)
        if (!(s->covered >> t & 1)) add_ends(&q, t);
    match(&q, 0, ~(unsigned)s->covered, 0, &nothing);
    return q.least < FAR ? q.least : -1;
}

/* ---- Moves ---- */

static void swap(uint8_t *a, uint8_t *b) {
    const uint8_t kept = *a;
    *a = *b, *b = kept;
}

/* Returns the state after the box in a cell was pushed to the next cell. */
static packed_state pushed(const map *m, const packed_state *before, int from, int to) {
    packed_state s = *before;
    int i = 0;
    s.agent = (uint8_t)from;
    if (!m->floor[to]) s.covered |= (uint8_t)(1u << m->target_at[to]);
    while (s.box[i] != from) i++;
    s.box[i] = m->floor[to] ? (uint8_t)to : 0;
    for (; i > 0 && s.box[i] > s.box[i - 1]; i--) swap(&s.box[i], &s.box[i - 1]);
    for (; i + 1 < MAX_BOXES && s.box[i] < s.box[i + 1]; i++) swap(&s.box[i], &s.box[i + 1]);
    return s;
}

/* Encodes a move: the push of the box in a cell in a direction, with the walk to it. */
static uint32_t move_of(int box, sb_direction d) { return (uint32_t)box << 2 | (uint32_t)d; }

enum { CLOSED, OPEN, BOXED }; /* the contents of cells; `floor` uses the first two */

static bool may_lie(const map *m, const packed_state *s, const uint8_t *ground, int cell) {
    const int t = m->target_at[cell];
    return (m->floor[cell] && ground[cell] != BOXED) || (t >= 0 && !(s->covered >> t & 1));
}

/* Walks to every cell that can be reached, breadth-first, and pushes every box on the way. */
static void expand(void *context, const void *state, sb_search *search) {
    const map *m = context;
    const packed_state *s = state;
    uint8_t ground[CELLS], queue[CELLS], steps[CELLS]; /* steps: to the cell, plus one */
    int n = 0;
    memcpy(ground, m->floor, sizeof ground);
    for (int i = 0; i < MAX_BOXES && s->box[i]; i++) ground[s->box[i]] = BOXED;
    queue[n++] = s->agent, steps[s->agent] = 1, ground[s->agent] = CLOSED;
    for (int i = 0; i < n; i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const int from = queue[i], to = from + m->step[d], beyond = to + m->step[d];
            if (ground[to] == CLOSED) continue;
            if (ground[to] == OPEN) {
                ground[to] = CLOSED, steps[to] = (uint8_t)(steps[from] + 1);
                queue[n++] = (uint8_t)to;
            } else if (may_lie(m, s, ground, beyond)) {
                const packed_state next = pushed(m, s, to, beyond);
                sb_search_add(search, &next, move_of(to, d), steps[from], next.covered + 1 == 1 << m->n_targets);
            }
        }
}

/* ---- Planning ---- */

static packed_state state_of(const sb_episode *e) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    packed_state s = {.agent = (uint8_t)sb_index(e, e->agent.at)};
    for (int t = 0; t < v->n; t++) s.covered |= (uint8_t)((sb_peek(e, v->target[t])->object == SB_BOX) << t);
    for (int i = v->n - 1, n = 0; i >= 0; i--)
        if (sb_peek(e, v->box[i])->terrain == SB_EMPTY) s.box[n++] = (uint8_t)sb_index(e, v->box[i]);
    return s;
}

static void add_walk(sb_plan *plan, const sb_episode *e, const sb_open *open, sb_xy from, sb_xy to) {
    sb_reach reach;
    sb_xy path[SB_CELLS_MAX];
    sb_action actions[SB_CELLS_MAX];
    sb_reach_goal(&reach, e, open, from, to, sb_nesw);
    const int n = sb_chain(&reach, e, to, path);
    sb_positions_to_actions(path, (size_t)n, actions, SB_CELLS_MAX);
    for (int i = 0; i + 1 < n; i++) sb_plan_add(plan, actions[i]);
}

static void write_plan(memory *m, const sb_episode *e) {
    uint32_t moves[SB_PLAN_MAX];
    sb_open open; /* where the agent can walk */
    sb_xy at = e->agent.at;
    const int n = sb_search_plan(m->search, moves, SB_PLAN_MAX);
    for (int i = 0; i < sb_n_cells(e); i++)
        open.cell[i] = e->cells[i].terrain == SB_EMPTY && e->cells[i].object != SB_BOX;
    for (int i = 0; i < n; i++) {
        const sb_direction ahead = (sb_direction)(moves[i] & 3);
        const sb_xy box = sb_xy_of(e, (int)(moves[i] >> 2));
        add_walk(&m->plan, e, &open, at, sb_beside(box, (ahead + 2) % 4));
        sb_plan_add(&m->plan, sb_move_of(ahead));
        open.cell[sb_index(e, box)] = true;
        open.cell[sb_index(e, sb_beside(box, ahead))] = false;
        at = box;
    }
}

/* Searches with growing weights, each search with a part of the budget that is left. A higher weight finds a plan
 * sooner, but the plan may be longer. */
static sb_verdict search(memory *m, const sb_episode *e, bool is_hasty, sb_budget *budget) {
    enum { MAX_WEIGHT = 5, HASTE = 2 };
    const packed_state start = state_of(e);
    sb_verdict verdict = SB_NOT_FOUND;
    for (int weight = is_hasty ? HASTE : 1; weight <= MAX_WEIGHT && verdict == SB_NOT_FOUND; weight++) {
        const sb_problem problem = {.state_size = sizeof start,
                                    .expand = expand,
                                    .bound = bound,
                                    .context = &m->map,
                                    .weight = weight,
                                    .max_cost = e->max_steps - e->clock};
        sb_budget share = *budget;
        share.limit -= (budget->limit - budget->spent) / 4;
        verdict = sb_search_run(m->search, STATES, &problem, &start, &share);
        budget->spent = share.spent, budget->is_cut = share.is_cut;
    }
    return verdict;
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const bool is_hasty = m->plan.is_begun && e->difficulty == SB_EXPERT; /* the agent has left the way of its plan */
    sb_plan_begin(&m->plan, e);
    draw_map(&m->map, e);
    const sb_verdict verdict = e->task->bound(e) < 0 ? SB_IMPOSSIBLE : search(m, e, is_hasty, budget);
    if (verdict == SB_SOLVED) write_plan(m, e);
    m->plan.waits = verdict != SB_SOLVED;
    return verdict;
}

/* ---- Acting ---- */

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e) && !sb_plan_mend(&m->plan, e)) make_plan(m, e, budget);
    sb_plan_explain_push(&m->plan, e, UINT32_C(1) << SB_BOX, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_give_up(action, intent);
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

static void pack(void *map_, const sb_episode *e, void *state) {
    draw_map(map_, e);
    *(packed_state *)state = state_of(e);
}

const sb_packed_rule sb_sokoban_push_rule = {
    .task = "SokobanPush-v0",
    .memory = sizeof(map),
    .state_size = sizeof(packed_state),
    .pack = pack,
    .pushes = true,
    .expand = expand,
};
