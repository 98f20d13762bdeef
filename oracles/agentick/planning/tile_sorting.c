/* The expert of TileSorting: takes the fewest possible slides, found by iterative deepening. It finds the first
 * shortest plan in the order of the actions. The rest of that plan is the first shortest plan from any later state, so
 * a fresh search and a stored plan agree.
 *
 * Episodes start near the solution. From the most distant states of the 4x4 puzzle, where no episode starts, this
 * search may take too long; then a faster one settles for a plan that is short, but not the shortest. */
#include "generators/agentick/planning/tile_sorting.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/search/search.h"
#include "oracles/agentick/packed.h"
#include "oracles/kits/plan.h"

enum {
    SIDE = SB_TILE_SORTING_SIDE,
    STATES = 1 << 18,
    DEEP_STATES = 4000000, /* states after which the faster search follows */
    HASTE = 2
};

/* The tiles cell by cell, four bits each, the first cell lowest; 0 is the empty slot. */
typedef uint64_t puzzle;

typedef struct memory {
    sb_plan plan;
    int side;
    puzzle sorted;
    bool is_sorted; /* the tiles are sorted from the start, so there is nothing to plan */
    uint8_t home_row[SIDE * SIDE], home_column[SIDE * SIDE]; /* row and column of each tile's home */
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(puzzle), STATES)];
} memory;

static int tile_at(puzzle p, int cell) { return (int)(p >> 4 * cell & 15); }
static puzzle with(puzzle p, int cell, int tile) {
    return (p & ~(UINT64_C(15) << 4 * cell)) | (puzzle)tile << 4 * cell;
}

static puzzle read_puzzle(memory *m, const sb_episode *e) {
    const sb_tile_sorting_vars *v = SB_VARS(e);
    const int n = sb_tile_sorting_tiles(v);
    puzzle p = 0;
    m->side = v->side, m->sorted = 0;
    for (int cell = 0; cell <= n; cell++) {
        const sb_cell *c = sb_peek(e, sb_tile_sorting_home(v, cell + 1));
        if (c->object == SB_BOX) p = with(p, cell, sb_box_number(c->metadata));
        if (cell == n) break; /* not the home of a tile */
        m->sorted = with(m->sorted, cell, cell + 1);
        m->home_row[cell + 1] = (uint8_t)(cell / m->side), m->home_column[cell + 1] = (uint8_t)(cell % m->side);
    }
    return p;
}

/* ---- The bound ---- */

/* Counts the tiles of a line, among those that belong in it, that have to leave it for a while because they pass each
 * other: all but the longest sequence in the right order. `home` holds their homes along the line. */
static int in_the_way(const int *home, int n) {
    int longest = 0, ending[SIDE];
    for (int i = 0; i < n; i++) {
        ending[i] = 1;
        for (int k = 0; k < i; k++)
            if (home[k] < home[i] && ending[k] >= ending[i]) ending[i] = ending[k] + 1;
        if (ending[i] > longest) longest = ending[i];
    }
    return n - longest;
}

static int conflicts(const memory *m, puzzle p, int line) {
    int in_row[SIDE], in_column[SIDE], rows = 0, columns = 0;
    for (int i = 0; i < m->side; i++) {
        const int a = tile_at(p, line * m->side + i), b = tile_at(p, i * m->side + line);
        if (a && m->home_row[a] == line) in_row[rows++] = m->home_column[a];
        if (b && m->home_column[b] == line) in_column[columns++] = m->home_row[b];
    }
    return in_the_way(in_row, rows) + in_the_way(in_column, columns);
}

/* A slide brings one tile one cell closer; a tile that has to leave its line needs two more slides. */
static int bound(void *context, const void *state) {
    const memory *m = context;
    const puzzle p = *(const puzzle *)state;
    int slides = 0;
    for (int row = 0, cell = 0; row < m->side; row++) {
        for (int column = 0; column < m->side; column++, cell++) {
            const int tile = tile_at(p, cell);
            if (tile) slides += abs(row - m->home_row[tile]) + abs(column - m->home_column[tile]);
        }
        slides += 2 * conflicts(m, p, row);
    }
    return slides;
}

/* ---- Search ---- */

static void expand(void *context, const void *state, sb_search *search) {
    const memory *m = context;
    const puzzle p = *(const puzzle *)state;
    int slot = 0;
    while (tile_at(p, slot)) slot++;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        const sb_xy to = sb_beside(sb_at(slot % m->side, slot / m->side), sb_direction_of(move));
        if (to.x < 0 || to.x >= m->side || to.y < 0 || to.y >= m->side) continue;
        const int from = to.y * m->side + to.x;
        const puzzle next = with(with(p, slot, tile_at(p, from)), from, 0);
        sb_search_add(search, &next, (uint32_t)move, 1, next == m->sorted);
    }
}

static sb_verdict search(memory *m, const sb_problem *problem, const puzzle *start, sb_budget *budget) {
    sb_budget part = *budget;
    if (part.limit > part.spent + DEEP_STATES) part.limit = part.spent + DEEP_STATES;
    const sb_verdict verdict = sb_search_deepen(m->search, STATES, problem, start, &part);
    budget->spent = part.spent;
    return verdict == SB_NOT_FOUND ? sb_search_run(m->search, STATES, problem, start, budget) : verdict;
}

/* If the tiles are sorted from the start, any step that leaves them sorted wins, so the plan is to wait. */
static void make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const puzzle start = read_puzzle(m, e);
    const sb_problem problem = {.state_size = sizeof start,
                                .expand = expand,
                                .bound = bound,
                                .context = m,
                                .weight = HASTE,
                                .max_cost = e->max_steps - e->clock};
    sb_plan_begin(&m->plan, e);
    m->is_sorted = start == m->sorted;
    m->plan.verdict = m->is_sorted ? SB_NOT_FOUND : search(m, &problem, &start, budget);
    if (m->plan.verdict != SB_SOLVED) return;
    uint32_t moves[SB_PLAN_MAX];
    const int n = sb_search_plan(m->search, moves, SB_PLAN_MAX);
    for (int i = 0; i < n; i++) sb_plan_add(&m->plan, (sb_action)moves[i]);
}

/* ---- Acting ---- */

static void explain(const sb_episode *e, sb_action action, sb_intent *intent) {
    char name[sizeof intent->object];
    const sb_xy at = sb_beside(e->agent.at, sb_direction_of(action));
    snprintf(name, sizeof name, "tile marked %d", sb_box_number(sb_peek(e, at)->metadata));
    sb_intend(intent, "slide", name, at);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    if (sb_plan_next(&m->plan, e, action))
        explain(e, *action, intent);
    else if (m->is_sorted)
        *action = SB_NOOP, sb_intend(intent, "wait for", "end of the episode", sb_at(-1, -1));
    else
        sb_plan_give_up(&m->plan, NULL, action, intent);
}

const sb_oracle sb_tile_sorting_expert = {
    .family = "agentick",
    .task = "TileSorting-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *memory_, const sb_episode *e, void *state) { *(puzzle *)state = read_puzzle(memory_, e); }

const sb_packed_rule sb_tile_sorting_rule = {
    .task = "TileSorting-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(puzzle),
    .pack = pack,
    .expand = expand,
};
