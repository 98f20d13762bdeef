/* The expert of PackingPuzzle: A* over pushes, each of which costs one step and the walk to its start.
 *
 * A first search with a bold bound, which is nearly always right, finds a plan that is seldom a step or two too long. A
 * second one with a proven bound looks for a shorter plan until there is none. At the highest difficulty that may take
 * a million states, so there it stops early. An agent that has left the way of its plan does without it at
 * the two highest difficulties. */
#include "generators/agentick/planning/packing_puzzle.h"

#include <stdlib.h>
#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/mend.h"
#include "oracles/kits/pushing.h"
#include "search/search.h"

enum {
    SLOTS = SB_PACKING_PUZZLE_PIECES,
    PIECES = SLOTS + SB_PACKING_PUZZLE_DISTRACTORS,
    CELLS = 13 * 13,
    STATES = 1 << 20
};

/* How to search, and after how many states to stop. */
typedef struct effort {
    bool is_bold; /* whether to use the bold bound */
    int weight;   /* the factor of the bound */
    uint64_t states;
} effort;

static const effort bold = {true, 1, 20000}, hasty = {true, 2, 300000}; /* the second one is used if the first fails */
static const effort careful[SB_N_DIFFICULTIES] = {
    {false, 1, UINT64_MAX}, {false, 1, UINT64_MAX}, {false, 1, UINT64_MAX}, {false, 1, 1000}};

/* Everything that can change. Cells are indices into the grid. A piece in its slot stays on the list and keeps its
 * cell. Pieces of one type are alike, so their cells are sorted. */
typedef struct layout {
    uint8_t agent, piece[PIECES]; /* unused pieces are 0, a wall */
} layout;

/* Everything that cannot change. */
typedef struct room {
    int width, n_pieces, n_slots;
    int step_of[4];      /* change of a cell's index for each direction */
    int8_t type[PIECES]; /* object codes, in the order of the layout */
    int8_t slot_type[SLOTS];
    uint8_t slot_row[SLOTS];
    int8_t wanted[CELLS];            /* the type that the slot in this cell asks for; 0: no slot */
    uint8_t row[CELLS], away[CELLS]; /* away: columns between the cell and the column of the slots */
    uint8_t walls[CELLS];            /* what cells hold without pieces */
    bool is_bold;                    /* which bound to use */
} room;

typedef struct memory {
    sb_plan plan;
    room room;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(layout), STATES)];
} memory;

static bool is_home(const room *r, const layout *l, int i) { return r->wanted[l->piece[i]] == r->type[i]; }

/* ---- Pushes ---- */

/* A filled slot can be walked on, and nothing can be pushed onto it. */
static void lay_out(const room *r, const layout *l, uint8_t *holds) {
    memcpy(holds, r->walls, CELLS);
    for (int i = 0; i < r->n_pieces; i++) holds[l->piece[i]] = is_home(r, l, i) ? SB_GROUND_WALKED : SB_GROUND_THING;
}

static void look_around(const room *r, const layout *l, int from, sb_survey *s) {
    lay_out(r, l, s->holds);
    sb_survey_from(s, r->step_of, from);
}

/* Returns the layout after the agent has pushed piece i to a neighbouring cell. */
static layout pushed(const room *r, const layout *l, int i, int to) {
    layout next = *l;
    uint8_t *piece = next.piece;
    next.agent = piece[i];
    for (; i > 0 && r->type[i - 1] == r->type[i] && piece[i - 1] > to; i--) piece[i] = piece[i - 1];
    for (; i + 1 < r->n_pieces && r->type[i + 1] == r->type[i] && piece[i + 1] < to; i++) piece[i] = piece[i + 1];
    piece[i] = (uint8_t)to;
    return next;
}

/* Encodes a push as a move of the search. */
static uint32_t move_of(int i, int d) { return (uint32_t)(i << 2 | d); }

static void expand(void *context, const void *state, sb_search *search) {
    const room *r = context;
    const layout *l = state;
    sb_survey s;
    int home = 0;
    look_around(r, l, l->agent, &s);
    for (int i = 0; i < r->n_pieces; i++) home += is_home(r, l, i);
    for (int i = 0; i < r->n_pieces; i++) {
        if (is_home(r, l, i)) continue;
        for (int d = 0; d < 4; d++) {
            const int behind = l->piece[i] - r->step_of[d], to = l->piece[i] + r->step_of[d];
            if (!s.steps[behind] || s.holds[to] != SB_GROUND_FREE) continue;
            const layout next = pushed(r, l, i, to);
            const bool is_goal = r->wanted[to] == r->type[i] && home + 1 == r->n_slots;
            sb_search_add(search, &next, move_of(i, d), s.steps[behind], is_goal);
        }
    }
}

/* ---- Crossings ----
 *
 * The bound counts how often the agent has to cross the boundaries between rows, and those between columns. Every push
 * crosses one boundary, and no step pushes two pieces. The agent has to cross each boundary back as often as forth,
 * except one crossing less if it starts on one side and ends on the other. */

typedef struct axis {
    uint64_t rising, falling; /* crossings towards larger and towards smaller coordinates */
    int first, last;          /* the agent has to get at least this far at some time */
} axis;

static void visit(axis *a, int at) {
    if (at < a->first) a->first = at;
    if (at > a->last) a->last = at;
}

/* Adds the crossings for pushing a piece all the way. The agent is always one step behind the piece, and then goes
 * `further`. */
static void add_pushes(axis *a, int from, int to, int further) {
    if (from == to) {
        visit(a, to);
    } else if (from < to) {
        a->rising += sb_one_each(from - 1, to - 1 + further);
        visit(a, from - 1), visit(a, to - 1 + further);
    } else {
        a->falling += sb_one_each(to + 1 - further, from + 1);
        visit(a, from + 1), visit(a, to + 1 - further);
    }
}

typedef struct fare {
    int start, round_trip;    /* round_trip: steps if the agent ends where it starts */
    uint64_t rising, falling; /* boundaries with one crossing less if the agent ends beyond them: one each */
} fare;

static fare fare_of(const axis *a, int start) {
    const uint64_t reach = sb_one_each(a->first, a->last);
    const uint64_t idle = reach & ~((a->rising | a->falling) + SB_EACH(7)) >> 3; /* crossed only to get somewhere */
    const uint64_t not_less = sb_not_less(a->rising, a->falling);
    const uint64_t not_more = sb_not_less(a->falling, a->rising);
    const uint64_t larger = (a->rising & not_less * 15) | (a->falling & ~(not_less * 15));
    return (fare){.start = start,
                  .round_trip = 2 * sb_sum_of(larger + idle),
                  .rising = (not_less & ~not_more) | idle,
                  .falling = (not_more & ~not_less) | idle};
}

static int fare_to(const fare *f, int end) {
    const uint64_t saved = end > f->start ? f->rising & sb_one_each(f->start, end)
                                          : f->falling & sb_one_each(end, f->start);
    return f->round_trip + abs(end - f->start) - 2 * sb_sum_of(saved);
}

/* ---- The bound ---- */

typedef struct matching {
    const room *r;
    const layout *l;
    unsigned filled, open; /* sets of rows: slots with and without their piece */
    int least;             /* fewest steps found so far */
} matching;

/* Tells whether the piece, which is not stuck, could be pushed into the slot if it were alone. A piece at a wall stays
 * at that wall, so only the wall beside the slots is of use. Along that wall it cannot be pushed past a filled slot. */
static bool can_fill(const matching *m, int piece, int row) {
    const int away = m->r->away[piece], from = m->r->row[piece], last = m->r->width - 2;
    if (from == 1 || from == last || away == last - 1) return false;
    const unsigned between = from < row ? (2u << row) - (1u << from) : (2u << from) - (1u << row);
    return away > 0 || !(m->filled & between);
}

static void consider(matching *m, int steps) {
    if (steps < m->least) m->least = steps;
}

/* Takes the cheapest end. The last push leaves the agent beside the slot, or above or below it in the column of the
 * slots. The latter costs more if nothing else takes the agent into that column. */
static void conclude(matching *m, const axis *columns, const axis *rows) {
    const int away = m->r->away[m->l->agent];
    const fare along_columns = fare_of(columns, away), along_rows = fare_of(rows, m->r->row[m->l->agent]);
    const bool in_column = columns->first == 0;
    const int beside = fare_to(&along_columns, 1), inside = in_column ? fare_to(&along_columns, 0) : 0;
    for (int row = 1; m->open >> row; row++) {
        if (!(m->open >> row & 1)) continue;
        consider(m, beside + fare_to(&along_rows, row));
        if (!in_column) continue;
        consider(m, inside + fare_to(&along_rows, row - 1));
        consider(m, inside + fare_to(&along_rows, row + 1));
    }
}

/* Tries all ways to assign a separate piece to each open slot from the k-th on. `steps` is a coarser bound that cuts
 * off early: the agent has to walk back all sideways pushes, except for its own distance to the column of the slots. */
static void match(matching *m, int k, unsigned used, int steps, const axis *columns, const axis *rows) {
    const room *r = m->r;
    if (steps >= m->least) return;
    while (k < r->n_slots && m->filled >> r->slot_row[k] & 1) k++;
    if (k == r->n_slots) {
        conclude(m, columns, rows);
        return;
    }
    const int to = r->slot_row[k];
    for (int i = 0; i < r->n_pieces; i++) {
        const int piece = m->l->piece[i], from = r->row[piece], away = r->away[piece];
        if (used >> i & 1 || r->type[i] != r->slot_type[k] || !can_fill(m, piece, to)) continue;
        axis c = *columns, w = *rows;
        add_pushes(&c, away, 0, 0);
        add_pushes(&w, from, to, r->is_bold && away > 0);
        match(m, k + 1, used | 1u << i, steps + 2 * away + abs(from - to), &c, &w);
    }
}

/* Returns a lower bound on the steps that are left; negative if there is no way. The bold bound also assumes that after
 * pushing a piece up or down, the agent steps beside it to push it on sideways. Plans without that step are rare: it
 * may serve another piece as well, or the piece is pushed up or down only in the column of the slots. */
static int bound(void *context, const void *state) {
    enum { NEVER = 10000 };
    const room *r = context;
    const layout *l = state;
    const int row = r->row[l->agent], away = r->away[l->agent];
    matching m = {.r = r, .l = l, .least = NEVER};
    uint8_t holds[CELLS];
    unsigned unfit = 0; /* pieces that are in their slot, or stuck */
    lay_out(r, l, holds);
    for (int i = 0; i < r->n_pieces; i++) {
        const int piece = l->piece[i];
        const bool is_filling = holds[piece] == SB_GROUND_WALKED;
        if (!is_filling && !sb_is_stuck(holds, r->step_of, piece)) continue;
        if (!is_filling && r->wanted[piece]) return -1; /* the slot stays covered by a wrong piece */
        if (is_filling) m.filled |= 1u << r->row[piece];
        unfit |= 1u << i;
    }
    for (int k = 0; k < r->n_slots; k++) m.open |= 1u << r->slot_row[k] & ~m.filled;
    match(&m, 0, unfit, -away, &(axis){.first = away, .last = away}, &(axis){.first = row, .last = row});
    return m.least < NEVER ? m.least : -1;
}

/* ---- Planning ---- */

static void read_room(room *r, layout *l, const sb_episode *e) {
    const sb_packing_puzzle_vars *v = SB_VARS(e);
    memset(l, 0, sizeof *l);
    memset(r, 0, sizeof *r);
    r->width = e->width, r->n_slots = v->n_pieces;
    sb_index_steps(e, r->step_of);
    for (int k = 0; k < r->n_slots; k++) {
        r->slot_type[k] = (int8_t)v->type[k], r->slot_row[k] = (uint8_t)v->slot[k].y;
        r->wanted[sb_index(e, v->slot[k])] = r->slot_type[k];
    }
    l->agent = (uint8_t)sb_index(e, e->agent.at);
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        r->walls[i] = e->cells[i].terrain == SB_WALL ? SB_GROUND_WALL : SB_GROUND_FREE;
        r->row[i] = (uint8_t)p.y, r->away[i] = (uint8_t)abs(p.x - v->slot[0].x);
    }
    for (int k = 0; k < SB_PACKING_PUZZLE_TYPES; k++)
        for (int i = 0; i < sb_n_cells(e); i++) {
            const int type = sb_packing_puzzle_types[k], object = e->cells[i].object;
            if (object != type && !(object == SB_GOAL && r->wanted[i] == type)) continue;
            r->type[r->n_pieces] = (int8_t)type;
            l->piece[r->n_pieces++] = (uint8_t)i;
        }
}

static sb_verdict search(memory *m, const layout *start, const effort *how, int max_cost, sb_budget *budget) {
    const sb_problem problem = {.state_size = sizeof *start,
                                .expand = expand,
                                .bound = bound,
                                .context = &m->room,
                                .weight = how->weight,
                                .max_cost = max_cost};
    sb_budget part = *budget;
    if (part.limit - part.spent > how->states) part.limit = part.spent + how->states;
    m->room.is_bold = how->is_bold;
    const sb_verdict verdict = sb_search_run(m->search, STATES, &problem, start, &part);
    budget->spent = part.spent;
    if (!how->is_bold) budget->is_cut = part.is_cut; /* the last search: it decides whether the plan is the shortest */
    return verdict;
}

static void write_plan(memory *m, const sb_episode *e, layout l) {
    uint32_t moves[SB_PLAN_MAX];
    const room *r = &m->room;
    sb_survey s;
    const int n = sb_search_plan(m->search, moves, SB_PLAN_MAX);
    sb_plan_begin(&m->plan, e);
    for (int k = 0; k < n; k++) {
        const int i = (int)(moves[k] >> 2);
        const sb_direction d = (sb_direction)(moves[k] & 3);
        look_around(r, &l, l.piece[i] - r->step_of[d], &s);
        sb_survey_walk(&s, r->step_of, l.agent, &m->plan);
        sb_plan_add(&m->plan, sb_move_of(d));
        l = pushed(r, &l, i, l.piece[i] + r->step_of[d]);
    }
}

static void make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    layout start;
    const int steps_left = e->max_steps - e->clock;
    const bool is_hasty = m->plan.is_begun && e->difficulty >= SB_HARD; /* the agent has left the way of its plan */
    read_room(&m->room, &start, e);
    sb_plan_begin(&m->plan, e);
    m->plan.waits = search(m, &start, &bold, steps_left, budget) != SB_SOLVED &&
                    search(m, &start, &hasty, steps_left, budget) != SB_SOLVED;
    if (m->plan.waits) return;
    write_plan(m, e, start);
    const int shorter = sb_search_cost(m->search) - 1;
    if (is_hasty) return;
    if (search(m, &start, &careful[e->difficulty], shorter, budget) == SB_SOLVED) write_plan(m, e, start);
}

/* ---- Acting ---- */

static uint32_t all_pieces(void) {
    uint32_t pieces = 0;
    for (int k = 0; k < SB_PACKING_PUZZLE_TYPES; k++) pieces |= UINT32_C(1) << sb_packing_puzzle_types[k];
    return pieces;
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e) && !sb_plan_mend(&m->plan, e)) make_plan(m, e, budget);
    sb_plan_explain_push(&m->plan, e, all_pieces(), intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_give_up(action, intent);
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(env);
    layout start;
    read_room(&m->room, &start, e);
    return search(m, &start, &careful[SB_EASY], e->max_steps - e->clock, budget);
}

const sb_oracle sb_packing_puzzle_expert = {
    .family = "agentick",
    .task = "PackingPuzzle-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 7,
    .plans = true,
    .memory = sizeof(memory),
    .begin = sb_plan_forget,
    .act = act,
    .judge = judge,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *room_, const sb_episode *e, void *state) { read_room(room_, state, e); }

const sb_packed_rule sb_packing_puzzle_rule = {
    .task = "PackingPuzzle-v0",
    .memory = sizeof(room),
    .state_size = sizeof(layout),
    .pack = pack,
    .pushes = true,
    .expand = expand,
};
