/* TaskInterference: collect all gems and orbs. A gem fills the gem meter and drains the orb meter; an orb does the
 * opposite. At the end both meters must be at least half full. Above easy, items flee from the agent on every third
 * step. */
#include "generators/agentick/reasoning/task_interference.h"

#include <string.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/tell.h"

typedef sb_task_interference_vars vars;

enum { MAX_ITEMS = SB_TASK_INTERFERENCE_ITEMS, GEM = 1, ORB = 2 /* metadata of the items */ };
enum { N = SB_NORTH, E = SB_EAST, S = SB_SOUTH, W = SB_WEST };

static const double THRESHOLD = 0.5, GAIN = 0.25;

static const struct parameters {
    int gems; /* also the number of orbs */
    double drain;
    bool flee;
} parameters[SB_N_DIFFICULTIES] = {{5, 0.05, false}, {6, 0.08, true}, {8, 0.10, true}, {10, 0.12, true}};

/* ---- The instance ---- */

/* Draws a coordinate in the first or the second half of the interior, with equal chances. */
static int draw_coordinate(int side, sb_rng *rng) {
    const int half = side / 2;
    return (int)(sb_random(rng) < 0.5 ? sb_integers(rng, 1, half) : sb_integers(rng, half, side - 1));
}

static void place_items(sb_episode *e, const sb_xy *sites) {
    vars *v = SB_VARS(e);
    v->n_gems = parameters[e->difficulty].gems, v->n_items = 2 * v->n_gems;
    for (int i = 0; i < v->n_items; i++) {
        const bool is_gem = i < v->n_gems;
        v->item[i] = v->placed[i] = sites[i];
        sb_set_object(e, sites[i], is_gem ? SB_GEM : SB_ORB, is_gem ? GEM : ORB);
    }
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells sites;
    sb_wall_border(e);
    e->agent.at.x = (int16_t)draw_coordinate(e->width, &rng);
    e->agent.at.y = (int16_t)draw_coordinate(e->height, &rng);
    v->start = e->agent.at;
    sb_cells_columns(&sites, e, 1);
    sb_cells_remove(&sites, v->start);
    sb_cells_shuffle(&sites, &rng);
    place_items(e, sites.at);
    v->flee_seed = (uint32_t)sb_integers(&rng, 0, INT64_C(1) << 31);
    v->flee = sb_generator(e, v->flee_seed);
    return true;
}

/* ---- The meters ---- */

bool sb_task_interference_items_flee(const sb_episode *e) { return parameters[e->difficulty].flee; }

double sb_task_interference_drain(const sb_episode *e) { return parameters[e->difficulty].drain; }

void sb_task_interference_collect(double *meter, double *other, double drain) {
    *meter = *meter + GAIN < 1.0 ? *meter + GAIN : 1.0;
    *other = *other - drain > 0.0 ? *other - drain : 0.0;
}

bool sb_task_interference_suffices(double gem_meter, double orb_meter) {
    return gem_meter >= THRESHOLD && orb_meter >= THRESHOLD;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    const double drain = parameters[e->difficulty].drain;
    const int object = sb_object_here(e), is_gem = object == SB_GEM;
    int i = 0;
    if (object == SB_NONE) return;
    sb_set_object(e, e->agent.at, SB_NONE, 0);
    if (is_gem)
        sb_task_interference_collect(&v->gem_meter, &v->orb_meter, drain);
    else
        sb_task_interference_collect(&v->orb_meter, &v->gem_meter, drain);
    while (!sb_same(v->item[i], e->agent.at)) i++;
    v->n_gems -= is_gem, v->n_items--;
    memmove(&v->item[i], &v->item[i + 1], sizeof *v->item * (size_t)(v->n_items - i));
    v->item[v->n_items] = sb_at(0, 0);
    e->paid[0] = is_gem ? GEM : ORB; /* only config() reads which kind was the last */
    if (v->n_items == 0) sb_decide(e, sb_task_interference_suffices(v->gem_meter, v->orb_meter));
}

const uint8_t sb_task_interference_ways[3][3][4] = {
    {{W, N, E, S}, {N, E, W, S}, {E, N, W, S}},
    {{W, E, S, N}, {0}, {E, W, S, N}}, /* an item is never in the agent's own cell */
    {{W, S, E, N}, {S, E, W, N}, {E, S, W, N}},
};

void sb_task_interference_taken(sb_area *taken, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    const uint32_t all = (UINT32_C(1) << e->width) - 1, sides = UINT32_C(1) | UINT32_C(1) << (e->width - 1);
    for (int y = 0; y < e->height; y++) taken->row[y] = y == 0 || y == e->height - 1 ? all : sides;
    for (int i = 0; i < v->n_items; i++) sb_area_add(taken, v->item[i]);
    sb_area_add(taken, e->agent.at);
}

/* Returns whether a shuffle of two makes them change places. That takes one bit; it is written out because it is drawn
 * so often. */
static bool draw_swap(sb_rng *rng) {
    int32_t order[2] = {0, 1};
    if (!rng->log) return !(sb_next32(rng) & 1);
    sb_shuffle_ints(rng, order, 2);
    return order[0] == 1;
}

/* Items flee one after the other, also into cells that others have just left. */
static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_area taken;
    if (e->clock % SB_TASK_INTERFERENCE_PACE != 0 || !parameters[e->difficulty].flee) return;
    if (e->log)
        sb_generator(e, 0); /* the published task makes this generator at every flight and never draws from it */
    sb_task_interference_taken(&taken, e);
    for (int i = 0; i < v->n_items; i++) {
        const sb_xy from = v->item[i];
        const sb_cell item = *sb_peek(e, from);
        const bool swapped = draw_swap(&v->flee);
        v->item[i] = sb_task_interference_flee(&taken, from, e->agent.at, swapped);
        *sb_cell_at(e, from) = (sb_cell){.terrain = SB_EMPTY};
        *sb_cell_at(e, v->item[i]) = item;
    }
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    double reward = -0.01;
    if (v->n_items < old->n_items) reward += 0.3;
    if (v->gem_meter < old->gem_meter) reward -= 0.05;
    if (v->orb_meter < old->orb_meter) reward -= 0.05;
    if (t->success) reward += 1.0;
    return reward;
}

/* Returns whether this many items can still fill the meter to the threshold, if nothing drains it. */
static bool can_suffice(double meter, int items) {
    double other = 0;
    for (int i = 0; i < items; i++) sb_task_interference_collect(&meter, &other, 0);
    return meter >= THRESHOLD;
}

/* If no item flees, the agent walks at least the length of the shortest tree that joins it with all items. Otherwise an
 * item may come to the agent, and takes one step. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (!can_suffice(v->gem_meter, v->n_gems) || !can_suffice(v->orb_meter, v->n_items - v->n_gems)) return -1;
    return parameters[e->difficulty].flee ? v->n_items : sb_task_interference_tree(e->agent.at, v->item, v->n_items);
}

static bool reseed(sb_episode *e, uint64_t seed) {
    vars *v = SB_VARS(e);
    v->flee_seed = (uint32_t)seed;
    v->flee = sb_generator(e, v->flee_seed);
    return parameters[e->difficulty].flee;
}

static void list_items(sb_episode *e, int kind) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == kind) v->item[v->n_items++] = sb_xy_of(e, i);
}

static void forget(sb_episode *e) {
    if (!parameters[e->difficulty].flee) reseed(e, 0);
}

/* Lists the items as the grid shows them: row by row, not in the order in which they flee. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->n_items = 0;
    list_items(e, SB_GEM);
    list_items(e, SB_ORB);
}

/* ---- What observations say ---- */

static void tell(const sb_episode *e, sb_told *told) {
    const vars *v = SB_VARS(e);
    sb_tell_meter(told, SB_GEM, v->gem_meter);
    sb_tell_meter(told, SB_ORB, v->orb_meter);
    sb_tell(told, SB_TOLD_METER_NEED, 0, (int)(100 * THRESHOLD));
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    const size_t gems = (size_t)parameters[e->difficulty].gems;
    const int collected = (int)(2 * gems) - v->n_items;
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", v->placed, 2 * gems);
    sb_config_cells(c, "red_positions", v->placed, gems);
    sb_config_cells(c, "blue_positions", v->placed + gems, gems);
    sb_config_double(c, "threshold", THRESHOLD);
    sb_config_double(c, "cross_drain", parameters[e->difficulty].drain);
    sb_config_double(c, "decay", 0.0); /* decay and the hold fields are published but have no effect */
    sb_config_bool(c, "items_move", parameters[e->difficulty].flee);
    sb_config_int(c, "hold_steps", 0);
    sb_config_cells(c, "hold_items", NULL, 0);
    sb_config_int(c, "max_steps", e->max_steps);
    sb_config_double(c, "_red_meter", v->gem_meter); /* public, though the underscore marks hidden values elsewhere */
    sb_config_double(c, "_blue_meter", v->orb_meter);
    sb_put_key(c->out, "_hold_counter");
    sb_puts(c->out, "{}");
    sb_config_int(c, "_collected_count", collected);
    if (collected > 0)
        sb_config_text(c, "_last_collected_color", e->paid[0] == GEM ? "red" : "blue");
    else
        sb_config_null(c, "_last_collected_color");
    if (!c->hidden) return;
    sb_config_int(c, "_flee_seed", v->flee_seed);
    sb_config_cells(c, "_live_red", v->item, (size_t)v->n_gems);
    sb_config_cells(c, "_live_blue", v->item + v->n_gems, (size_t)(v->n_items - v->n_gems));
    sb_config_int(c, "_items_collected", collected);
    sb_config_int(c, "_total_items", (int64_t)(2 * gems));
}

const sb_task sb_task_interference = {
    .info = {.name = "TaskInterference-v0",
             .category = "reasoning",
             .skills = SB_SKILLS("meta_learning", "multi_objective"),
             .summary =
                 "Collect all gems and orbs, which drain each other's meters and flee, with both meters half full."},
    .extents = {{9, 9, 100}, {11, 11, 180}, {13, 13, 300}, {15, 15, 450}},
    .vars_size = sizeof(vars),
    .live_size = offsetof(vars, start),
    .clock = SB_TASK_INTERFERENCE_PACE,
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .dense = dense,
    .bound = bound,
    .reseed = reseed,
    .forget = forget,
    .hide = hide,
    .tell = tell,
    .config = config,
};
