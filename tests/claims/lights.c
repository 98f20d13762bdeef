/* LightsOut: A* over the agent's cell and the lights. The bound is read from tables: they have the fewest steps that
 * turn off all decoys and all lights of a block of the square, ignoring the other lights. A table is filled
 * breadth-first from the state without light. */
#include "tests/claims/claims.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "base/search/search.h"
#include "generators/agentick/reasoning/lights_out.h"

enum { MAX_CELLS = 11 * 11 };

/* Bit i is light i; the bits above the lights are the number of the agent's cell, from 1 on. */
typedef uint64_t lights_state;

typedef struct board {
    int n_cells, beside[MAX_CELLS + 1][4]; /* 0: none */
    int start;
    lights_state flips[MAX_CELLS + 1]; /* the lights that entering the cell toggles */
} board;

enum { LIGHT_BITS = SB_LIGHTS_OUT_LIGHTS };

static int cell_of(lights_state s) { return (int)(s >> LIGHT_BITS); }
static lights_state lights_of(lights_state s) { return s & ((UINT64_C(1) << LIGHT_BITS) - 1); }
static lights_state state_of(int cell, lights_state lights) { return (lights_state)cell << LIGHT_BITS | lights; }

/* ---- The board ---- */

static void draw_board(board *b, const sb_episode *e) {
    const sb_lights_out_vars *v = SB_VARS(e);
    int number[SB_CELLS_MAX] = {0};
    memset(b, 0, sizeof *b);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_walkable(e, sb_xy_of(e, i))) number[i] = ++b->n_cells;
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy at = sb_xy_of(e, i);
        if (!number[i]) continue;
        for (int d = 0; d < 4; d++) b->beside[number[i]][d] = number[sb_index(e, sb_beside(at, (sb_direction)d))];
        for (int k = 0; k < v->n_lights; k++)
            if (sb_manhattan(at, v->at[k]) <= 1) b->flips[number[i]] |= UINT64_C(1) << k;
    }
    b->start = number[sb_index(e, e->agent.at)];
}

static lights_state read_lights(const sb_episode *e) {
    const sb_lights_out_vars *v = SB_VARS(e);
    lights_state lights = 0;
    for (int i = 0; i < v->n_lights; i++) lights |= (lights_state)sb_lights_out_is_lit(e, i) << i;
    return lights;
}

/* Takes a long walk in the episode and asserts that the board agrees with it. */
static void assert_plays_like(const board *b, const sb_episode *start) {
    sb_episode e = {0};
    sb_rng rng;
    sb_result result = {0};
    lights_state s = state_of(b->start, read_lights(start));
    sb_episode_copy(&e, start);
    sb_rng_seed(&rng, 1, NULL);
    while (!result.terminated && !result.truncated) {
        const sb_direction d = (sb_direction)sb_integers(&rng, 0, 4);
        const int to = b->beside[cell_of(s)][d];
        if (to) s = state_of(to, lights_of(s) ^ b->flips[to]);
        sb_episode_step(&e, sb_move_of(d), &result);
        assert_int_equal(lights_of(s), read_lights(&e));
        assert_int_equal(result.success, lights_of(s) == 0);
    }
}

/* ---- Tables ---- */

/* The table for some of the lights. A state has a bit for each of them, in order, and the cell above. */
typedef struct table {
    int n, light[LIGHT_BITS];
    uint32_t flips[MAX_CELLS + 1];
    uint8_t *steps; /* fewest steps until these lights are off, by state */
} table;

enum { UNKNOWN = 255, TABLES = 4, BLOCK = 3 };

static uint32_t part_of(const table *t, lights_state lights) {
    uint32_t part = 0;
    for (int i = 0; i < t->n; i++) part |= (uint32_t)(lights >> t->light[i] & 1) << i;
    return part;
}

/* Chooses the lights of the square in these columns and rows, and all decoys. */
static void choose_lights(table *t, const sb_episode *e, const int first[2], const int size[2]) {
    const sb_lights_out_vars *v = SB_VARS(e);
    t->n = 0;
    for (int i = 0; i < v->n_lights; i++) {
        const int x = v->at[i].x - v->at[0].x - first[0], y = v->at[i].y - v->at[0].y - first[1];
        if (i >= v->n_square || (x >= 0 && y >= 0 && x < size[0] && y < size[1])) t->light[t->n++] = i;
    }
}

/* Fills the table backwards: before the step into a cell, the agent was beside it, and the lights that it toggles were
 * different. */
static void fill(table *t, const board *b) {
    const uint32_t parts = UINT32_C(1) << t->n, n_states = (uint32_t)(b->n_cells + 1) * parts;
    uint32_t *queue = malloc(n_states * sizeof *queue), n = 0;
    t->steps = malloc(n_states);
    assert_non_null(queue);
    assert_non_null(t->steps);
    memset(t->steps, UNKNOWN, n_states);
    for (int cell = 1; cell <= b->n_cells; cell++) {
        t->flips[cell] = part_of(t, b->flips[cell]);
        t->steps[queue[n++] = (uint32_t)cell * parts] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        const int cell = (int)(queue[i] / parts);
        const uint32_t before = (queue[i] % parts) ^ t->flips[cell];
        for (int d = 0; d < 4; d++) {
            const uint32_t state = (uint32_t)b->beside[cell][d] * parts + before;
            if (!b->beside[cell][d] || t->steps[state] != UNKNOWN) continue;
            t->steps[state] = (uint8_t)(t->steps[queue[i]] + 1);
            queue[n++] = state;
        }
    }
    free(queue);
}

/* ---- The search ---- */

typedef struct problem {
    board board;
    table table[TABLES];
} problem;

/* Makes tables of the blocks in the corners of the square. */
static void make_tables(problem *p, const sb_episode *e) {
    const sb_lights_out_vars *v = SB_VARS(e);
    const int size[2] = {BLOCK, BLOCK}, last = v->at[v->n_square - 1].x - v->at[0].x + 1 - BLOCK;
    for (int k = 0; k < TABLES; k++) {
        const int first[2] = {k & 1 ? last : 0, k & 2 ? last : 0};
        choose_lights(&p->table[k], e, first, size);
        fill(&p->table[k], &p->board);
    }
}

static int bound(void *context, const void *state) {
    const problem *p = context;
    lights_state s;
    int most = 0;
    memcpy(&s, state, sizeof s);
    for (int k = 0; k < TABLES; k++) {
        const table *t = &p->table[k];
        const int steps = t->steps[(uint32_t)cell_of(s) << t->n | part_of(t, lights_of(s))];
        if (steps == UNKNOWN) return -1;
        if (steps > most) most = steps;
    }
    return most;
}

static void expand(void *context, const void *state, sb_search *search) {
    const board *b = &((const problem *)context)->board;
    lights_state s;
    memcpy(&s, state, sizeof s);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
        const int to = b->beside[cell_of(s)][d];
        const lights_state next = state_of(to, lights_of(s) ^ b->flips[to]);
        if (to) sb_search_add(search, &next, (uint32_t)sb_move_of(d), 1, lights_of(next) == 0);
    }
}

void claim_lights(const sb_episode *start, uint32_t n_states, claim_answer *answer) {
    static problem p;
    draw_board(&p.board, start);
    assert_plays_like(&p.board, start);
    make_tables(&p, start);
    const lights_state state = state_of(p.board.start, read_lights(start));
    const sb_problem how = {
        .state_size = sizeof state, .expand = expand, .bound = bound, .context = &p, .max_cost = start->max_steps};
    claim_run(&how, &state, n_states, answer);
    for (int k = 0; k < TABLES; k++) free(p.table[k].steps);
}
