/* LightsOut: every step toggles the light on the cell that the agent enters and the lights beside it, also when that
 * cell lies outside the square of lights. All lights must be off, also the decoys around the square. */
#include "generators/agentick/reasoning/lights_out.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/tell.h"

typedef sb_lights_out_vars vars;

enum { MAX_SQUARE = 5 * 5, LIT = SB_LIGHTS_OUT_LIT, UNLIT = SB_LIGHTS_OUT_UNLIT };

static const struct parameters {
    int side, offset; /* side of the square of lights, and its first cell in x and in y */
    int n_lit;        /* random presses: n_lit to twice n_lit */
    int n_decoys, n_walls, least_complexity;
} parameters[SB_N_DIFFICULTIES] = {{3, 3, 3, 0, 0, 2}, {4, 3, 5, 1, 2, 4}, {4, 3, 8, 2, 3, 6}, {5, 4, 10, 3, 4, 8}};

static int least(int a, int b) { return a < b ? a : b; }

/* ---- The pattern: bit i stands for light i of the square ---- */

/* Returns the lights that a press of light i flips. */
static uint32_t press(int side, int i) {
    const int x = i % side, y = i / side;
    uint32_t flips = UINT32_C(1) << i;
    if (x > 0) flips |= flips >> 1;
    if (x + 1 < side) flips |= UINT32_C(1) << (i + 1);
    if (y > 0) flips |= UINT32_C(1) << (i - side);
    if (y + 1 < side) flips |= UINT32_C(1) << (i + side);
    return flips;
}

/* Measures a pattern as the published generator does: counts the ones in the last column after an elimination which
 * also skips a row for every column without a pivot. With side 3 this is the number of presses that solve the pattern;
 * with other sides it means nothing. Bit k of row i tells whether press k flips light i, and the bit after the last
 * whether light i is lit. */
static int complexity(int side, uint32_t lit) {
    uint32_t row[MAX_SQUARE];
    const int n = side * side;
    int count = 0;
    for (int i = 0; i < n; i++) row[i] = press(side, i) | (lit >> i & 1) << n;
    for (int p = 0; p < n; p++) {
        int k = p;
        while (k < n && !(row[k] >> p & 1)) k++;
        if (k == n) continue;
        const uint32_t pivot = row[k];
        row[k] = row[p], row[p] = pivot;
        for (int i = 0; i < n; i++)
            if (i != p && row[i] >> p & 1) row[i] ^= pivot;
    }
    for (int i = 0; i < n; i++) count += (int)(row[i] >> n);
    return count;
}

/* Presses random lights, starting with all off. If that leaves all off, draws lit lights directly. */
static uint32_t draw_pattern(const struct parameters *difficulty, sb_rng *rng) {
    const int n = difficulty->side * difficulty->side,
              presses = (int)sb_integers(rng, difficulty->n_lit, 2 * difficulty->n_lit + 1);
    int64_t chosen[MAX_SQUARE];
    uint32_t lit = 0;
    for (int k = 0; k < presses; k++) lit ^= press(difficulty->side, (int)sb_integer_below(rng, n));
    if (lit) return lit;
    sb_choices_distinct(rng, n, (size_t)difficulty->n_lit, chosen);
    for (int k = 0; k < difficulty->n_lit; k++) lit |= UINT32_C(1) << chosen[k];
    return lit;
}

/* ---- The instance ---- */

static void add_light(sb_episode *e, sb_xy p, bool is_lit) {
    vars *v = SB_VARS(e);
    v->at[v->n_lights++] = p;
    v->n_lit += is_lit;
    sb_set_object(e, p, SB_SWITCH, is_lit ? LIT : UNLIT);
}

static void add_square(sb_episode *e, const struct parameters *difficulty, uint32_t lit) {
    vars *v = SB_VARS(e);
    v->n_square = difficulty->side * difficulty->side;
    v->first_lit = lit;
    for (int i = 0; i < v->n_square; i++)
        add_light(e, sb_at(difficulty->offset + i % difficulty->side, difficulty->offset + i / difficulty->side),
                  lit >> i & 1);
}

static bool reaches_lights(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_connected_all(e, v->start, v->at, v->n_lights);
}

/* Adds decoys, which start lit, and walls that cut off no light. */
static void furnish(sb_episode *e, const struct parameters *difficulty, sb_rng *rng) {
    sb_cells free;
    sb_cells_columns(&free, e, 1);
    sb_cells_keep(&free, e, sb_vacant);
    sb_cells_remove(&free, e->agent.at);
    sb_cells_shuffle(&free, rng);
    for (int i = 0; i < difficulty->n_decoys; i++) {
        add_light(e, free.at[0], true);
        sb_cells_remove(&free, free.at[0]);
    }
    sb_scatter(e, &free, difficulty->n_walls, SB_WALL, reaches_lights);
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 50 }; /* the last attempt is taken as it is */
    const struct parameters *difficulty = &parameters[e->difficulty];
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    uint32_t lit = 0;
    sb_wall_border(e);
    v->start = e->agent.at = sb_at(1, 1);
    for (int i = 0; i < ATTEMPTS && complexity(difficulty->side, lit) < difficulty->least_complexity; i++)
        lit = draw_pattern(difficulty, &rng);
    add_square(e, difficulty, lit);
    furnish(e, difficulty, &rng);
    e->paid[0] = v->n_lit;
    return true;
}

/* ---- The rules ---- */

/* The agent may walk over lights. */
static bool can_enter(sb_episode *e, sb_xy to) {
    (void)e, (void)to;
    return true;
}

static int toggle(sb_cell *cell) {
    if (cell->object != SB_SWITCH) return 0;
    cell->metadata = LIT + UNLIT - cell->metadata;
    return cell->metadata == LIT ? 1 : -1;
}

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_cell *here = sb_cell_at(e, e->agent.at);
    v->n_lit += toggle(here) + toggle(here + 1) + toggle(here - 1) + toggle(here + e->width) + toggle(here - e->width);
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_lit == 0;
}

/* Returns how much closer the agent came to the nearest lit light. Unlit lights get a large extra distance instead of a
 * branch: which lights are lit is too random for branch prediction. */
static int approach_to_lit(const sb_episode *e, const sb_transition *t) {
    enum { AWAY = 1024 };
    const vars *v = SB_VARS(e);
    int before = AWAY, after = AWAY;
    if (sb_same(t->before.at, e->agent.at)) return 0;
    for (int i = 0; i < v->n_lights; i++) {
        const int away = AWAY * (sb_peek(e, v->at[i])->metadata - LIT);
        before = least(before, sb_manhattan(t->before.at, v->at[i]) + away);
        after = least(after, sb_manhattan(e->agent.at, v->at[i]) + away);
    }
    return before - after;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    double reward = -0.01;
    if (v->n_lit < e->paid[0]) reward += 0.3 * (e->paid[0] - v->n_lit);
    e->paid[0] = v->n_lit;
    reward += 0.05 * approach_to_lit(e, t);
    if (t->success) reward += 1.0;
    return reward;
}

/* A step toggles at most five lights. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return (v->n_lit + 4) / 5;
}

/* ---- What observations say ---- */

static void tell(const sb_episode *e, sb_told *told) {
    (void)e;
    sb_tell(told, SB_TOLD_SWITCH_MEANS, LIT, true);
    sb_tell(told, SB_TOLD_SWITCH_MEANS, UNLIT, false);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_xy lit[MAX_SQUARE];
    size_t n = 0;
    for (int i = 0; i < v->n_square; i++)
        if (v->first_lit >> i & 1) lit[n++] = v->at[i];
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_cells(c, "light_positions", lit, n);
    sb_config_cells(c, "decoy_positions", v->at + v->n_square, (size_t)(v->n_lights - v->n_square));
    sb_config_cells(c, "puzzle_cells", v->at, (size_t)v->n_square);
    sb_config_bool(c, "adjacent_toggle", true);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_lights_out = {
    .info = {.name = "LightsOut-v0",
             .category = "reasoning",
             .skills = SB_SKILLS("combinatorial_logic"),
             .summary = "Turn all lights off: every step toggles the light that is entered and those beside it."},
    .extents = {{7, 7, 80}, {9, 9, 150}, {11, 11, 250}, {13, 13, 400}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = can_enter,
    .on_enter = on_enter,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .tell = tell,
    .config = config,
};
