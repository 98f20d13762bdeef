/* TileSorting: the sliding puzzle. The agent is the empty slot: it trades places with the tile that it walks into. */
#include "generators/agentick/planning/tile_sorting.h"

#include <stdio.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/search.h"

typedef sb_tile_sorting_vars vars;

static const struct parameters {
    int side, shuffles;
} parameters[SB_N_DIFFICULTIES] = {{2, 5}, {3, 15}, {3, 30}, {4, 60}};

/* ---- Sliding ---- */

/* Slides a tile into the slot that the agent leaves. A marker stays behind only if the tile was at home. */
static void slide(sb_episode *e, sb_xy from) {
    vars *v = SB_VARS(e);
    const int tile = sb_box_number(sb_peek(e, from)->metadata);
    const sb_xy home = sb_tile_sorting_home(v, tile);
    const bool leaves_home = sb_same(home, from), comes_home = sb_same(home, e->agent.at);
    sb_set_object(e, from, leaves_home ? SB_TARGET : SB_NONE, leaves_home ? SB_TARGET_NUMBERED + tile : 0);
    sb_set_object(e, e->agent.at, SB_BOX, comes_home ? SB_BOX_AT_HOME + tile : tile);
    v->n_home += comes_home - leaves_home;
}

static bool in_puzzle(const sb_episode *e, sb_xy p) {
    const vars *v = SB_VARS(e);
    const int last = v->offset + v->side - 1;
    return p.x >= v->offset && p.x <= last && p.y >= v->offset && p.y <= last;
}

/* ---- The instance ---- */

static void lay_tiles(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int n = sb_tile_sorting_tiles(v);
    for (int tile = 1; tile <= n; tile++)
        sb_set_object(e, sb_tile_sorting_home(v, tile), SB_BOX, SB_BOX_AT_HOME + tile);
    v->n_home = n;
    e->agent.at = sb_tile_sorting_home(v, n + 1); /* the last cell is not the home of any tile */
}

/* A move may undo the one before. */
static void draw_move(sb_episode *e, sb_rng *rng) {
    sb_xy beside[4];
    int n = 0;
    for (int i = 0; i < 4; i++) {
        const sb_xy p = sb_beside(e->agent.at, sb_nswe[i]);
        if (in_puzzle(e, p)) beside[n++] = p;
    }
    const sb_xy to = beside[sb_integer_below(rng, n)];
    slide(e, to);
    e->agent.at = to;
}

/* Marks the start slot with the tile that belongs there. Later a slot has such a mark only if the tile that left it was
 * at home (see slide()). */
static void mark_slot(sb_episode *e) {
    const vars *v = SB_VARS(e);
    const int tile = (e->agent.at.y - v->offset) * v->side + e->agent.at.x - v->offset + 1;
    const bool marked = tile <= sb_tile_sorting_tiles(v);
    sb_set_object(e, e->agent.at, marked ? SB_TARGET : SB_NONE, marked ? SB_TARGET_NUMBERED + tile : 0);
}

static void wall_in(sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int y = v->offset - 1; y <= v->offset + v->side; y++)
        for (int x = v->offset - 1; x <= v->offset + v->side; x++)
            if (!in_puzzle(e, sb_at(x, y))) sb_cell_at(e, sb_at(x, y))->terrain = SB_WALL;
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    v->side = parameters[e->difficulty].side;
    v->offset = (e->width - v->side) / 2;
    sb_clear_room(e);
    wall_in(e);
    lay_tiles(e);
    for (int i = 0; i < parameters[e->difficulty].shuffles; i++) draw_move(e, &rng);
    mark_slot(e);
    v->start = e->agent.at;
    e->paid[0] = v->n_home;
    return true;
}

/* ---- The rules ---- */

static bool can_enter(sb_episode *e, sb_xy to) {
    if (sb_peek(e, to)->object == SB_BOX) slide(e, to);
    return true;
}

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_home == sb_tile_sorting_tiles(v);
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    const int gained = v->n_home - e->paid[0];
    double reward = -0.01;
    if (gained > 0)
        reward += 0.3 * gained;
    else if (gained < 0)
        reward -= 0.1 * -gained;
    e->paid[0] = v->n_home;
    if (t->success) reward += 1.0;
    return reward;
}

/* A slide brings one tile at most one cell closer to its home. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int slides = 0;
    for (int i = 0; i < v->side * v->side; i++) {
        const sb_xy p = sb_tile_sorting_home(v, i + 1);
        const sb_cell *c = sb_peek(e, p);
        if (c->object == SB_BOX) slides += sb_manhattan(p, sb_tile_sorting_home(v, sb_box_number(c->metadata)));
    }
    return slides;
}

static void config_homes(const vars *v, sb_config *c) {
    char text[16];
    sb_put_key(c->out, "goal_map");
    sb_puts(c->out, "{");
    for (int tile = 1; tile <= sb_tile_sorting_tiles(v); tile++) {
        snprintf(text, sizeof text, "%d", tile);
        sb_config_xy(c, text, sb_tile_sorting_home(v, tile));
    }
    sb_puts(c->out, "}");
    sb_put_key(c->out, "goal_pos_to_tile");
    sb_puts(c->out, "{");
    for (int tile = 1; tile <= sb_tile_sorting_tiles(v); tile++) {
        const sb_xy home = sb_tile_sorting_home(v, tile);
        snprintf(text, sizeof text, "%d,%d", home.x, home.y);
        sb_config_int(c, text, tile);
    }
    sb_puts(c->out, "}");
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_int(c, "puzzle_size", v->side);
    sb_config_int(c, "offset_x", v->offset);
    sb_config_int(c, "offset_y", v->offset);
    sb_config_int(c, "n_tiles", sb_tile_sorting_tiles(v));
    config_homes(v, c);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_tile_sorting = {
    .info = {.name = "TileSorting-v0",
             .category = "planning",
             .skills = SB_SKILLS("combinatorial_logic", "planning"),
             .summary = "Slide numbered tiles into ascending order: the agent is the empty slot."},
    .extents = {{7, 7, 100}, {9, 9, 200}, {11, 11, 350}, {13, 13, 600}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .can_enter = can_enter,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .config = config,
};
