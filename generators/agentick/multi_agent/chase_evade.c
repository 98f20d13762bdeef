/* ChaseEvade: survive for a number of steps while enemies with different behaviours close in, each as fast as the
 * agent. Once the instance is made, nothing is random. Switches block the agent only: enemies walk over them and erase
 * them. */
#include "generators/agentick/multi_agent/chase_evade.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_chase_evade_vars vars;
typedef sb_chase_evade_hunt hunt;

/* The enemies are the first of this list: chaser, ambusher, flanker, trapper. */
static const struct parameters {
    int survival, enemies, walls, switches;
} parameters[SB_N_DIFFICULTIES] = {{30, 1, 0, 1}, {50, 2, 3, 1}, {80, 3, 5, 1}, {100, 4, 8, 2}};

int sb_chase_evade_survival(const sb_episode *e) { return parameters[e->difficulty].survival; }

/* ---- The instance ---- */

static bool is_off_the_agent(const sb_episode *e, sb_xy p) { return sb_manhattan(p, e->agent.at) > 2; }

static bool is_far_and_empty(const sb_episode *e, sb_xy p) {
    return sb_manhattan(p, e->agent.at) > e->width / 2 && sb_peek(e, p)->terrain == SB_EMPTY;
}

static void draw_walls(sb_episode *e, sb_rng *rng) {
    sb_cells sites;
    sb_cells_draw(&sites, e, is_off_the_agent, rng); /* shuffled even if no wall is wanted */
    for (int i = 0; i < parameters[e->difficulty].walls; i++) sb_cell_at(e, sites.at[i])->terrain = SB_WALL;
}

static void draw_enemies(sb_episode *e, sb_rng *rng) {
    const int n = parameters[e->difficulty].enemies;
    sb_cells sites;
    sb_cells_draw(&sites, e, is_far_and_empty, rng);
    for (int i = 0; i < n; i++) sb_set_object(e, sites.at[i], SB_ENEMY, SB_CHASER + i);
    if (!sb_connected_all(e, e->agent.at, sites.at, n))
        for (int i = 0; i < sb_n_cells(e); i++)
            if (sb_interior(e, sb_xy_of(e, i))) e->cells[i].terrain = SB_EMPTY;
}

static void draw_switches(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells sites;
    sb_cells_draw(&sites, e, sb_unoccupied, rng);
    for (int i = 0; i < parameters[e->difficulty].switches; i++) {
        v->switch_at[i] = sites.at[i];
        sb_set_object(e, sites.at[i], SB_SWITCH, 0);
    }
}

/* Lists the enemies in the order in which they move: row by row, whatever their behaviours. */
static void muster(sb_episode *e) {
    vars *v = SB_VARS(e);
    hunt *h = &v->hunt;
    h->n = 0;
    for (int i = 0; i < sb_n_cells(e); i++) {
        if (e->cells[i].object != SB_ENEMY) continue;
        h->enemy[h->n] = sb_xy_of(e, i);
        h->behaviour[h->n++] = (uint8_t)e->cells[i].metadata;
    }
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_wall_border(e);
    v->hunt.agent = e->agent.at = sb_at(e->width / 2, e->height / 2);
    draw_walls(e, &rng);
    draw_enemies(e, &rng);
    draw_switches(e, &rng);
    (void)sb_generator(
        e, (uint64_t)sb_integers(&rng, 0, INT64_C(1) << 31)); /* as published; nothing is ever drawn from it */
    sb_area_walkable(&v->floor, e);
    muster(e);
    v->hunt.heading = SB_SOUTH; /* as published, though the agent faces north */
    return true;
}

/* ---- The rules ---- */

static unsigned find_ways(void *context, sb_xy from, sb_xy target) {
    const sb_episode *e = context;
    const vars *v = SB_VARS(e);
    return sb_chase_evade_nearer(&v->floor, e->width, from, target);
}

/* Trading places with an enemy counts as walking into it. */
static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->hunt.heading = e->agent.facing;
    if (sb_object_here(e) == SB_ENEMY) sb_lose(e);
}

/* Removes the enemy that has caught the agent. */
static void vanish(hunt *h, int by) {
    for (h->n--; by < h->n; by++) h->enemy[by] = h->enemy[by + 1], h->behaviour[by] = h->behaviour[by + 1];
    h->enemy[h->n] = sb_at(0, 0), h->behaviour[h->n] = 0;
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    hunt *h = &v->hunt;
    h->agent = e->agent.at;
    for (int i = 0; i < h->n; i++) sb_set_object(e, h->enemy[i], SB_NONE, 0);
    sb_chase_evade_pursue(h, &v->floor, e->width, find_ways, e);
    const int catcher = sb_chase_evade_catcher(h);
    if (catcher >= 0) {
        vanish(h, catcher);
        sb_lose(e);
    }
    for (int i = 0; i < h->n; i++) sb_set_object(e, h->enemy[i], SB_ENEMY, h->behaviour[i]); /* also over a switch */
    if (e->clock >= sb_chase_evade_survival(e)) sb_win(e);
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    double reward = 0.01;
    int nearest = 5; /* a greater distance pays no more */
    if (sb_has_lost(e)) return -1.0;
    for (int i = 0; i < v->hunt.n; i++) {
        const int distance = sb_manhattan(v->hunt.enemy[i], e->agent.at);
        if (distance < nearest) nearest = distance;
    }
    reward += 0.01 * nearest;
    if (t->success) reward += 1.0;
    return reward;
}

/* Only waiting brings survival, and nothing makes it faster. */
static int bound(const sb_episode *e) { return sb_has_lost(e) ? -1 : sb_chase_evade_survival(e) - e->clock; }

/* Hides the direction of the agent's last successful move and the order of the enemies. Observations show only where
 * the agent faces. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    muster(e);
    v->hunt.heading = e->agent.facing;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", sb_at(e->width / 2, e->height / 2));
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_int(c, "survival_steps", sb_chase_evade_survival(e));
    sb_config_cells(c, "powerup_positions", v->switch_at, (size_t)parameters[e->difficulty].switches);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_cells(c, "_enemy_positions", v->hunt.enemy, v->hunt.n);
    sb_config_bool(c, "_caught", sb_has_lost(e));
    sb_config_int(c, "_last_agent_dir", v->hunt.heading);
}

const sb_task sb_chase_evade = {
    .info = {.name = "ChaseEvade-v0",
             .category = "multi_agent",
             .skills = SB_SKILLS("reactive_control", "prediction"),
             .summary = "Survive for a number of steps while up to four enemies with different behaviours give chase."},
    .extents = {{7, 7, 40}, {10, 10, 80}, {13, 13, 140}, {15, 15, 160}},
    .vars_size = sizeof(vars),
    .clock = SB_CLOCK_ABSOLUTE,
    .has_kinds = true,
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .sparse = sb_pay_for_outcome,
    .dense = dense,
    .bound = bound,
    .hide = hide,
    .config = config,
};
