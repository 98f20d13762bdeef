/* DynamicObstacles: cross the grid while obstacles wander about. Ending a step on an obstacle's cell is fatal. Trading
 * places with an obstacle, or stepping onto one that moves away, is not. */
#include "generators/agentick/navigation/dynamic_obstacles.h"

#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/movers.h"

typedef sb_dynamic_obstacles_vars vars;

static const struct parameters {
    int obstacles, walls;
} parameters[SB_N_DIFFICULTIES] = {{2, 0}, {3, 3}, {5, 6}, {7, 9}};

const sb_dynamic_obstacles_temper sb_dynamic_obstacles_tempers[SB_N_DIFFICULTIES] = {
    {0.50, 0}, {0.75, 0}, {1.00, 0}, {0.90, 0.15}};

/* ---- The instance ---- */

static bool leads_to_goal(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_connected(e, v->start, v->goal);
}

static bool is_far_from_start(const sb_episode *e, sb_xy p) {
    const vars *v = SB_VARS(e);
    return sb_manhattan(p, v->start) > 2 && !sb_same(p, v->goal);
}

static void draw_ends(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const int n = e->width;
    v->start.x = (int16_t)sb_integers(rng, 1, 3);
    v->start.y = (int16_t)sb_integers(rng, 1, 3);
    v->goal.x = (int16_t)sb_integers(rng, n - 3, n - 1);
    v->goal.y = (int16_t)sb_integers(rng, n - 3, n - 1);
    e->agent.at = v->start;
    sb_set_object(e, v->goal, SB_GOAL, 0);
}

static void draw_walls(sb_episode *e, int count, sb_rng *rng) {
    const vars *v = SB_VARS(e);
    sb_cells sites;
    if (count == 0) return;
    sb_cells_columns(&sites, e, 1);
    sb_cells_remove(&sites, v->start);
    sb_cells_remove(&sites, v->goal);
    sb_cells_shuffle(&sites, rng);
    sb_scatter(e, &sites, count, SB_WALL, leads_to_goal);
}

/* Some obstacles start inside a wall. They leave it if they can, and never return. */
static void draw_obstacles(sb_episode *e, int count, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_draw(&sites, e, is_far_from_start, rng);
    v->n_obstacles = count;
    for (int i = 0; i < count; i++) v->obstacle[i] = sites.at[i];
    for (int i = 0; i < count; i++) v->heading[i] = (int8_t)sb_integers(rng, 0, 4);
    v->obstacle_seed = (uint32_t)sb_integers(rng, 0, INT64_C(1) << 31);
    v->obstacle_rng = sb_generator(e, v->obstacle_seed);
}

/* Observations show an obstacle's heading as metadata. If several share a cell, the last one shows. */
static void show_obstacles(sb_episode *e) {
    const vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_obstacles; i++) sb_set_object(e, v->obstacle[i], SB_NPC, (int)sb_nswe[v->heading[i]]);
}

static bool generate(sb_episode *e) {
    sb_rng rng = sb_generator(e, e->seed);
    sb_wall_border(e);
    draw_ends(e, &rng);
    draw_walls(e, parameters[e->difficulty].walls, &rng);
    draw_obstacles(e, parameters[e->difficulty].obstacles, &rng);
    show_obstacles(e);
    return true;
}

/* ---- The rules ---- */

/* Returns the heading that brings an obstacle closest to the agent, or -1 if it stays. */
static int pursuit(const sb_episode *e, sb_xy from, sb_xy agent) {
    int heading = -1, nearest = sb_manhattan(from, agent);
    for (int h = 0; h < 4; h++) {
        const sb_xy to = sb_beside(from, sb_nswe[h]);
        if (sb_manhattan(to, agent) >= nearest || !sb_may_patrol(e, to)) continue;
        heading = h;
        nearest = sb_manhattan(to, agent);
    }
    return heading;
}

/* Moves an obstacle straight ahead. If its way is blocked, draws a new heading, a few times at most. */
static void wander(sb_episode *e, int i) {
    vars *v = SB_VARS(e);
    sb_xy to = sb_beside(v->obstacle[i], sb_nswe[v->heading[i]]);
    for (int turn = 0; !sb_may_patrol(e, to); turn++) {
        if (turn == SB_DYNAMIC_OBSTACLES_TURNS) return;
        v->heading[i] = (int8_t)sb_integers(&v->obstacle_rng, 0, 4);
        to = sb_beside(v->obstacle[i], sb_nswe[v->heading[i]]);
    }
    v->obstacle[i] = to;
}

static void pursue(sb_episode *e, int i) {
    vars *v = SB_VARS(e);
    const int heading = pursuit(e, v->obstacle[i], e->agent.at);
    if (heading < 0) return;
    v->heading[i] = (int8_t)heading;
    v->obstacle[i] = sb_beside(v->obstacle[i], sb_nswe[heading]);
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    const sb_dynamic_obstacles_temper *temper = &sb_dynamic_obstacles_tempers[e->difficulty];
    for (int i = 0; i < v->n_obstacles; i++) sb_set_object(e, v->obstacle[i], SB_NONE, 0);
    for (int i = 0; i < v->n_obstacles; i++) {
        if (sb_random(&v->obstacle_rng) > temper->moves) continue; /* drawn even where obstacles always move */
        if (temper->pursues > 0 && sb_random(&v->obstacle_rng) < temper->pursues)
            pursue(e, i);
        else
            wander(e, i);
    }
    show_obstacles(e);
    if (sb_object_here(e) == SB_NPC) sb_lose(e);
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    double reward = -0.01;
    if (sb_has_lost(e)) return reward - 1.0;
    if (t->success) reward += 1.0; /* before the approach: the order of additions decides the last bit of the sum */
    reward += 0.05 * sb_approach(e, t, v->goal);
    return reward;
}

/* Obstacles never stand on the goal, and the agent makes at most one step at a time. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_manhattan(e->agent.at, v->goal);
}

static bool reseed(sb_episode *e, uint64_t seed) {
    vars *v = SB_VARS(e);
    v->obstacle_seed = (uint32_t)seed;
    v->obstacle_rng = sb_generator(e, seed);
    return true;
}

/* Lists the obstacles as the grid shows them: row by row, and several on one cell as one. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->n_obstacles = 0;
    memset(v->obstacle, 0, sizeof v->obstacle);
    memset(v->heading, 0, sizeof v->heading);
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (e->cells[i].object != SB_NPC) continue;
        int8_t *heading = &v->heading[v->n_obstacles];
        while ((int)sb_nswe[*heading] != e->cells[i].metadata) ++*heading;
        v->obstacle[v->n_obstacles++] = sb_xy_of(e, i);
    }
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    int32_t headings[SB_DYNAMIC_OBSTACLES_MAX];
    for (int i = 0; i < v->n_obstacles; i++) headings[i] = v->heading[i];
    sb_config_cells(c, "_obs_positions", v->obstacle, (size_t)v->n_obstacles);
    sb_config_ints(c, "_obs_dirs", headings, (size_t)v->n_obstacles);
    sb_config_int(c, "_obs_seed", v->obstacle_seed);
    sb_config_bool(c, "_collision", sb_has_lost(e));
}

const sb_task sb_dynamic_obstacles = {
    .info = {.name = "DynamicObstacles-v0",
             .category = "navigation",
             .skills = SB_SKILLS("reactive_planning", "navigation"),
             .summary = "Cross the grid to the goal without ending a step on the cell of a wandering obstacle."},
    .extents = {{7, 7, 60}, {10, 10, 100}, {13, 13, 150}, {15, 15, 200}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_step = on_step,
    .sparse = sb_pay_for_outcome,
    .dense = dense,
    .bound = bound,
    .reseed = reseed,
    .hide = hide,
    .config = config,
};
