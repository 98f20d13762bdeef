/* DelayedGratification: leave alone the keys that lie around the start, and walk to the goal. Taking a key pays a
 * little and ends the episode. Hazards have no effect. */
#include "generators/agentick/memory/delayed_gratification.h"

#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_delayed_gratification_vars vars;

enum { ATTEMPTS = 20, NEAREST_DECOY = 3 };

static const struct parameters {
    int decoys, walls, hazards;
    bool in_vain; /* this many decoys always shut in the start, so no attempt succeeds */
} parameters[SB_N_DIFFICULTIES] = {{2, 0, 0, false}, {4, 4, 0, false}, {6, 8, 3, false}, {12, 18, 10, true}};

/* ---- The instance ---- */

/* Draws start and goal beside different sides of the room. Returns false if they are too close. */
static bool draw_ends(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int size = e->width;
    sb_xy ends[4] = {{1, 0}, {(int16_t)(size - 2), 0}, {0, 1}, {0, (int16_t)(size - 2)}};
    for (int i = 0; i < 2; i++) ends[i].y = (int16_t)sb_integers(rng, 1, size - 1);
    for (int i = 2; i < 4; i++) ends[i].x = (int16_t)sb_integers(rng, 1, size - 1);
    sb_shuffle_xy(rng, ends, 4);
    v->start = e->agent.at = ends[0];
    v->goal = ends[1];
    sb_set_object(e, v->goal, SB_GOAL, 0);
    return sb_manhattan(v->start, v->goal) >= size / 2;
}

/* Forgets decoys that an earlier attempt may have left. */
static void clear_decoys(vars *v) {
    v->n_decoys = 0;
    memset(v->decoy, 0, sizeof v->decoy);
}

static void add_decoy(sb_episode *e, sb_xy at) {
    vars *v = SB_VARS(e);
    v->decoy[v->n_decoys++] = at;
    sb_set_object(e, at, SB_KEY, 0);
}

/* Puts decoys on the cells nearest to the start, but not too near. There are always enough. */
static void place_decoys(sb_episode *e, int n) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_columns(&sites, e, 1);
    sb_cells_keep(&sites, e, sb_unoccupied);
    clear_decoys(v);
    for (int distance = NEAREST_DECOY; v->n_decoys < n; distance++)
        for (int i = 0; i < sites.n && v->n_decoys < n; i++)
            if (sb_manhattan(sites.at[i], v->start) == distance) add_decoy(e, sites.at[i]);
}

/* Returns whether a way leads to the goal round walls, decoys and hazards. */
static bool is_sound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_area open = {{0}};
    for (int i = 0, y = 0; y < e->height; y++)
        for (int x = 0; x < e->width; x++, i++) {
            const sb_cell *c = &e->cells[i];
            open.row[y] |= (uint32_t)(c->terrain == SB_EMPTY && c->object != SB_KEY) << x;
        }
    return sb_area_connects(&open, e->height, v->start, v->goal);
}

static bool draw_room(sb_episode *e, const struct parameters *difficulty, sb_rng *rng) {
    sb_cells sites;
    sb_clear_room(e);
    if (!draw_ends(e, rng)) return false;
    sb_cells_draw(&sites, e, sb_unoccupied, rng);
    if (difficulty->in_vain) return false;
    sites.n = 3 * difficulty->walls; /* the number of sites to try */
    sb_scatter(e, &sites, difficulty->walls, SB_WALL, is_sound);
    place_decoys(e, difficulty->decoys);
    if (!is_sound(e)) return false;
    sb_cells_draw(&sites, e, sb_unoccupied, rng);
    sites.n = 2 * difficulty->hazards;
    sb_scatter(e, &sites, difficulty->hazards, SB_HAZARD, is_sound);
    return true;
}

/* Draws the room that is taken if no attempt succeeds: in all episodes at expert, and in some at hard. */
static void draw_plain_room(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_xy corners[4];
    sb_clear_room(e);
    sb_shuffle_corners(e, rng, corners);
    v->start = e->agent.at = corners[0];
    v->goal = corners[1];
    sb_set_object(e, v->goal, SB_GOAL, 0);
    clear_decoys(v);
    add_decoy(e, sb_at(3, 1));
}

static bool generate(sb_episode *e) {
    sb_rng rng = sb_generator(e, e->seed);
    for (int i = 0; i < ATTEMPTS; i++)
        if (draw_room(e, &parameters[e->difficulty], &rng)) return true;
    draw_plain_room(e, &rng);
    return true;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    if (sb_object_here(e) != SB_KEY) return;
    sb_set_object(e, e->agent.at, SB_NONE, 0);
    sb_lose(e);
}

static double sparse(const sb_episode *e, const sb_transition *t) {
    return sb_has_lost(e) ? 0.05 : t->success ? 1.0 : 0.0;
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    if (sb_has_lost(e)) return -0.5;
    return t->success ? 1.0 : -0.01 + 0.05 * sb_approach(e, t, v->goal);
}

static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_has_lost(e) ? -1 : sb_manhattan(e->agent.at, v->goal);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_cells(c, "decoy_positions", v->decoy, (size_t)v->n_decoys);
    sb_config_int(c, "n_decoys", v->n_decoys);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_delayed_gratification = {
    .info = {.name = "DelayedGratification-v0",
             .category = "memory",
             .skills = SB_SKILLS("credit_assignment", "long_horizon"),
             .summary = "Pass by the keys around the start, which end the episode, and walk to the goal."},
    .extents = {{7, 7, 60}, {10, 10, 100}, {13, 13, 150}, {17, 17, 160}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_enter = on_enter,
    .sparse = sparse,
    .dense = dense,
    .bound = bound,
    .config = config,
};
