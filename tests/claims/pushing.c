/* SokobanPush, PackingPuzzle and ProgramSynthesis: A* over the cells of the agent and of the things that it pushes, one
 * step at a time. The bound counts how often the agent has to cross the lines between rows and between columns. */
#include "tests/claims/claims.h"
#include "tests/support.h"

#include <string.h>

#include "generators/agentick/planning/packing_puzzle.h"
#include "generators/agentick/planning/sokoban_push.h"
#include "generators/agentick/reasoning/program_synthesis.h"

enum { THINGS = 7, MAX_SIDE = 15, MAX_CELLS = MAX_SIDE * MAX_SIDE, NEVER = 10000, SAMPLING = 8 };

/* Things of one type are interchangeable, so their cells are sorted. */
typedef struct layout {
    uint8_t agent, thing[THINGS]; /* indices of cells; unused entries are 0, which is a wall */
} layout;

typedef struct room room;

typedef struct rules {
    void (*read)(room *r, layout *l, const sb_episode *e);
    bool (*may_walk)(const room *r, const layout *l,
                     int cell); /* called if no thing that can be pushed is in the cell */
    bool (*is_fixed)(const room *r, const layout *l, int thing); /* whether the thing cannot be pushed any more */
    bool (*is_done)(const room *r, const layout *l);
    int (*bound)(const room *r, const layout *l);
} rules;

struct room {
    const rules *rules;
    int side, n, n_goals; /* cells in a row; things; targets, slots or cells of the shape */
    int step[4];          /* change of the index by direction */
    int8_t type[THINGS];
    uint8_t goal[THINGS]; /* cells; for the shape, row-major indices relative to its first cell */
    int8_t goal_type[THINGS];
    int8_t goal_at[MAX_CELLS]; /* number of the goal in the cell; -1: none */
    bool is_closed[MAX_CELLS], is_for_agent_only[MAX_CELLS];
};

static int x_of(const room *r, int cell) { return cell % r->side; }
static int y_of(const room *r, int cell) { return cell / r->side; }

/* ---- Steps ---- */

static int thing_at(const room *r, const layout *l, int cell) {
    for (int i = 0; i < r->n; i++)
        if (l->thing[i] == cell) return i;
    return -1;
}

static void swap(uint8_t *a, uint8_t *b) {
    const uint8_t kept = *a;
    *a = *b, *b = kept;
}

static void put(const room *r, layout *l, int i, int cell) {
    l->thing[i] = (uint8_t)cell;
    for (; i > 0 && r->type[i - 1] == r->type[i] && l->thing[i - 1] > l->thing[i]; i--)
        swap(&l->thing[i - 1], &l->thing[i]);
    for (; i + 1 < r->n && r->type[i + 1] == r->type[i] && l->thing[i + 1] < l->thing[i]; i++)
        swap(&l->thing[i + 1], &l->thing[i]);
}

/* Takes a step; returns false if it changes nothing or ends the episode. */
static bool play(const room *r, layout *l, sb_direction d) {
    const int to = l->agent + r->step[d], beyond = to + r->step[d], i = thing_at(r, l, to);
    if (r->is_closed[to]) return false;
    if (i < 0 || r->rules->is_fixed(r, l, i)) {
        if (!r->rules->may_walk(r, l, to)) return false;
    } else {
        if (r->is_closed[beyond] || r->is_for_agent_only[beyond] || thing_at(r, l, beyond) >= 0) return false;
        put(r, l, i, beyond);
    }
    l->agent = (uint8_t)to;
    return true;
}

/* ---- Crossings ----
 *
 * Line b lies between the coordinates b and b + 1. The agent stands behind the thing that it pushes. So when a thing
 * moves from b + 1 to b + 2, the agent crosses line b; when a thing moves from b to b - 1, the agent crosses line b
 * backwards. One step crosses one line and pushes one thing. */

typedef struct axis {
    int forth[MAX_SIDE], back[MAX_SIDE]; /* the least number of crossings of each line */
    int low, high;                       /* the least and greatest coordinates that the agent has to visit */
} axis;

static axis no_needs(int at) { return (axis){.low = at, .high = at}; }

static void visit(axis *a, int at) {
    if (at < a->low) a->low = at;
    if (at > a->high) a->high = at;
}

static void push(axis *a, int from, int to) {
    for (int at = from; at < to; at++) a->forth[at - 1]++;
    for (int at = from; at > to; at--) a->back[at]++;
}

/* Returns the fewest steps along the axis that take the agent from start to end. */
static int cross(const axis *a, int start, int end) {
    int steps = 0;
    for (int line = 1; line + 2 < MAX_SIDE; line++) { /* the first and the last are walls */
        const int net = (start <= line && end > line) - (start > line && end <= line);
        int forth = a->forth[line], back = a->back[line];
        if (start <= line && a->high > line && forth == 0) forth = 1;
        if (start > line && a->low <= line && back == 0) back = 1;
        if (forth < back + net) forth = back + net;
        steps += 2 * forth - net;
    }
    return steps;
}

/* The cells where the agent can stand after the last push, which moves a thing from there onto a goal. */
typedef struct ends {
    int n, cell[4 * THINGS];
} ends;

static void add_ends(ends *e, const room *r, int goal) {
    for (int d = 0; d < 4; d++)
        if (!r->is_closed[goal - r->step[d]]) e->cell[e->n++] = goal - r->step[d];
}

static bool is_impossible(const room *r, const axis *a) {
    return a->forth[0] > 0 || a->back[r->side - 2] > 0; /* the agent would have to stand in the wall */
}

static int cross_both(const room *r, const layout *l, const axis *x, const axis *y, const ends *e) {
    int along_x[MAX_SIDE] = {0}, along_y[MAX_SIDE] = {0}, least = NEVER; /* steps plus one; 0 if not computed yet */
    if (is_impossible(r, x) || is_impossible(r, y)) return NEVER;
    for (int i = 0; i < e->n; i++) {
        const int end_x = x_of(r, e->cell[i]), end_y = y_of(r, e->cell[i]);
        if (!along_x[end_x]) along_x[end_x] = 1 + cross(x, x_of(r, l->agent), end_x);
        if (!along_y[end_y]) along_y[end_y] = 1 + cross(y, y_of(r, l->agent), end_y);
        const int steps = along_x[end_x] + along_y[end_y] - 2;
        if (steps < least) least = steps;
    }
    return least;
}

/* ---- The bound if every goal needs one thing of a type ---- */

typedef struct matching {
    const room *r;
    const layout *l;
    ends ends;
    int least;
} matching;

static bool is_reached(const room *r, const layout *l, int goal) {
    const int i = thing_at(r, l, r->goal[goal]);
    return i >= 0 && r->rules->is_fixed(r, l, i);
}

/* Assigns a thing to each goal from the k-th on, in all ways. */
static void match(matching *m, int k, unsigned used, const axis *x, const axis *y) {
    const room *r = m->r;
    while (k < r->n_goals && is_reached(r, m->l, k)) k++;
    if (k == r->n_goals) {
        const int steps = cross_both(r, m->l, x, y, &m->ends);
        if (steps < m->least) m->least = steps;
        return;
    }
    for (int i = 0; i < r->n; i++) {
        const int from = m->l->thing[i], to = r->goal[k];
        axis with_x = *x, with_y = *y;
        if (used >> i & 1 || r->type[i] != r->goal_type[k] || r->rules->is_fixed(r, m->l, i)) continue;
        push(&with_x, x_of(r, from), x_of(r, to)), push(&with_y, y_of(r, from), y_of(r, to));
        if (from != to) visit(&with_x, x_of(r, from)), visit(&with_y, y_of(r, from)); /* the agent follows */
        match(m, k + 1, used | 1u << i, &with_x, &with_y);
    }
}

static int bound_by_matching(const room *r, const layout *l) {
    matching m = {.r = r, .l = l, .least = NEVER};
    const axis x = no_needs(x_of(r, l->agent)), y = no_needs(y_of(r, l->agent));
    for (int k = 0; k < r->n_goals; k++)
        if (!is_reached(r, l, k)) add_ends(&m.ends, r, r->goal[k]);
    match(&m, 0, 0, &x, &y);
    return m.least < NEVER ? m.least : -1;
}

static bool has_reached_all(const room *r, const layout *l) {
    for (int k = 0; k < r->n_goals; k++)
        if (!is_reached(r, l, k)) return false;
    return true;
}

/* ---- The room ---- */

static void read_room(room *r, const rules *rules, layout *l, const sb_episode *e) {
    memset(r, 0, sizeof *r);
    memset(l, 0, sizeof *l);
    r->rules = rules, r->side = e->width;
    assert_int_equal(e->width, e->height);
    memset(r->goal_at, -1, sizeof r->goal_at);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) r->step[d] = sb_delta[d].y * r->side + sb_delta[d].x;
    for (int i = 0; i < sb_n_cells(e); i++)
        r->is_closed[i] = e->cells[i].terrain == SB_WALL || e->cells[i].terrain == SB_HAZARD;
    l->agent = (uint8_t)sb_index(e, e->agent.at);
}

static void add_goal(room *r, int cell, int type) {
    r->goal_at[cell] = (int8_t)r->n_goals;
    r->goal_type[r->n_goals] = (int8_t)type;
    r->goal[r->n_goals++] = (uint8_t)cell;
}

/* Adds all things with that object code, in the order of the grid, including those on goals that have become floor. */
static void add_things(room *r, layout *l, const sb_episode *e, int type) {
    for (int i = 0; i < sb_n_cells(e); i++) {
        const int object = e->cells[i].object;
        if (object != type && !(object == SB_GOAL && r->goal_type[r->goal_at[i]] == type)) continue;
        assert_true(r->n < THINGS);
        r->type[r->n] = (int8_t)type;
        l->thing[r->n++] = (uint8_t)i;
    }
}

/* ---- SokobanPush: targets are pits ---- */

static void read_boxes(room *r, layout *l, const sb_episode *e) {
    const sb_sokoban_push_vars *v = SB_VARS(e);
    for (int k = 0; k < v->n; k++) add_goal(r, sb_index(e, v->target[k]), SB_BOX);
    add_things(r, l, e, SB_BOX);
}

static bool is_no_pit(const room *r, const layout *l, int cell) {
    (void)l;
    return r->goal_at[cell] < 0;
}

static bool lies_in_pit(const room *r, const layout *l, int thing) { return r->goal_at[l->thing[thing]] >= 0; }

static const rules boxes = {.read = read_boxes,
                            .may_walk = is_no_pit,
                            .is_fixed = lies_in_pit,
                            .is_done = has_reached_all,
                            .bound = bound_by_matching};

/* ---- PackingPuzzle: slots need pieces of their type, and become floor ---- */

static void read_pieces(room *r, layout *l, const sb_episode *e) {
    const sb_packing_puzzle_vars *v = SB_VARS(e);
    for (int k = 0; k < v->n_pieces; k++) add_goal(r, sb_index(e, v->slot[k]), v->type[k]);
    for (int k = 0; k < SB_PACKING_PUZZLE_TYPES; k++) add_things(r, l, e, sb_packing_puzzle_types[k]);
}

static bool is_anything(const room *r, const layout *l, int cell) {
    (void)r, (void)l, (void)cell;
    return true;
}

static bool lies_in_slot(const room *r, const layout *l, int thing) {
    const int k = r->goal_at[l->thing[thing]];
    return k >= 0 && r->goal_type[k] == r->type[thing];
}

static const rules pieces = {.read = read_pieces,
                             .may_walk = is_anything,
                             .is_fixed = lies_in_slot,
                             .is_done = has_reached_all,
                             .bound = bound_by_matching};

/* ---- ProgramSynthesis: gems form a shape anywhere ---- */

static void read_gems(room *r, layout *l, const sb_episode *e) {
    add_things(r, l, e, SB_GEM);
    for (int i = 0; i < sb_n_cells(e); i++) {
        r->is_for_agent_only[i] = e->cells[i].object == SB_SCROLL;
        if (r->is_for_agent_only[i]) r->goal[r->n_goals++] = (uint8_t)i;
    }
    for (int k = r->n_goals - 1; k >= 0; k--) r->goal[k] = (uint8_t)(r->goal[k] - r->goal[0]);
}

static bool is_never(const room *r, const layout *l, int thing) {
    (void)r, (void)l, (void)thing;
    return false;
}

/* Compares indices, which are different for all shapes, because two walls lie between the end of a row and the next
 * row. */
static bool forms_shape(const room *r, const layout *l) {
    for (int i = 0; i < r->n; i++)
        if (l->thing[i] - l->thing[0] != r->goal[i]) return false;
    return true;
}

/* Counts crossings without assigning gems to places: each line is crossed by as many gems as there are too many on one
 * side. */
static axis push_all(int agent, const int *gems, const int *wanted) {
    axis a = no_needs(agent);
    int excess = 0; /* gems too many west or north of the line */
    for (int line = 0; line + 1 < MAX_SIDE; line++) {
        excess += gems[line] - wanted[line];
        if (excess > 0) a.forth[line - 1] += excess;
        if (excess < 0) a.back[line + 1] -= excess;
    }
    return a;
}

/* The steps along each axis for a shape whose first gem is at each coordinate. */
typedef struct lanes {
    axis x[MAX_SIDE], y[MAX_SIDE];
    int least_x[MAX_SIDE], least_y[MAX_SIDE]; /* steps, wherever the agent ends */
} lanes;

static int cross_to_anywhere(const room *r, const axis *a, int start) {
    int least = NEVER;
    for (int end = 1; end + 1 < r->side; end++) {
        const int steps = cross(a, start, end);
        if (steps < least) least = steps;
    }
    return is_impossible(r, a) ? NEVER : least;
}

/* Counts how many of the goals lie in each column, or in each row. */
static void count(const room *r, int (*coordinate)(const room *, int), const uint8_t *cells, int by, int *counts) {
    memset(counts, 0, MAX_SIDE * sizeof *counts);
    for (int i = 0; i < r->n; i++) counts[coordinate(r, cells[i] + by)]++;
}

/* Computes the lanes for the shape with its first gem in the cell. */
static void draw_lanes(const room *r, const layout *l, int first, lanes *n) {
    int gems[MAX_SIDE], wanted[MAX_SIDE];
    const int x = x_of(r, first), y = y_of(r, first);
    if (n->least_x[x] == 0) {
        count(r, x_of, l->thing, 0, gems), count(r, x_of, r->goal, first, wanted);
        n->x[x] = push_all(x_of(r, l->agent), gems, wanted);
        n->least_x[x] = 1 + cross_to_anywhere(r, &n->x[x], x_of(r, l->agent));
    }
    if (n->least_y[y] == 0) {
        count(r, y_of, l->thing, 0, gems), count(r, y_of, r->goal, first, wanted);
        n->y[y] = push_all(y_of(r, l->agent), gems, wanted);
        n->least_y[y] = 1 + cross_to_anywhere(r, &n->y[y], y_of(r, l->agent));
    }
}

/* Returns the bound for this place of the shape: every gem that is not in a cell of the shape has to be moved, so the
 * agent has to go where it was. */
static int bound_at(const room *r, const layout *l, int first, const lanes *n) {
    axis x = n->x[x_of(r, first)], y = n->y[y_of(r, first)];
    ends e = {0};
    for (int i = 0; i < r->n; i++) {
        bool stays = false;
        for (int k = 0; k < r->n; k++) stays |= l->thing[i] == first + r->goal[k];
        if (!stays) visit(&x, x_of(r, l->thing[i])), visit(&y, y_of(r, l->thing[i]));
        add_ends(&e, r, first + r->goal[i]);
    }
    return cross_both(r, l, &x, &y, &e);
}

static bool has_room(const room *r, int first) {
    for (int i = 0; i < r->n; i++) {
        const int cell = first + r->goal[i];
        if (cell >= r->side * r->side || r->is_closed[cell] || r->is_for_agent_only[cell]) return false;
    }
    return true;
}

static int bound_of_shape(const room *r, const layout *l) {
    lanes n = {0};
    int least = NEVER;
    for (int first = 0; first < r->side * r->side; first++) {
        if (!has_room(r, first)) continue;
        draw_lanes(r, l, first, &n);
        if (n.least_x[x_of(r, first)] + n.least_y[y_of(r, first)] - 2 >= least) continue;
        const int steps = bound_at(r, l, first, &n);
        if (steps < least) least = steps;
    }
    return least < NEVER ? least : -1;
}

static const rules gems = {
    .read = read_gems, .may_walk = is_anything, .is_fixed = is_never, .is_done = forms_shape, .bound = bound_of_shape};

/* Takes a walk to the end of the episode and asserts that the rules here agree with it. */
static void assert_plays_like(const room *r, const layout *start, const sb_episode *e) {
    sb_episode episode = {0};
    sb_rng rng;
    sb_result result = {0};
    layout l = *start;
    sb_episode_copy(&episode, e);
    sb_rng_seed(&rng, 1, NULL);
    for (int i = 0; i < 100; i++) {
        const sb_direction d = (sb_direction)sb_integers(&rng, 0, 4);
        layout now = {0};
        room again;
        play(r, &l, d);
        sb_episode_step(&episode, sb_move_of(d), &result);
        if (result.terminated && !result.success) return; /* the agent fell */
        read_room(&again, r->rules, &now, &episode);
        r->rules->read(&again, &now, &episode);
        assert_memory_equal(&now, &l, sizeof l);
        assert_int_equal(result.success, r->rules->is_done(r, &l));
        if (result.success) return;
    }
}

/* ---- The search ---- */

/* Asserts that a step lowers the bound by at most one, so that it is never more than the steps that are left. */
static void assert_consistent(const room *r, const layout *l, const layout *next) {
    const int before = r->rules->bound(r, l), after = r->rules->is_done(r, next) ? 0 : r->rules->bound(r, next);
    if (after >= 0) assert_true(before >= 0 && before <= after + 1);
}

/* Chooses some states, because checking all of them would take too long. */
static bool is_sampled(const layout *l) {
    int sum = l->agent;
    for (int i = 0; i < THINGS; i++) sum += l->thing[i];
    return sum % SAMPLING == 0;
}

static void expand(void *context, const void *state, sb_search *search) {
    const room *r = context;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        layout next;
        memcpy(&next, state, sizeof next);
        if (!play(r, &next, d)) continue;
        if (is_sampled(state)) assert_consistent(r, state, &next);
        sb_search_add(search, &next, (uint32_t)sb_move_of(d), 1, r->rules->is_done(r, &next));
    }
}

static int bound(void *context, const void *state) {
    const room *r = context;
    return r->rules->bound(r, state);
}

static void search(const rules *rules, const sb_episode *start, uint32_t n_states, claim_answer *answer) {
    room r;
    layout l;
    read_room(&r, rules, &l, start);
    rules->read(&r, &l, start);
    assert_plays_like(&r, &l, start);
    const sb_problem problem = {
        .state_size = sizeof l, .expand = expand, .bound = bound, .context = &r, .max_cost = start->max_steps};
    claim_run(&problem, &l, n_states, answer);
}

void claim_boxes(const sb_episode *start, uint32_t n_states, claim_answer *answer) {
    search(&boxes, start, n_states, answer);
}

void claim_pieces(const sb_episode *start, uint32_t n_states, claim_answer *answer) {
    search(&pieces, start, n_states, answer);
}

void claim_gems(const sb_episode *start, uint32_t n_states, claim_answer *answer) {
    search(&gems, start, n_states, answer);
}
