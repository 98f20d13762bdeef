/* SwitchCircuit: rooms with one switch each. A switch opens one door while it is on; the last door leads to the goal. A
 * closed door is a cell of wall. A switch placed in front of a door blocks it for good; the published task has such
 * unsolvable instances too. */
#include "generators/agentick/reasoning/switch_circuit.h"

#include <limits.h>
#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_switch_circuit_vars vars;

enum { MAX_DOORS = SB_SWITCH_CIRCUIT_SWITCHES, MAX_ROOMS = MAX_DOORS + 1 };

typedef struct rectangle {
    int8_t left, right, top, bottom; /* all inclusive */
} rectangle;

/* Switch i is in room i; the goal is in the room after the last switch. A door is one cell of its wall. */
static const struct parameters {
    int n_doors;
    rectangle room[MAX_ROOMS], wall[MAX_DOORS];
} parameters[SB_N_DIFFICULTIES] = {
    /* rooms in a row */
    {2, {{1, 3, 1, 9}, {5, 6, 1, 9}, {8, 9, 1, 9}}, {{4, 4, 1, 9}, {7, 7, 1, 9}}},
    /* a row, and the goal's room below the first */
    {3, {{1, 3, 1, 7}, {5, 7, 1, 7}, {9, 11, 1, 7}, {1, 3, 9, 11}}, {{4, 4, 1, 7}, {8, 8, 1, 7}, {1, 3, 8, 8}}},
    /* a hub, and one room each above, right, left and below */
    {4,
     {{5, 9, 5, 9}, {5, 9, 1, 3}, {11, 13, 5, 9}, {1, 3, 5, 9}, {5, 9, 11, 13}},
     {{5, 9, 4, 4}, {10, 10, 5, 9}, {4, 4, 5, 9}, {5, 9, 10, 10}}},
    /* two rows of three rooms; the way down from the upper row is at its left end */
    {5,
     {{1, 5, 1, 8}, {7, 11, 1, 8}, {13, 17, 1, 8}, {1, 5, 10, 17}, {7, 11, 10, 17}, {13, 17, 10, 17}},
     {{6, 6, 1, 8}, {12, 12, 1, 8}, {1, 5, 9, 9}, {6, 6, 10, 17}, {12, 12, 10, 17}}},
};

/* ---- The instance ---- */

static void draw_doors(sb_episode *e, const struct parameters *difficulty, sb_rng *rng) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_switches; i++) {
        const rectangle *w = &difficulty->wall[i];
        const bool upright = w->left == w->right;
        const int x = upright ? w->left : (int)sb_integers(rng, w->left, w->right + 1);
        const int y = upright ? (int)sb_integers(rng, w->top, w->bottom + 1) : w->top;
        v->door[i] = sb_at(x, y);
        sb_set_object(e, v->door[i], SB_NONE, i);
    }
}

/* Draws a cell of the room that holds nothing yet. This carves the room too; carving it again changes nothing. */
static sb_xy draw_site(sb_episode *e, const rectangle *room, sb_rng *rng) {
    sb_cells cells;
    sb_carve(e, sb_at(room->left, room->top), sb_at(room->right, room->bottom), &cells);
    sb_cells_keep(&cells, e, sb_vacant);
    sb_cells_shuffle(&cells, rng);
    return cells.at[0];
}

static void furnish(sb_episode *e, const struct parameters *difficulty, sb_rng *rng) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_switches; i++) {
        v->at[i] = draw_site(e, &difficulty->room[i], rng);
        sb_set_object(e, v->at[i], SB_SWITCH, SB_SWITCH_OFF);
    }
    v->start = e->agent.at = draw_site(e, &difficulty->room[0], rng);
    v->goal = draw_site(e, &difficulty->room[v->n_switches], rng);
    sb_set_object(e, v->goal, SB_GOAL, 0);
}

static void protect(sb_area *area, sb_xy p) {
    sb_area_add(area, p);
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) sb_area_add(area, sb_beside(p, d));
}

static void list_protected(const sb_episode *e, sb_area *area) {
    const vars *v = SB_VARS(e);
    memset(area, 0, sizeof *area);
    protect(area, v->start);
    protect(area, v->goal);
    for (int i = 0; i < v->n_switches; i++) {
        protect(area, v->at[i]);
        protect(area, v->door[i]);
    }
}

/* Returns whether the floor of the room is connected. There always is some floor: the goal's cell, or a cell beside a
 * switch. */
static bool is_connected(const sb_area *floor, const rectangle *r, int height) {
    const uint32_t columns = (UINT32_C(2) << r->right) - (UINT32_C(1) << r->left);
    sb_area part = {0}, reached;
    sb_xy any = sb_at(r->left, r->top);
    for (int y = r->top; y <= r->bottom; y++) {
        part.row[y] = floor->row[y] & columns;
        if (part.row[y]) any.y = (int16_t)y;
    }
    while (!sb_area_has(&part, any)) any.x++;
    sb_area_flood(&reached, &part, height, any);
    return memcmp(&reached, &part, sizeof part) == 0;
}

/* Draws one wall for every 12 cells of a room. Skips a wall that would take a protected cell or divide the floor. */
static void scatter_walls(sb_episode *e, const struct parameters *difficulty, sb_rng *rng) {
    const vars *v = SB_VARS(e);
    sb_area keep, floor;
    list_protected(e, &keep);
    sb_area_walkable(&floor, e);
    for (int i = 0; i < v->n_switches; i++) sb_area_set(&floor, v->at[i], false);
    for (const rectangle *r = difficulty->room; r <= &difficulty->room[v->n_switches]; r++) {
        const int n = (r->right - r->left + 1) * (r->bottom - r->top + 1) / 12;
        for (int i = 0; i < n; i++) {
            const int x = (int)sb_integers(rng, r->left, r->right + 1);
            const sb_xy p = sb_at(x, (int)sb_integers(rng, r->top, r->bottom + 1));
            if (sb_area_has(&keep, p) || !sb_area_has(&floor, p)) continue;
            sb_area_set(&floor, p, false);
            if (is_connected(&floor, r, e->height))
                sb_cell_at(e, p)->terrain = SB_WALL;
            else
                sb_area_add(&floor, p);
        }
    }
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed);

    sb_fill(e, SB_WALL);
    v->n_switches = difficulty->n_doors;
    draw_doors(e, difficulty, &rng);
    furnish(e, difficulty, &rng);
    scatter_walls(e, difficulty, &rng);
    return true;
}

/* ---- The rules ---- */

static void on_interact(sb_episode *e, sb_xy target) {
    const vars *v = SB_VARS(e);
    sb_cell *faced = sb_cell_at(e, target);
    if (faced->object != SB_SWITCH) return;
    int i = 0;
    while (!sb_same(v->at[i], target)) i++;
    const bool on = !sb_switch_is_on(faced->metadata);
    faced->metadata = on ? SB_SWITCH_ON : SB_SWITCH_OFF;
    sb_cell_at(e, v->door[i])->terrain = on ? SB_EMPTY : SB_WALL;
}

/* Returns the cell that the dense reward pays for approaching: the nearest switch that is off (in Manhattan distance,
 * the first among equals), then the goal. */
static sb_xy target_of(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_xy target = v->goal;
    int least = INT_MAX;
    for (int i = 0; i < v->n_switches; i++) {
        const int distance = sb_manhattan(e->agent.at, v->at[i]);
        if (!sb_switch_circuit_is_on(e, i) && distance < least) least = distance, target = v->at[i];
    }
    return target;
}

static double dense(sb_episode *e, const sb_transition *t) {
    double reward = -0.01;
    if (t->success)
        reward += 1.0;
    else
        reward += 0.05 * sb_approach(e, t, target_of(e));
    return reward;
}

static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_manhattan(e->agent.at, v->goal);
}

static void put_switch_states(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_put_key(c->out, "switch_states");
    sb_putc(c->out, '[');
    for (int i = 0; i < v->n_switches; i++) {
        sb_put_comma(c->out);
        sb_puts(c->out, sb_switch_circuit_is_on(e, i) ? "true" : "false");
    }
    sb_putc(c->out, ']');
}

static void put_doors(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_put_key(c->out, "barriers");
    sb_putc(c->out, '[');
    for (int i = 0; i < v->n_switches; i++) {
        sb_put_comma(c->out);
        sb_putc(c->out, '{');
        sb_config_cells(c, "cells", &v->door[i], 1);
        sb_config_bool(c, "open", sb_switch_circuit_is_on(e, i));
        sb_putc(c->out, '}');
    }
    sb_putc(c->out, ']');
}

/* The published format would also allow switches that close doors. */
static void put_effects(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_put_key(c->out, "switch_effects");
    sb_putc(c->out, '[');
    for (int32_t i = 0; i < v->n_switches; i++) {
        sb_put_comma(c->out);
        sb_putc(c->out, '{');
        sb_config_ints(c, "opens", &i, 1);
        sb_config_ints(c, "closes", NULL, 0);
        sb_putc(c->out, '}');
    }
    sb_putc(c->out, ']');
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_cells(c, "switch_positions", v->at, (size_t)v->n_switches);
    put_switch_states(e, c);
    put_doors(e, c);
    put_effects(e, c);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_switch_circuit = {
    .info = {.name = "SwitchCircuit-v0",
             .category = "reasoning",
             .skills = SB_SKILLS("combinatorial_logic", "reasoning"),
             .summary =
                 "Turn on the switch in each room: it opens a door somewhere, the last one the way to the goal."},
    .extents = {{11, 11, 100}, {13, 13, 250}, {15, 15, 400}, {19, 19, 600}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_interact = on_interact,
    .dense = dense,
    .bound = bound,
    .config = config,
};
