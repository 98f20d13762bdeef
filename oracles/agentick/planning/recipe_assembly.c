/* The expert of RecipeAssembly: breadth-first search over everything that can change: the agent's cell, the step of the
 * recipe, and which ingredients were picked up. (The inventory follows from these: everything that was picked up but
 * not delivered.) It takes the fewest possible steps. Among several such plans it takes the first in the order of the
 * actions, so a fresh search and a stored plan agree. */
#include "generators/agentick/planning/recipe_assembly.h"

#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/puzzle.h"

enum {
    CELLS = 16 * 16,
    FLOOR = 14 * 14,
    MAX_STEPS = SB_RECIPE_ASSEMBLY_STEPS,
    STATES = FLOOR * MAX_STEPS << SB_RECIPE_ASSEMBLY_SITES
};

typedef struct packed_state {
    uint8_t cell, step;
    uint16_t taken; /* bit i is set if site i is empty */
} packed_state;

typedef struct map {
    bool wall[CELLS];
    int8_t site_at[CELLS]; /* -1: none */
    int station, n_steps, step_of[4];
    uint16_t sites[MAX_STEPS]; /* for each step of the recipe, the sites with its ingredient: one bit each */
    int8_t earlier[MAX_STEPS]; /* how many earlier steps ask for the same ingredient */
} map;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_recipe_assembly_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->cell = (uint8_t)sb_index(e, e->agent.at), s->step = (uint8_t)v->step;
    for (int i = 0; i < v->n_sites; i++)
        if (sb_peek(e, v->site[i])->object == SB_NONE) s->taken |= (uint16_t)(1u << i);
}

static void draw_map(void *map_, const sb_episode *e) {
    map *m = map_;
    const sb_recipe_assembly_vars *v = SB_VARS(e);
    m->station = sb_index(e, v->station), m->n_steps = v->n_steps;
    for (int i = 0; i < sb_n_cells(e); i++) m->wall[i] = e->cells[i].terrain == SB_WALL;
    memset(m->site_at, -1, sizeof m->site_at);
    for (int i = 0; i < v->n_sites; i++) m->site_at[sb_index(e, v->site[i])] = (int8_t)i;
    for (int step = 0; step < v->n_steps; step++) {
        m->sites[step] = 0, m->earlier[step] = 0;
        for (int i = 0; i < v->n_sites; i++) m->sites[step] |= (uint16_t)((v->kind[i] == v->recipe[step]) << i);
        for (int i = 0; i < step; i++) m->earlier[step] += v->recipe[i] == v->recipe[step];
    }
    sb_index_steps(e, m->step_of);
}

/* Tells whether the agent carries what the current step asks for: more of it was picked up than delivered. */
static bool is_in_hand(const map *m, const packed_state *s) {
    int n = 0;
    for (unsigned taken = s->taken & m->sites[s->step]; taken; taken &= taken - 1) n++;
    return n > m->earlier[s->step];
}

/* Applies the rules of the task to a state. */
static bool play(const void *map_, void *state_, sb_action move) {
    const map *m = map_;
    packed_state *s = state_;
    const int to = s->cell + m->step_of[sb_direction_of(move)];
    if (m->wall[to]) return false;
    s->cell = (uint8_t)to;
    if (to == m->station)
        s->step += is_in_hand(m, s);
    else if (m->site_at[to] >= 0)
        s->taken |= m->sites[s->step] & 1u << m->site_at[to];
    return true;
}

static bool is_solved(const void *map_, const void *state_) {
    const map *m = map_;
    const packed_state *s = state_;
    return s->step == m->n_steps;
}

/* Names the next ingredient that the plan picks up or delivers. */
static bool explain(const void *map_, const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    (void)map_;
    const sb_recipe_assembly_vars *v = SB_VARS(e);
    const packed_state *before = before_, *after = after_;
    const char *name = sb_object_names[v->recipe[before->step]];
    if (!after) return false;
    if (after->step != before->step)
        sb_intend(intent, "deliver", name, v->station);
    else if (after->taken != before->taken)
        sb_intend(intent, "fetch", name, sb_xy_of(e, after->cell));
    return after->step != before->step || after->taken != before->taken;
}

typedef SB_PUZZLE_MEMORY(map, packed_state, STATES) memory;

static const sb_puzzle puzzle = {
    SB_PUZZLE_LAYOUT(memory),
    .state_size = sizeof(packed_state),
    .n_states = STATES,
    .last_action = SB_MOVE_RIGHT,
    .draw_map = draw_map,
    .read = read_state,
    .play = play,
    .is_solved = is_solved,
    .explain = explain,
};

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    sb_puzzle_act(&puzzle, memory_, observation, budget, action, intent);
}

const sb_oracle sb_recipe_assembly_expert = {
    .family = "agentick",
    .task = "RecipeAssembly-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};

const sb_packed_rule sb_recipe_assembly_rule = {.task = "RecipeAssembly-v0", .puzzle = &puzzle};
