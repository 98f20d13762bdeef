/* TagHunt: tag every opponent by stepping onto it. Opponents move as far from the agent as one step allows, but now and
 * then at random. The switch freezes them for a few steps, unless an opponent has walked over it and destroyed it. */
#include "generators/agentick/multi_agent/tag_hunt.h"

#include <stddef.h>
#include <string.h>

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/movers.h"

typedef sb_tag_hunt_vars vars;

static const struct parameters {
    int opponents, obstacles;
} parameters[SB_N_DIFFICULTIES] = {{1, 0}, {2, 3}, {3, 5}, {4, 7}};

const double sb_tag_hunt_evades[SB_N_DIFFICULTIES] = {0.50, 0.65, 0.80, 0.90};

/* ---- The instance ---- */

static bool is_off_start(const sb_episode *e, sb_xy p) { return sb_manhattan(p, e->agent.at) > 2; }

static bool is_open(const sb_episode *e, sb_xy p) {
    return sb_peek(e, p)->terrain == SB_EMPTY && !sb_same(p, e->agent.at);
}

static bool is_far(const sb_episode *e, sb_xy p) {
    return sb_vacant(e, p) && sb_manhattan(p, e->agent.at) > e->width / 2;
}

static void draw_obstacles(sb_episode *e, int count, sb_rng *rng) {
    sb_cells sites;
    sb_cells_draw(&sites, e, is_off_start, rng); /* shuffled even if no obstacle is wanted */
    for (int i = 0; i < count && i < sites.n / 4; i++) sb_cell_at(e, sites.at[i])->terrain = SB_WALL;
}

static void draw_switch(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_draw(&sites, e, is_open, rng);
    v->button = sites.at[0];
    sb_set_object(e, v->button, SB_SWITCH, 0);
}

static void draw_opponents(sb_episode *e, int count, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_draw(&sites, e, is_far, rng);
    v->n_live = count;
    for (int i = 0; i < count; i++) {
        v->live[i] = v->placed[i] = sites.at[i];
        sb_set_object(e, sites.at[i], SB_ENEMY, SB_SOUTH);
    }
}

static void clear_obstacles(sb_episode *e) {
    for (int y = 1; y < e->height - 1; y++)
        for (int x = 1; x < e->width - 1; x++) sb_cell_at(e, sb_at(x, y))->terrain = SB_EMPTY;
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_wall_border(e);
    e->agent.at.x = (int16_t)sb_integers(&rng, 1, 3);
    e->agent.at.y = (int16_t)sb_integers(&rng, 1, 3);
    v->start = e->agent.at;
    draw_obstacles(e, parameters[e->difficulty].obstacles, &rng);
    draw_switch(e, &rng);
    draw_opponents(e, parameters[e->difficulty].opponents, &rng);
    if (!sb_connected_all(e, v->start, v->live, v->n_live)) clear_obstacles(e);
    v->flight_seed = (uint32_t)sb_integers(&rng, 0, INT64_C(1) << 31);
    v->flight = sb_generator(e, v->flight_seed);
    return true;
}

/* ---- The agent ---- */

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    int i = 0;
    if (sb_object_here(e) != SB_ENEMY) return;
    sb_set_object(e, e->agent.at, SB_NONE, 0);
    while (!sb_same(v->live[i], e->agent.at)) i++;
    v->n_live--;
    memmove(&v->live[i], &v->live[i + 1], sizeof *v->live * (size_t)(v->n_live - i));
    v->live[v->n_live] = sb_at(0, 0);
}

static void on_interact(sb_episode *e, sb_xy target) {
    vars *v = SB_VARS(e);
    if (sb_peek(e, target)->object != SB_SWITCH) return;
    sb_set_object(e, target, SB_NONE, 0);
    v->freeze = SB_TAG_HUNT_FREEZE;
}

/* ---- The opponents ---- */

/* Neither the agent nor the switch blocks an opponent. */
static bool is_free(const sb_episode *e, sb_xy p) {
    const sb_cell *c = sb_peek(e, p);
    return c->terrain == SB_EMPTY && c->object != SB_ENEMY;
}

/* Opponents move one after the other, also into cells that others have just left. The only object that they can step on
 * is the switch. */
static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    if (v->freeze > 0) {
        v->freeze--;
        return;
    }
    for (int i = 0; i < v->n_live; i++) {
        const bool evades = sb_random(&v->flight) < sb_tag_hunt_evades[e->difficulty];
        const sb_xy from = v->live[i];
        sb_go(e, &v->live[i], evades ? sb_way_off(e, from, is_free) : sb_draw_way(e, from, is_free, &v->flight),
              SB_ENEMY);
    }
}

/* ---- The hunt ---- */

static bool is_success(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return v->n_live == 0;
}

/* Both distances to the nearest opponent, before and after the step, use where the opponents are now. */
static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    double reward = -0.01;
    if (v->n_live < old->n_live) reward += 0.3 * (old->n_live - v->n_live);
    if (v->n_live > 0)
        reward += 0.05 *
                  (sb_to_nearest(t->before.at, v->live, v->n_live) - sb_to_nearest(e->agent.at, v->live, v->n_live));
    if (t->success) reward += 1.0;
    return reward;
}

/* Agent and opponent may approach each other by two cells a step, except in the last step, which tags. No step tags
 * two. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    int most = v->n_live;
    for (int i = 0; i < v->n_live; i++) {
        const int steps = sb_manhattan(v->live[i], e->agent.at) / 2 + 1;
        if (steps > most) most = steps;
    }
    return most;
}

static bool reseed(sb_episode *e, uint64_t seed) {
    vars *v = SB_VARS(e);
    v->flight_seed = (uint32_t)seed;
    v->flight = sb_generator(e, v->flight_seed);
    return true;
}

/* Hides how long the freeze lasts and which opponent is which. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    int n = 0;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_ENEMY) v->live[n++] = sb_xy_of(e, i);
    v->freeze = 0;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", v->placed, (size_t)parameters[e->difficulty].opponents);
    sb_config_double(c, "evade_prob", sb_tag_hunt_evades[e->difficulty]);
    sb_config_cells(c, "switch_positions", &v->button, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_int(c, "_rng_seed", v->flight_seed);
    sb_config_cells(c, "_live", v->live, (size_t)v->n_live);
    sb_config_int(c, "_freeze", v->freeze);
}

const sb_task sb_tag_hunt = {
    .info = {.name = "TagHunt-v0",
             .category = "multi_agent",
             .skills = SB_SKILLS("multi_agent", "competition"),
             .summary = "Tag every fleeing opponent by stepping onto it; a switch freezes them for a few steps."},
    .extents = {{7, 7, 80}, {10, 10, 140}, {13, 13, 220}, {15, 15, 350}},
    .vars_size = sizeof(vars),
    .live_size = offsetof(vars, live),
    .generate = generate,
    .on_enter = on_enter,
    .on_interact = on_interact,
    .on_step = on_step,
    .is_success = is_success,
    .dense = dense,
    .bound = bound,
    .reseed = reseed,
    .hide = hide,
    .config = config,
};
