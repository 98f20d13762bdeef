/* The expert of ProgramSynthesis: A* over pushes. The bound counts crossings of lines (oracles/kits/crossings.h) for
 * every place where the shape fits. The number of gems before a line, compared with the number wanted there, tells how
 * many gems at least have to be pushed over it, whichever gem goes where. The agent follows each gem one step behind,
 * over the line before. In addition, it has to enter the cell of every gem that has to move, and to end beside the
 * shape.
 *
 * The search always finishes, usually after some hundred states: the plan is the shortest, or there is none. Only an
 * agent that has left the way of its plan at difficulty expert takes the first good plan. */
#include "generators/agentick/reasoning/program_synthesis.h"

#include <stdlib.h>
#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/crossings.h"
#include "oracles/kits/mend.h"

enum {
    SIDE = 15,
    SHAPE_SIDE = 3, /* side of the bounding box of the largest shape */
    AROUND = SHAPE_SIDE + 2,
    ENDS = AROUND * AROUND,
    STATES = 1 << 21
};

/* Columns and rows are treated in the same way: index 0 is x, index 1 is y. */
typedef struct place {
    int8_t at[2];
} place;

/* Everything that cannot change. A shape's corner is the north-west corner of its bounding box. */
typedef struct room {
    sb_pushing pushing;
    int side;
    place place[SB_PUSHING_CELLS];
    bool shape[SHAPE_SIDE][SHAPE_SIDE];   /* the shape's cells, by y and x */
    int size[2];                          /* size of the shape's bounding box */
    int index[SB_PROGRAM_SYNTHESIS_GEMS]; /* the shape's cells, ascending, as indices relative to the first */
    sb_crossings wanted[2];               /* gems before each line, if the corner is at (0,0) */
    int n_ends;
    place end[ENDS]; /* where the agent may be after the last push, if the corner is at (1,1) */
    bool is_hasty;   /* whether the bound is a quarter too large, which finds a good plan sooner than the best one */
    bool fits[SIDE][SIDE]; /* whether the shape fits with its corner at y, x */
} room;

typedef struct memory {
    sb_plan plan;
    room room;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(sb_push_state), STATES)];
} memory;

/* Compares differences of indices. They are unique, because the shape is narrow and gems never reach both the first and
 * the last column. */
static bool is_done(const sb_pushing *p, const sb_push_state *l) {
    const room *r = (const room *)p;
    for (int i = 1; i < p->n_things; i++)
        if (l->thing[i] - l->thing[0] != r->index[i]) return false;
    return true;
}

/* ---- The bound ---- */

/* The agent's crossings along one axis, with the shape at one place. */
typedef struct lane {
    sb_crossings follows; /* not 0 for lines over which the agent follows a gem */
    int to_end[AROUND]; /* fewest steps if the agent ends at each coordinate of the shape, or one before or after it */
    int least;          /* fewest steps to any of these ends */
} lane;

typedef struct question {
    const room *r;
    const sb_push_state *l;
    unsigned stuck; /* bit i is set if gem i can never be pushed */
    place start;
    sb_crossings way[2][SIDE]; /* lines between the start and each coordinate */
    lane lane[2][SIDE];        /* crossings along each axis, by the coordinate of the shape's corner */
} question;

/* The numbers by which a exceeds b, 0 where it does not. */
static sb_crossings excess(sb_crossings a, sb_crossings b) { return ((a | SB_EACH(8)) - b) & sb_not_less(a, b) * 7; }

/* `gems` and `wanted` count gems before each line. A gem beside a wall stays beside it. */
static void draw_lane(question *q, int axis, int corner, sb_crossings gems, sb_crossings wanted) {
    lane *ln = &q->lane[axis][corner];
    const int last = q->r->side - 3; /* the line next to the far wall */
    const sb_crossings forth = excess(gems, wanted), back = excess(wanted, gems);
    ln->least = SB_FAR;
    if ((forth >> 4 | back >> 4 * last) & 15) return;
    const sb_fare fare = sb_fare_of(forth >> 4, back << 4, 0, sb_lines_below(q->start.at[axis]));
    ln->follows = forth >> 4 | back << 4;
    for (int k = 0; k < q->r->size[axis] + 2; k++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the end is inside the room */
        ln->to_end[k] = sb_fare_to(fare, q->way[axis][corner - 1 + k]);
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
    for (int i = 0; i < q->r->pushing.n_things; i++) {
        const place *p = &q->r->place[q->l->thing[i]];
        if (in_shape(q->r, p->at[0] - x, p->at[1] - y)) continue;
        if (q->stuck >> i & 1) return false;
        for (int axis = 0; axis < 2; axis++) {
            if (p->at[axis] < moved->low[axis]) moved->low[axis] = p->at[axis];
            if (p->at[axis] > moved->high[axis]) moved->high[axis] = p->at[axis];
        }
    }
    return true;
}

/* Returns the fewest steps with the shape's corner at x, y. A line that is crossed only to get to a gem is crossed
 * back too, unless it is on the way to the end. */
static int steps_to(const question *q, int x, int y) {
    const int corner[2] = {x, y};
    int to_end[2][AROUND], least = SB_FAR;
    extent moved;
    if (!measure(q, x, y, &moved)) return SB_FAR;
    for (int axis = 0; axis < 2; axis++) {
        const lane *ln = &q->lane[axis][corner[axis]];
        const sb_crossings visited = sb_lines_below(moved.low[axis]) ^ sb_lines_below(moved.high[axis]);
        const sb_crossings idle = visited & sb_not_less(0, ln->follows);
        for (int k = 0; k < q->r->size[axis] + 2; k++)
            to_end[axis][k] = ln->to_end[k] + 2 * sb_count_lines(idle & ~q->way[axis][corner[axis] - 1 + k]);
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
    if (across[x0].least == SB_FAR || down[y0].least == SB_FAR) return SB_FAR;
    int least = r->fits[y0][x0] ? steps_to(q, x0, y0) : SB_FAR;
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
static int bound(void *context, const void *layout) {
    const room *r = context;
    const sb_pushing *p = &r->pushing;
    question q; /* only the lanes that exist are written */
    uint8_t holds[SB_PUSHING_CELLS];
    q.r = r, q.l = layout, q.stuck = 0, q.start = r->place[q.l->agent];
    sb_lay_out(p, q.l, holds);
    for (int i = 0; i < p->n_things; i++) q.stuck |= (unsigned)sb_is_stuck(p, holds, q.l->thing[i]) << i;
    for (int axis = 0; axis < 2; axis++) {
        const sb_crossings below = sb_lines_below(q.start.at[axis]);
        sb_crossings gems = 0;
        for (int i = 0; i < p->n_things; i++) gems += SB_EACH(1) << 4 * r->place[q.l->thing[i]].at[axis];
        for (int k = 0; k < r->side; k++) q.way[axis][k] = below ^ sb_lines_below(k);
        for (int k = 1; k < r->side - r->size[axis]; k++) draw_lane(&q, axis, k, gems, r->wanted[axis] << 4 * k);
    }
    const int least = fewest_steps(&q);
    if (least == SB_FAR) return -1;
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
            if (r->shape[y][x] && r->pushing.ground[(corner_y + y) * r->side + corner_x + x] != SB_GROUND_FREE)
                return false;
    return true;
}

static void read_room(room *r, sb_push_state *l, const sb_episode *e) {
    const sb_program_synthesis_vars *v = SB_VARS(e);
    sb_pushing *p = &r->pushing;
    int n = 0;
    memset(r, 0, sizeof *r);
    r->side = e->width;
    p->n_things = v->n, p->is_done = is_done, p->bound = bound;
    sb_index_steps(e, p->step_of);
    *l = (sb_push_state){.agent = (uint8_t)sb_index(e, e->agent.at)};
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy at = sb_xy_of(e, i);
        const sb_cell *c = &e->cells[i];
        r->place[i] = (place){{(int8_t)at.x, (int8_t)at.y}};
        p->ground[i] = c->terrain == SB_WALL    ? SB_GROUND_WALL
                       : c->object == SB_SCROLL ? SB_GROUND_WALKED
                                                : SB_GROUND_FREE;
        if (c->object == SB_GEM) l->thing[n++] = (uint8_t)i;
    }
    read_shape(r, v);
    list_ends(r);
    for (int y = 1; y < r->side - r->size[1]; y++)
        for (int x = 1; x < r->side - r->size[0]; x++) r->fits[y][x] = fits(r, x, y);
}

/* ---- Planning ---- */

static sb_verdict search(memory *m, const sb_push_state *start, bool is_hasty, int max_cost, sb_budget *budget) {
    m->room.is_hasty = is_hasty;
    return sb_pushing_search(&m->room.pushing, m->search, STATES, start, 1, max_cost, budget);
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const bool is_hasty = m->plan.is_begun && e->difficulty == SB_EXPERT; /* the agent has left the way of its plan */
    const int steps_left = e->max_steps - e->clock;
    sb_push_state start;
    sb_plan_begin(&m->plan, e);
    read_room(&m->room, &start, e);
    if (is_done(&m->room.pushing, &start)) {
        sb_plan_add(&m->plan, SB_NOOP);
        return SB_SOLVED;
    }
    sb_verdict verdict = search(m, &start, is_hasty, steps_left, budget);
    if (is_hasty && verdict != SB_SOLVED) verdict = search(m, &start, false, steps_left, budget);
    if (verdict == SB_SOLVED) sb_pushing_plan(&m->room.pushing, m->search, &start, &m->plan);
    return m->plan.verdict = verdict;
}

/* ---- Acting ---- */

/* If the shape was complete from the start, any step wins. */
static void explain(const sb_plan *plan, const sb_episode *e, sb_intent *intent) {
    if (plan->next < plan->n && plan->actions[plan->next] == SB_NOOP)
        sb_intend(intent, "wait for", "end of the episode", sb_at(-1, -1));
    else
        sb_plan_explain_push(plan, e, UINT32_C(1) << SB_GEM, intent);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e) && !sb_plan_mend(&m->plan, e)) make_plan(m, e, budget);
    explain(&m->plan, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_plan_give_up(&m->plan, NULL, action, intent);
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
    .state_size = sizeof(sb_push_state),
    .pack = pack,
    .pushes = true,
    .expand = sb_pushing_expand,
};
