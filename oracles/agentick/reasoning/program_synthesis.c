/* The expert of ProgramSynthesis: A* over pushes, each of which costs one step and the walk to its start.
 *
 * The bound is computed for every place where the shape fits. The number of gems west of a boundary between two
 * columns, compared with the number wanted there, tells how many gems at least have to be pushed over it, whichever gem
 * goes where. The agent follows each gem one step behind, over the boundary before. It has to cross each boundary back
 * as often as forth, except one crossing less if it starts on one side and ends on the other. Rows are counted in the
 * same way and independently, because no step crosses two boundaries. In addition, the agent has to enter the cell of
 * every gem that has to move, and to end beside the shape.
 *
 * The search always finishes, usually after some hundred states: the plan is the shortest, or there is none. Only an
 * agent that has left the way of its plan at difficulty expert takes the first good plan. */
#include "generators/agentick/reasoning/program_synthesis.h"

#include <stdlib.h>
#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/mend.h"
#include "oracles/kits/pushing.h"
#include "search/search.h"

enum {
    MAX_GEMS = SB_PROGRAM_SYNTHESIS_GEMS,
    SIDE = 15,
    CELLS = SIDE * SIDE,
    SHAPE_SIDE = 3, /* of the bounding box of the largest shape */
    AROUND = SHAPE_SIDE + 2,
    ENDS = AROUND * AROUND,
    STATES = 1 << 21,
    NEVER = 10000 /* steps: impossible */
};

/* Everything that can change. Cells are indices into the grid. */
typedef struct layout {
    uint8_t agent, gem[MAX_GEMS]; /* gem: ascending; unused ones at the end are 0, a wall */
    uint8_t zero;                 /* makes the state eight bytes long, which are hashed at once */
} layout;

/* Columns and rows are treated in the same way: index 0 is x, index 1 is y. */
typedef struct place {
    int8_t at[2];
} place;

/* Everything that cannot change. A shape's corner is the north-west corner of its bounding box. */
typedef struct room {
    int side, n_gems;
    int step_of[4];        /* change of a cell's index for each direction */
    uint8_t ground[CELLS]; /* what cells hold without gems */
    place place[CELLS];
    bool shape[SHAPE_SIDE][SHAPE_SIDE]; /* y, x */
    int size[2];                        /* of the bounding box */
    int index[MAX_GEMS];                /* the shape's cells, ascending, as indices relative to the first */
    uint64_t wanted[2];                 /* gems before each boundary, if the corner is at (0,0) (see Crossings) */
    int n_ends;
    place end[ENDS]; /* where the agent may be after the last push, if the corner is at (1,1) */
    bool is_hasty;   /* whether the bound is a quarter too large, which finds a good plan sooner than the best one */
    bool fits[SIDE][SIDE]; /* whether the shape fits with its corner at y, x */
} room;

typedef struct memory {
    sb_plan plan;
    room room;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(layout), STATES)];
} memory;

/* ---- Pushes ---- */

static void lay_out(const room *r, const layout *l, uint8_t *holds) {
    memcpy(holds, r->ground, CELLS);
    for (int i = 0; i < r->n_gems; i++) holds[l->gem[i]] = SB_GROUND_THING;
}

static void look_around(const room *r, const layout *l, int from, sb_survey *s) {
    lay_out(r, l, s->holds);
    sb_survey_from(s, r->step_of, from);
}

/* Returns the layout after the agent has pushed gem i to a neighbouring cell. */
static layout pushed(const room *r, const layout *l, int i, int to) {
    layout next = *l;
    uint8_t *gem = next.gem;
    next.agent = gem[i];
    for (; i > 0 && gem[i - 1] > to; i--) gem[i] = gem[i - 1];
    for (; i + 1 < r->n_gems && gem[i + 1] < to; i++) gem[i] = gem[i + 1];
    gem[i] = (uint8_t)to;
    return next;
}

/* Compares differences of indices. They are unique, because the shape is narrow and gems never reach both the first and
 * the last column. */
static bool is_done(const room *r, const layout *l) {
    for (int i = 1; i < r->n_gems; i++)
        if (l->gem[i] - l->gem[0] != r->index[i]) return false;
    return true;
}

/* Encodes a push as a move of the search. */
static uint32_t move_of(int i, sb_direction d) { return (uint32_t)i << 2 | (uint32_t)d; }

static void expand(void *context, const void *state, sb_search *search) {
    const room *r = context;
    const layout *l = state;
    sb_survey s;
    look_around(r, l, l->agent, &s);
    for (int i = 0; i < r->n_gems; i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const int behind = l->gem[i] - r->step_of[d], to = l->gem[i] + r->step_of[d];
            if (!s.steps[behind] || s.holds[to] != SB_GROUND_FREE) continue;
            const layout next = pushed(r, l, i, to);
            sb_search_add(search, &next, move_of(i, d), s.steps[behind], is_done(r, &next));
        }
}

/* ---- Crossings ---- */

/* A count of one for every boundary between two coordinates. */
static uint64_t between(int a, int b) { return a < b ? sb_one_each(a, b) : sb_one_each(b, a); }

/* The counts by which a exceeds b, 0 where it does not. */
static uint64_t excess(uint64_t a, uint64_t b) { return ((a | SB_EACH(8)) - b) & sb_not_less(a, b) * 7; }

/* The sum of counts that are all 0 or 1, at most 15 of them 1. */
static int count(uint64_t ones) { return (int)(ones * SB_EACH(1) >> 60); }

/* ---- The bound ---- */

/* The agent's crossings along one axis, with the shape at one place. */
typedef struct lane {
    uint64_t follows;   /* not 0 for boundaries over which it follows a gem */
    int to_end[AROUND]; /* fewest steps to end at each coordinate of the shape, and one before and one after it */
    int least;          /* the least of to_end */
} lane;

typedef struct question {
    const room *r;
    const layout *l;
    unsigned stuck; /* bit i is set if gem i can never be pushed */
    place start;
    uint64_t way[2][SIDE]; /* boundaries between the start and each coordinate */
    lane lane[2][SIDE];    /* by the coordinate of the corner */
} question;

/* `gems` and `wanted` count gems before each boundary. A gem beside a wall stays beside it. */
static void draw_lane(question *q, int axis, int corner, uint64_t gems, uint64_t wanted) {
    lane *ln = &q->lane[axis][corner];
    const int start = q->start.at[axis], last = q->r->side - 3; /* the boundary next to the far wall */
    const uint64_t forth = excess(gems, wanted), back = excess(wanted, gems);
    ln->least = NEVER;
    if ((forth >> 4 | back >> 4 * last) & 15) return;
    const uint64_t rising = forth >> 4, falling = back << 4;
    const uint64_t up = sb_not_less(rising, falling), down = sb_not_less(falling, rising);
    const int return_trip = 2 * sb_sum_of((rising & up * 15) | (falling & ~(up * 15)));
    ln->follows = rising | falling;
    for (int k = 0; k < q->r->size[axis] + 2; k++) {
        const int end = corner - 1 + k;
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the end is inside the room */
        const uint64_t saved = q->way[axis][end] & (end > start ? up & ~down : down & ~up);
        ln->to_end[k] = return_trip + abs(end - start) - 2 * count(saved);
        if (ln->to_end[k] < ln->least) ln->least = ln->to_end[k];
    }
}

static bool in_shape(const room *r, int x, int y) {
    return x >= 0 && x < r->size[0] && y >= 0 && y < r->size[1] && r->shape[y][x];
}

/* The smallest box that contains the agent and all gems that have to move. */
typedef struct extent {
    int low[2], high[2];
} extent;

/* Returns false if a gem that has to move never can. */
static bool measure(const question *q, int x, int y, extent *moved) {
    for (int axis = 0; axis < 2; axis++) moved->low[axis] = moved->high[axis] = q->start.at[axis];
    for (int i = 0; i < q->r->n_gems; i++) {
        const place *p = &q->r->place[q->l->gem[i]];
        if (in_shape(q->r, p->at[0] - x, p->at[1] - y)) continue;
        if (q->stuck >> i & 1) return false;
        for (int axis = 0; axis < 2; axis++) {
            if (p->at[axis] < moved->low[axis]) moved->low[axis] = p->at[axis];
            if (p->at[axis] > moved->high[axis]) moved->high[axis] = p->at[axis];
        }
    }
    return true;
}

/* Returns the fewest steps with the shape's corner at x, y. A boundary that is crossed only to get to a gem is crossed
 * back too, unless it is on the way to the end. */
static int steps_to(const question *q, int x, int y) {
    const int corner[2] = {x, y};
    int to_end[2][AROUND], least = NEVER;
    extent moved;
    if (!measure(q, x, y, &moved)) return NEVER;
    for (int axis = 0; axis < 2; axis++) {
        const lane *ln = &q->lane[axis][corner[axis]];
        const uint64_t idle = between(moved.low[axis], moved.high[axis]) & sb_not_less(0, ln->follows);
        for (int k = 0; k < q->r->size[axis] + 2; k++)
            to_end[axis][k] = ln->to_end[k] + 2 * count(idle & ~q->way[axis][corner[axis] - 1 + k]);
    }
    for (int k = 0; k < q->r->n_ends; k++) {
        const place end = q->r->end[k];
        const int steps = to_end[0][end.at[0]] + to_end[1][end.at[1]];
        if (steps < least) least = steps;
    }
    return least;
}

/* Tries first the place where both lanes are shortest, then every place where the lanes are shorter than the best so
 * far. */
static int fewest_steps(const question *q) {
    const room *r = q->r;
    const lane *across = q->lane[0], *down = q->lane[1];
    int x0 = 1, y0 = 1;
    for (int x = 1; x < r->side - r->size[0]; x++)
        if (across[x].least < across[x0].least) x0 = x;
    for (int y = 1; y < r->side - r->size[1]; y++)
        if (down[y].least < down[y0].least) y0 = y;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): every room has lanes */
    if (across[x0].least == NEVER || down[y0].least == NEVER) return NEVER;
    int least = r->fits[y0][x0] ? steps_to(q, x0, y0) : NEVER;
    for (int y = 1; y < r->side - r->size[1]; y++) {
        if (across[x0].least + down[y].least >= least) continue;
        for (int x = 1; x < r->side - r->size[0]; x++) {
            if (across[x].least + down[y].least >= least || !r->fits[y][x]) continue;
            const int steps = steps_to(q, x, y);
            if (steps < least) least = steps;
        }
    }
    return least;
}

/* Returns a lower bound on the steps that are left; negative if there is no way. The layout must not be complete. */
static int bound(void *context, const void *state) {
    const room *r = context;
    const layout *l = state;
    question q; /* only the lanes that exist are written */
    uint8_t holds[CELLS];
    q.r = r, q.l = l, q.stuck = 0, q.start = r->place[l->agent];
    lay_out(r, l, holds);
    for (int i = 0; i < r->n_gems; i++) q.stuck |= (unsigned)sb_is_stuck(holds, r->step_of, l->gem[i]) << i;
    for (int axis = 0; axis < 2; axis++) {
        uint64_t gems = 0;
        for (int i = 0; i < r->n_gems; i++) gems += SB_EACH(1) << 4 * r->place[l->gem[i]].at[axis];
        for (int k = 0; k < r->side; k++) q.way[axis][k] = between(q.start.at[axis], k);
        for (int k = 1; k < r->side - r->size[axis]; k++) draw_lane(&q, axis, k, gems, r->wanted[axis] << 4 * k);
    }
    const int least = fewest_steps(&q);
    if (least == NEVER) return -1;
    return r->is_hasty ? least + least / 4 : least;
}

/* ---- The room ---- */

static void read_shape(room *r, const sb_program_synthesis_vars *v) {
    int top = 0, n = 0, first = 0;
    for (int i = 0; i < v->n; i++)
        if (v->shape[i].y < top) top = v->shape[i].y;
    for (int i = 0; i < v->n; i++) {
        const int at[2] = {v->shape[i].x, v->shape[i].y - top};
        r->shape[at[1]][at[0]] = true;
        for (int axis = 0; axis < 2; axis++) {
            if (at[axis] >= r->size[axis]) r->size[axis] = at[axis] + 1;
            r->wanted[axis] += SB_EACH(1) << 4 * at[axis];
        }
    }
    for (int y = 0; y < r->size[1]; y++)
        for (int x = 0; x < r->size[0]; x++) {
            if (!r->shape[y][x]) continue;
            if (n == 0) first = x;
            r->index[n++] = y * r->side + x - first;
        }
}

/* Lists the ends: the last push leaves the agent in the cell that the gem leaves. */
static void list_ends(room *r) {
    for (int y = -1; y <= r->size[1]; y++)
        for (int x = -1; x <= r->size[0]; x++) {
            bool is_beside = false;
            for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
                is_beside = is_beside || in_shape(r, x + sb_delta[d].x, y + sb_delta[d].y);
            if (is_beside && !in_shape(r, x, y)) r->end[r->n_ends++] = (place){{(int8_t)(x + 1), (int8_t)(y + 1)}};
        }
}

static bool fits(const room *r, int corner_x, int corner_y) {
    for (int y = 0; y < r->size[1]; y++)
        for (int x = 0; x < r->size[0]; x++)
            if (r->shape[y][x] && r->ground[(corner_y + y) * r->side + corner_x + x] != SB_GROUND_FREE) return false;
    return true;
}

static void read_room(room *r, layout *l, const sb_episode *e) {
    const sb_program_synthesis_vars *v = SB_VARS(e);
    int n = 0;
    memset(l, 0, sizeof *l);
    memset(r, 0, sizeof *r);
    r->side = e->width, r->n_gems = v->n;
    sb_index_steps(e, r->step_of);
    l->agent = (uint8_t)sb_index(e, e->agent.at);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        const sb_cell *c = &e->cells[i];
        r->place[i] = (place){{(int8_t)p.x, (int8_t)p.y}};
        r->ground[i] = c->terrain == SB_WALL    ? SB_GROUND_WALL
                       : c->object == SB_SCROLL ? SB_GROUND_WALKED
                                                : SB_GROUND_FREE;
        if (c->object == SB_GEM) l->gem[n++] = (uint8_t)i;
    }
    read_shape(r, v);
    list_ends(r);
    for (int y = 1; y < r->side - r->size[1]; y++)
        for (int x = 1; x < r->side - r->size[0]; x++) r->fits[y][x] = fits(r, x, y);
}

/* ---- Planning ---- */

static void write_plan(memory *m, layout l) {
    uint32_t moves[SB_PLAN_MAX];
    const room *r = &m->room;
    sb_survey s;
    const int n = sb_search_plan(m->search, moves, SB_PLAN_MAX);
    for (int k = 0; k < n; k++) {
        const int i = (int)(moves[k] >> 2);
        const sb_direction d = (sb_direction)(moves[k] & 3);
        look_around(r, &l, l.gem[i] - r->step_of[d], &s);
        sb_survey_walk(&s, r->step_of, l.agent, &m->plan);
        sb_plan_add(&m->plan, sb_move_of(d));
        l = pushed(r, &l, i, l.gem[i] + r->step_of[d]);
    }
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const bool is_hasty = m->plan.is_begun && e->difficulty == SB_EXPERT; /* the agent has left the way of its plan */
    layout start;
    const sb_problem problem = {.state_size = sizeof start,
                                .expand = expand,
                                .bound = bound,
                                .context = &m->room,
                                .max_cost = e->max_steps - e->clock};
    sb_plan_begin(&m->plan, e);
    read_room(&m->room, &start, e);
    if (is_done(&m->room, &start)) {
        sb_plan_add(&m->plan, SB_NOOP);
        return SB_SOLVED;
    }
    m->room.is_hasty = is_hasty;
    sb_verdict verdict = sb_search_run(m->search, STATES, &problem, &start, budget);
    if (is_hasty && verdict != SB_SOLVED) {
        m->room.is_hasty = false;
        verdict = sb_search_run(m->search, STATES, &problem, &start, budget);
    }
    if (verdict == SB_SOLVED) write_plan(m, start);
    m->plan.waits = verdict != SB_SOLVED;
    return verdict;
}

/* ---- Acting ---- */

/* If the shape was complete from the start, any step wins. */
static void explain(const sb_plan *plan, const sb_episode *e, sb_intent *intent) {
    if (plan->next < plan->n && plan->actions[plan->next] == SB_NOOP)
        sb_intend(intent, "wait for", "success", sb_at(-1, -1));
    else
        sb_plan_explain_push(plan, e, UINT32_C(1) << SB_GEM, intent);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e) && !sb_plan_mend(&m->plan, e)) make_plan(m, e, budget);
    explain(&m->plan, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_give_up(action, intent);
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    memory *m = memory_;
    m->plan.is_begun = false;
    return make_plan(m, sb_episode_of(env), budget);
}

const sb_oracle sb_program_synthesis_expert = {
    .family = "agentick",
    .task = "ProgramSynthesis-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .plans = true,
    .memory = sizeof(memory),
    .begin = sb_plan_forget,
    .act = act,
    .judge = judge,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *room_, const sb_episode *e, void *state) { read_room(room_, state, e); }

const sb_packed_rule sb_program_synthesis_rule = {
    .task = "ProgramSynthesis-v0",
    .memory = sizeof(room),
    .state_size = sizeof(layout),
    .pack = pack,
    .pushes = true,
    .expand = expand,
};
