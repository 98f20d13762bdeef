/* PackingPuzzle: push typed pieces into slots of their type. A slot with the right piece is filled for good and becomes
 * floor. A piece of another type covers a slot until it is pushed on. */
#include "generators/agentick/planning/packing_puzzle.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_packing_puzzle_vars vars;

enum { TYPES = SB_PACKING_PUZZLE_TYPES };

const int8_t sb_packing_puzzle_types[TYPES] = {SB_BOX, SB_GEM, SB_ORB, SB_SCROLL};

static const struct parameters {
    int pieces, types, distractors;
} parameters[SB_N_DIFFICULTIES] = {{2, 2, 0}, {3, 2, 1}, {4, 3, 1}, {5, 4, 2}};

/* ---- The instance ---- */

/* Starts the agent beside one side wall. Returns the column beside the other wall, where the slots go. */
static int draw_sides(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int left = 1, right = e->width - 2;
    const bool from_the_right = sb_random(rng) < 0.5;
    v->start = e->agent.at = sb_at(from_the_right ? right : left, (int)sb_integers(rng, 1, e->height - 1));
    return from_the_right ? left : right;
}

static void place_pieces(sb_episode *e, const struct parameters *difficulty, int column, const sb_cells *sites) {
    vars *v = SB_VARS(e);
    v->n_pieces = difficulty->pieces;
    const int top = 1 + (e->height - 2 - v->n_pieces) / 2;
    for (int i = 0; i < v->n_pieces; i++) {
        v->type[i] = sb_packing_puzzle_types[i % difficulty->types];
        v->slot[i] = sb_at(column, top + i);
        v->piece[i] = sites->at[i];
        sb_set_object(e, v->slot[i], SB_TARGET, v->type[i]);
        sb_set_object(e, v->piece[i], (sb_object)v->type[i], 0);
    }
}

/* Distractors have a type that no slot takes, or any type if every type has a slot. */
static void draw_distractors(sb_episode *e, const struct parameters *difficulty, const sb_cells *sites, sb_rng *rng) {
    vars *v = SB_VARS(e);
    v->n_distractors = difficulty->distractors;
    for (int i = 0; i < v->n_distractors; i++) {
        const int64_t type = difficulty->types < TYPES ? difficulty->types : sb_integer_below(rng, TYPES);
        v->distractor[i] = sites->at[v->n_pieces + i];
        sb_set_object(e, v->distractor[i], (sb_object)sb_packing_puzzle_types[type], 0);
    }
}

static bool generate(sb_episode *e) {
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells sites;
    sb_clear_room(e);
    const int column = draw_sides(e, &rng);
    sb_cells_columns(&sites, e, 2); /* not beside a wall, from which a piece could not be pushed away */
    sb_cells_shuffle(&sites, &rng);
    place_pieces(e, difficulty, column, &sites);
    draw_distractors(e, difficulty, &sites, &rng);
    return true;
}

/* ---- The rules ---- */

/* Pushes the piece on this cell one cell on; returns false if it cannot move. An unfilled slot keeps its type in the
 * cell's metadata even while a piece covers it. */
static bool push(sb_episode *e, sb_xy from) {
    vars *v = SB_VARS(e);
    const sb_xy to = sb_beside(from, (sb_direction)e->agent.facing);
    sb_cell *left = sb_cell_at(e, from), *reached = sb_cell_at(e, to);
    const int8_t piece = left->object;
    if (!sb_interior(e, to) || (reached->object != SB_NONE && reached->object != SB_TARGET)) return false;
    left->object = left->metadata ? SB_TARGET : SB_NONE;
    if (reached->object == SB_TARGET && reached->metadata == piece) {
        *reached = (sb_cell){.object = SB_GOAL};
        v->n_filled++;
    } else {
        reached->object = piece;
    }
    return true;
}

static bool can_enter(sb_episode *e, sb_xy to) {
    return !sb_packing_puzzle_is_piece(sb_peek(e, to)->object) || push(e, to);
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_filled >= v->n_pieces;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    int32_t *paid_slots = &e->paid[0];
    double reward = -0.01;
    if (v->n_filled > *paid_slots) reward += 0.4 * (v->n_filled - *paid_slots);
    *paid_slots = v->n_filled;
    if (t->success) reward += 1.0;
    return reward;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    const size_t n = (size_t)v->n_pieces;
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", v->slot, n);
    sb_config_cells(c, "piece_positions", v->piece, n);
    sb_config_ints(c, "piece_types", v->type, n);
    sb_config_cells(c, "target_positions", v->slot, n);
    sb_config_cells(c, "distractor_positions", v->distractor, (size_t)v->n_distractors);
    sb_config_int(c, "n_pieces", v->n_pieces);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_packing_puzzle = {
    .info = {.name = "PackingPuzzle-v0",
             .category = "planning",
             .skills = SB_SKILLS("spatial_reasoning", "planning"),
             .summary = "Push typed pieces into the slots of their type; against a wall they are hard to get away."},
    .extents = {{7, 7, 100}, {9, 9, 180}, {11, 11, 300}, {13, 13, 500}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = can_enter,
    .is_success = is_success,
    .dense = dense,
    .config = config,
};
