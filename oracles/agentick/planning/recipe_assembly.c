/* The expert of RecipeAssembly: breadth-first search over everything that can change: the agent's cell, the step of the
 * recipe, and which ingredients were picked up. (The inventory follows from these: everything that was picked up but
 * not delivered.) It takes the fewest possible steps. Among several such plans it takes the first in the order of the
 * actions, so a fresh search and a stored plan agree. */
#include "generators/agentick/planning/recipe_assembly.h"

#include "oracles/kits/puzzle.h"

enum { FLOOR = 14 * 14, MAX_STEPS = SB_RECIPE_ASSEMBLY_STEPS, STATES = FLOOR * MAX_STEPS << SB_RECIPE_ASSEMBLY_SITES };

typedef struct packed_state {
    uint8_t cell, step;
    uint16_t taken; /* bit i is set if site i is empty */
} packed_state;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_recipe_assembly_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->cell = (uint8_t)sb_index(e, e->agent.at), s->step = (uint8_t)v->step;
    for (int i = 0; i < v->n_sites; i++)
        if (sb_peek(e, v->site[i])->object == SB_NONE) s->taken |= (uint16_t)(1u << i);
}

/* Puts in the agent's hand what was picked up but not delivered. */
static void arrange_items(sb_episode *board, const packed_state *s) {
    const sb_recipe_assembly_vars *v = SB_VARS(board);
    board->agent.n_items = 0;
    for (int i = 0; i < v->n_sites; i++)
        if (s->taken >> i & 1) sb_take(board, SB_ITEM_INGREDIENT, v->kind[i], v->site[i]);
    for (int step = 0; step < s->step; step++) sb_drop(board, sb_carries(board, SB_ITEM_INGREDIENT, v->recipe[step]));
}

static void arrange(sb_episode *board, const void *state_) {
    sb_recipe_assembly_vars *v = SB_VARS(board);
    const packed_state *s = state_;
    for (int i = 0; i < v->n_sites; i++) {
        const bool is_taken = s->taken >> i & 1;
        sb_set_object(board, v->site[i], is_taken ? SB_NONE : v->kind[i], 0);
    }
    v->step = s->step;
    board->agent.at = sb_xy_of(board, s->cell);
    arrange_items(board, s);
}

/* Names the next ingredient that the plan picks up or delivers. */
static bool explain(const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
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

typedef SB_PUZZLE_MEMORY(packed_state, STATES) memory;

static const sb_puzzle puzzle = {
    SB_PUZZLE_FOR(memory, packed_state, STATES),
    .last_action = SB_MOVE_RIGHT,
    .read = read_state,
    .arrange = arrange,
    .explain = explain,
};

SB_PUZZLE_ACT(puzzle)

const sb_oracle sb_recipe_assembly_expert = {
    .family = "agentick",
    .task = "RecipeAssembly-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
