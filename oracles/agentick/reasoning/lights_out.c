/* The expert of LightsOut: A* over everything that can change, the agent's cell and the lights.
 *
 * The bound makes it fast. A pattern is a part of the square of lights, together with all decoys. A table tells for
 * each cell and each state of a pattern's lights the fewest steps that turn these lights off, ignoring all others.
 * There is one table for a pattern and for each of its quarter turns, and the bound is the largest value of the tables.
 * At difficulty easy the pattern is the whole square, so the bound is exact.
 *
 * Tables are filled breadth-first, backwards from the state without light. The states of a pattern's lights are bits of
 * a set, so 64 of them are processed at once; these count as one state in the budget. */
#include "generators/agentick/reasoning/lights_out.h"

#include <string.h>

#include "base/search/search.h"
#include "oracles/agentick/packed.h"
#include "oracles/kits/plan.h"

enum {
    PATTERNS = 4,
    LIGHTS = 12, /* most lights of a pattern */
    WORDS = 1 << (LIGHTS - 6),
    CELLS = 11 * 11,
    DIGITS = 6, /* binary digits of a distance */
    FAR = (1 << DIGITS) - 1,
    STATES = 1 << 21
};

/* The agent's cell (the number of a walkable cell) and, above that, the lit lights in the order in which the tables use
 * them: the lights of one pattern after the other. A light has a bit in every pattern that it belongs to, or one of the
 * highest bits if it belongs to none. */
typedef uint64_t packed_state;

enum { CELL_BITS = 8 }; /* 8 bits are left at the top; only the middle light of the expert square needs one */

/* What the tables depend on. Walkable cells are numbered; the number n_cells stands for a wall. */
typedef struct map {
    int32_t n_cells, n_patterns, n_words; /* n_words: words of a set of states of a pattern's lights */
    uint8_t beside[CELLS][4];             /* number of the cell beside each cell, by direction */
    uint64_t flips[CELLS];                /* the bits that change when the cell is entered */
} map;

typedef struct memory {
    sb_plan plan;
    map map;
    uint64_t bits[SB_LIGHTS_OUT_LIGHTS]; /* bits of each light in a state */
    uint8_t number[SB_CELLS_MAX];        /* number of each cell, by index in the grid */
    /* The tables, which are kept until the map is another one, and the sets of states that are used to fill them. */
    bool is_hasty; /* whether the bound is a quarter too large, which finds a good plan sooner than the best one */
    bool is_cut;   /* distances of FAR and more count as FAR, like those of states that cannot be reached */
    uint64_t distance[PATTERNS][CELLS][WORDS][DIGITS]; /* each word holds one binary digit of 64 distances */
    uint64_t known[CELLS][WORDS], front[CELLS][WORDS], before[CELLS + 1][WORDS];
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(packed_state), STATES)];
} memory;

static int cell_of(packed_state s) { return (int)(s & ((1 << CELL_BITS) - 1)); }
static bool is_dark(packed_state s) { return s >> CELL_BITS == 0; }
static unsigned lights_of(packed_state s, int pattern) {
    return (unsigned)(s >> (CELL_BITS + pattern * LIGHTS)) & ((1 << LIGHTS) - 1);
}

/* ---- The map ---- */

/* Bit i for light i of the square, as in the task: a row is `side` bits. The patterns were found by experiment: they
 * give the best bounds among tables that can be filled fast enough. */
static const struct own {
    int side, n_patterns;
    uint32_t pattern;
} own[SB_N_DIFFICULTIES] = {{3, 1, 0x1ff}, {4, 4, 0x0ff}, {4, 4, 0x077}, {5, 4, 0x11804c7}};

/* Turns a pattern by a quarter. */
static uint32_t turned(uint32_t pattern, int side) {
    uint32_t result = 0;
    for (int i = 0; i < side * side; i++)
        if (pattern >> i & 1) result |= UINT32_C(1) << (i % side * side + side - 1 - i / side);
    return result;
}

static void assign_bits(memory *m, const sb_episode *e) {
    const sb_lights_out_vars *v = SB_VARS(e);
    const struct own *level = &own[e->difficulty];
    uint32_t pattern = level->pattern;
    int top = 64, n = 0;
    memset(m->bits, 0, sizeof m->bits);
    for (int p = 0; p < level->n_patterns; p++, pattern = turned(pattern, level->side)) {
        n = 0;
        for (int i = 0; i < v->n_lights; i++)
            if (i >= v->n_square || pattern >> i & 1) m->bits[i] |= UINT64_C(1) << (CELL_BITS + p * LIGHTS + n++);
    }
    for (int i = 0; i < v->n_lights; i++)
        if (m->bits[i] == 0) m->bits[i] = UINT64_C(1) << --top;
    m->map.n_patterns = level->n_patterns;
    m->map.n_words = (1 << n) / 64;
}

static void draw_cell(memory *m, const sb_episode *e, int index) {
    const sb_lights_out_vars *v = SB_VARS(e);
    const sb_xy at = sb_xy_of(e, index);
    const int cell = m->number[index];
    m->map.flips[cell] = 0;
    for (int i = 0; i < v->n_lights; i++)
        if (sb_manhattan(at, v->at[i]) <= 1) m->map.flips[cell] |= m->bits[i];
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        m->map.beside[cell][d] = m->number[sb_index(e, sb_beside(at, d))];
}

static void draw_map(memory *m, const sb_episode *e) {
    memset(&m->map, 0, sizeof m->map);
    assign_bits(m, e);
    m->map.n_cells = 0;
    for (int i = 0; i < sb_n_cells(e); i++) m->map.n_cells += e->cells[i].terrain == SB_EMPTY;
    for (int i = 0, n = 0; i < sb_n_cells(e); i++)
        m->number[i] = (uint8_t)(e->cells[i].terrain == SB_EMPTY ? n++ : m->map.n_cells);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (m->number[i] < m->map.n_cells) draw_cell(m, e, i);
}

static packed_state state_of(const memory *m, const sb_episode *e) {
    const sb_lights_out_vars *v = SB_VARS(e);
    packed_state s = m->number[sb_index(e, e->agent.at)];
    for (int i = 0; i < v->n_lights; i++)
        if (sb_lights_out_is_lit(e, i)) s |= m->bits[i];
    return s;
}

/* Applies the rules of the task to a state. */
static packed_state after(const memory *m, packed_state s, sb_action move) {
    const int to = m->map.beside[cell_of(s)][sb_direction_of(move)];
    return to == m->map.n_cells ? s : ((s ^ m->map.flips[to]) >> CELL_BITS << CELL_BITS | (packed_state)to);
}

/* ---- Tables ---- */

/* Returns the set of the states i ^ flips for all states i of this set; `flips` is below 64. */
static uint64_t flipped(uint64_t set, unsigned flips) {
    static const uint64_t low[6] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                    0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
    for (int i = 0; set != 0 && i < 6; i++)
        if (flips >> i & 1) set = (set >> (1 << i) & low[i]) | (set & low[i]) << (1 << i);
    return set;
}

/* Computes the states before the step that entered the cell. */
static void step_back(memory *m, int pattern, int cell) {
    const unsigned flips = lights_of(m->map.flips[cell], pattern);
    for (int w = 0; w < m->map.n_words; w++)
        m->before[cell][w] = flipped(m->front[cell][w ^ (int)(flips >> 6)], flips & 63);
}

/* Makes the next front: the unknown states from which one step leads into the old front. False if there are none. */
static bool advance(memory *m, int pattern, int distance) {
    uint64_t any = 0;
    for (int c = 0; c < m->map.n_cells; c++) step_back(m, pattern, c);
    for (int c = 0; c < m->map.n_cells; c++) {
        const uint8_t *beside = m->map.beside[c];
        for (int w = 0; w < m->map.n_words; w++) {
            const uint64_t set = m->before[beside[SB_NORTH]][w] | m->before[beside[SB_EAST]][w] |
                                 m->before[beside[SB_SOUTH]][w] | m->before[beside[SB_WEST]][w];
            const uint64_t front = set & ~m->known[c][w];
            m->front[c][w] = front;
            if (front == 0) continue;
            m->known[c][w] |= front, any |= front;
            for (int i = 0; i < DIGITS; i++)
                if (!(distance >> i & 1)) m->distance[pattern][c][w][i] &= ~front;
        }
    }
    return any;
}

/* Fills a table; states that are not reached stay FAR. */
static void fill_table(memory *m, int pattern, sb_budget *budget) {
    const size_t n = (size_t)m->map.n_words;
    int distance = 1;
    for (int c = 0; c < m->map.n_cells; c++) {
        memset(m->distance[pattern][c], 0xff, n * sizeof m->distance[0][0][0]);
        memset(m->known[c], 0, n * sizeof m->known[0][0]);
        memset(m->front[c], 0, n * sizeof m->front[0][0]);
        m->known[c][0] = m->front[c][0] = 1;
        for (int i = 0; i < DIGITS; i++) m->distance[pattern][c][0][i] -= 1;
    }
    memset(m->before[m->map.n_cells], 0, sizeof m->before[0]);
    while (distance < FAR && advance(m, pattern, distance)) distance++;
    m->is_cut |= distance == FAR;
    budget->spent += (uint64_t)m->map.n_cells * n;
}

static void fill_tables(memory *m, sb_budget *budget) {
    m->is_cut = false;
    for (int p = 0; p < m->map.n_patterns; p++) fill_table(m, p, budget);
}

static int look_up(const memory *m, int pattern, packed_state s) {
    const unsigned lights = lights_of(s, pattern);
    const uint64_t *digit = m->distance[pattern][cell_of(s)][lights >> 6];
    int distance = 0;
    for (int i = 0; i < DIGITS; i++) distance |= (int)(digit[i] >> (lights & 63) & 1) << i;
    return distance;
}

/* ---- Search ---- */

static int bound(void *context, const void *state) {
    const memory *m = context;
    const packed_state *s = state;
    int most = 0;
    for (int p = 0; p < m->map.n_patterns; p++) {
        const int distance = look_up(m, p, *s);
        most = distance > most ? distance : most;
    }
    if (most == FAR && !m->is_cut) return -1;
    return m->is_hasty ? most + most / 4 : most;
}

static void expand(void *context, const void *state, sb_search *search) {
    const packed_state *here = state;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        const packed_state there = after(context, *here, move);
        sb_search_add(search, &there, (uint32_t)move, 1, is_dark(there));
    }
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const sb_problem problem = {.state_size = sizeof(packed_state),
                                .expand = expand,
                                .bound = bound,
                                .context = m,
                                .max_cost = e->max_steps - e->clock};
    const map before = m->map;
    m->is_hasty = m->plan.is_begun && e->difficulty == SB_EXPERT; /* the agent has left the way of its plan */
    draw_map(m, e);
    if (memcmp(&m->map, &before, sizeof before) != 0) fill_tables(m, budget);
    const packed_state start = state_of(m, e);
    if (m->is_hasty) {
        if (sb_plan_search(&m->plan, e, m->search, STATES, &problem, &start, budget) == SB_SOLVED) return SB_SOLVED;
        m->is_hasty = false;
    }
    return sb_plan_search(&m->plan, e, m->search, STATES, &problem, &start, budget);
}

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    memory *m = memory_;
    m->plan.is_begun = false;
    return make_plan(m, sb_episode_of(env), budget);
}

/* ---- Acting ---- */

/* Names the next cell on the way that toggles a light. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    sb_xy at = e->agent.at;
    for (int i = m->plan.next; i < m->plan.n; i++) {
        at = sb_beside(at, sb_direction_of(m->plan.actions[i]));
        if (m->map.flips[m->number[sb_index(e, at)]] == 0) continue;
        sb_intend(intent, "toggle", sb_peek(e, at)->object == SB_SWITCH ? "light" : "cross of lights", at);
        return;
    }
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(m, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_plan_give_up(&m->plan, NULL, action, intent);
}

const sb_oracle sb_lights_out_expert = {
    .family = "agentick",
    .task = "LightsOut-v0",
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

static void pack(void *memory_, const sb_episode *e, void *state) {
    draw_map(memory_, e);
    *(packed_state *)state = state_of(memory_, e);
}

const sb_packed_rule sb_lights_out_rule = {
    .task = "LightsOut-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(packed_state),
    .pack = pack,
    .expand = expand,
};
