/* The expert of PackingPuzzle: A* over pushes with the bound of oracles/kits/crossings.h.
 *
 * A first search with a bold bound, which is nearly always right, finds a plan that is seldom a step or two too long. A
 * second one with a proven bound looks for a shorter plan until there is none. At the highest difficulty that may take
 * a million states, so there it stops early, and the first search gets an even larger bound if it takes long. An agent
 * that has left the way of its plan does without the second search at the two highest difficulties. */
#include "generators/agentick/planning/packing_puzzle.h"

#include <stdlib.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/crossings.h"
#include "oracles/kits/mend.h"

enum { STATES = 1 << 20 };

/* How to search, and after how many states to stop. */
typedef struct effort {
    bool is_bold; /* whether to use the bold bound */
    int haste;    /* eighths by which the bound is made larger */
    int weight;   /* the weight of the search: a factor of the bound */
    uint64_t states;
} effort;

/* Searches for the first plan: one after the other while a search takes too many states. If none of them finds it, the
 * last one decides. */
static const effort thorough[] = {{true, 0, 1, 20000}, {0}},
                    quick[] = {{true, 0, 1, 2000}, {true, 1, 1, 2000}, {true, 2, 1, 2000}, {true, 4, 1, 20000}, {0}},
                    hasty[] = {{true, 0, 1, 200}, {true, 2, 1, 2000}, {true, 4, 1, 20000}, {0}},
                    last = {true, 0, 2, 300000};
/* The search for a shorter plan, by difficulty. */
static const effort careful[SB_N_DIFFICULTIES] = {
    {false, 0, 1, UINT64_MAX}, {false, 0, 1, UINT64_MAX}, {false, 0, 1, UINT64_MAX}, {false, 0, 1, 200}};

typedef struct room {
    sb_pushing pushing;
    sb_goals goals;
    int width, n_cells, column; /* column: of the slots */
    int haste;                  /* eighths by which the bound is made larger */
    uint8_t slot[SB_PACKING_PUZZLE_PIECES];
} room;

typedef struct memory {
    sb_plan plan;
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

static int row_of(const room *r, int cell) { return cell / r->width; }

static int away(const room *r, int cell) { return abs(cell % r->width - r->column); }

/* A piece beside a wall stays there, so only the wall beside the slots is of use. */
static int fewest_pushes(const room *r, int cell, int slot) {
    const int row = row_of(r, cell), x = cell % r->width, last = r->width - 2;
    if (r->pushing.ground[cell] == SB_GROUND_WALL || row == 1 || row == last) return SB_FAR;
    if (x != r->column && (x == 1 || x == last)) return SB_FAR;
    return away(r, cell) + abs(row - row_of(r, slot));
}

/* Assumes that after pushing a piece up or down, the agent steps beside it to push it on sideways. Plans without that
 * step are rare: it may serve another piece as well, or the piece is pushed up or down only in the column of the slots.
 */
static void embolden(room *r, int k) {
    const int to = row_of(r, r->slot[k]);
    for (int i = 0; i < r->n_cells; i++) {
        sb_needs *needs = &r->goals.needs[k][i];
        if (needs->pushes >= SB_FAR || away(r, i) == 0 || row_of(r, i) == to) continue;
        if (row_of(r, i) < to)
            needs->forth[1] += sb_lines_below(to) ^ sb_lines_below(to - 1);
        else
            needs->back[1] += sb_lines_below(to + 1) ^ sb_lines_below(to);
        needs->beyond[1] |= sb_lines_below(to), needs->before[1] |= SB_EACH(1) ^ sb_lines_below(to);
    }
}

static void draw_bound(room *r, bool is_bold) {
    int16_t pushes[SB_PACKING_PUZZLE_PIECES][SB_PUSHING_CELLS];
    for (int k = 0; k < r->pushing.n_goals; k++)
        for (int i = 0; i < SB_PUSHING_CELLS; i++)
            pushes[k][i] = (int16_t)(i < r->n_cells ? fewest_pushes(r, i, r->slot[k]) : SB_FAR);
    sb_goals_draw(&r->goals, &r->pushing, pushes);
    for (int k = 0; k < r->pushing.n_goals && is_bold; k++) embolden(r, k);
}

/* ---- Planning ---- */

/* Adds the pieces of a type, also those in their slots. */
static void read_pieces(sb_pushing *p, sb_push_state *l, const sb_episode *e, int type) {
    for (int i = 0; i < sb_n_cells(e); i++) {
        const int object = e->cells[i].object, k = p->goal_at[i] - 1;
        if (object != type && !(object == SB_GOAL && p->goal_type[k] == type)) continue;
        p->type[p->n_things] = (int8_t)type;
        l->thing[p->n_things++] = (uint8_t)i;
    }
}

static void read_room(room *r, sb_push_state *l, const sb_episode *e) {
    const sb_packing_puzzle_vars *v = SB_VARS(e);
    sb_pushing *p = &r->pushing;
    r->width = e->width, r->n_cells = sb_n_cells(e), r->column = v->slot[0].x;
    *p = (sb_pushing){.n_goals = v->n_pieces, .kept = SB_GROUND_WALKED, .is_done = sb_all_kept, .bound = bound};
    sb_index_steps(e, p->step_of);
    for (int i = 0; i < r->n_cells; i++)
        p->ground[i] = e->cells[i].terrain == SB_WALL ? SB_GROUND_WALL : SB_GROUND_FREE;
    for (int k = 0; k < v->n_pieces; k++) {
        r->slot[k] = (uint8_t)sb_index(e, v->slot[k]);
        p->goal_at[r->slot[k]] = (int8_t)(k + 1), p->goal_type[k] = (int8_t)v->type[k];
    }
    *l = (sb_push_state){.agent = (uint8_t)sb_index(e, e->agent.at)};
    for (int k = 0; k < SB_PACKING_PUZZLE_TYPES; k++) read_pieces(p, l, e, sb_packing_puzzle_types[k]);
}

static sb_verdict search(memory *m, const sb_push_state *start, const effort *how, int max_cost, sb_budget *budget) {
    sb_budget part = *budget;
    if (part.limit - part.spent > how->states) part.limit = part.spent + how->states;
    draw_bound(&m->room, how->is_bold);
    m->room.haste = how->haste;
    const sb_verdict verdict = sb_pushing_search(&m->room.pushing, m->search, STATES, start, how->weight, max_cost,
                                                 &part);
    budget->spent = part.spent;
    if (!how->is_bold) budget->is_cut = part.is_cut; /* the last search: it decides whether the plan is the shortest */
    return verdict;
}

static sb_verdict find_first(memory *m, const sb_episode *e, bool is_hasty, int max_cost, sb_budget *budget) {
    sb_verdict verdict = SB_NOT_FOUND;
    const effort *how = is_hasty ? hasty : e->difficulty == SB_EXPERT ? quick : thorough;
    for (; how->states && verdict == SB_NOT_FOUND; how++) verdict = search(m, &m->start, how, max_cost, budget);
    return verdict == SB_SOLVED ? verdict : search(m, &m->start, &last, max_cost, budget);
}

static void make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const sb_push_state before = m->start;
    const int steps_left = e->max_steps - e->clock;
    const bool is_hasty = m->plan.is_begun && e->difficulty >= SB_HARD; /* the agent has left the way of its plan */
    read_room(&m->room, &m->start, e);
    const bool is_hopeless = sb_pushing_is_hopeless(&m->plan, &before, &m->start, e);
    sb_plan_begin(&m->plan, e);
    if (is_hopeless || find_first(m, e, is_hasty, steps_left, budget) != SB_SOLVED) {
        m->plan.verdict = SB_NOT_FOUND; /* the bold bound proves nothing */
        return;
    }
    sb_pushing_plan(&m->room.pushing, m->search, &m->start, &m->plan);
    const int shorter = sb_search_cost(m->search) - 1;
    if (is_hasty) return;
    if (search(m, &m->start, &careful[e->difficulty], shorter, budget) != SB_SOLVED) return;
    sb_plan_begin(&m->plan, e);
    sb_pushing_plan(&m->room.pushing, m->search, &m->start, &m->plan);
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
    if (!sb_plan_next(&m->plan, e, action))
        sb_pushing_give_up(&m->room.pushing, &m->start, "piece", "pieces", &m->plan, action, intent);
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(env);
    sb_push_state start;
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
    .state_size = sizeof(sb_push_state),
    .pack = pack,
    .pushes = true,
    .expand = sb_pushing_expand,
};
