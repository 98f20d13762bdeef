/* ResourceManagement: energy stations lose energy at regular intervals and are full again when the agent enters them.
 * No station may run dry before the episode ends. */
#include "generators/agentick/planning/resource_management.h"

#include "engine/gridworld/area.h"
#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_resource_management_vars vars;

enum { FULL = SB_RESOURCE_MANAGEMENT_FULL, MAX_STATIONS = SB_RESOURCE_MANAGEMENT_STATIONS };

static const struct parameters {
    int n_stations, n_obstacles, interval; /* interval: steps from one drain to the next */
    int32_t amount[MAX_STATIONS];          /* what each station loses at a drain */
} parameters[SB_N_DIFFICULTIES] = {
    {2, 0, 8, {1, 1}},
    {3, 3, 5, {1, 2, 1}},
    {4, 5, 3, {1, 2, 2, 3}},
    {5, 7, 2, {1, 2, 2, 3, 3}},
};

const int32_t *sb_resource_management_amounts(const sb_episode *e) { return parameters[e->difficulty].amount; }
int sb_resource_management_interval(const sb_episode *e) { return parameters[e->difficulty].interval; }

int sb_resource_management_level_in(const sb_episode *e, int station, int steps) {
    const sb_resource_management_vars *v = SB_VARS(e);
    const int interval = parameters[e->difficulty].interval;
    const int drains = (e->clock + steps - 1) / interval - e->clock / interval;
    return v->level[station] - parameters[e->difficulty].amount[station] * drains;
}

/* ---- The instance ---- */

static bool is_apart(const vars *v, sb_xy site) {
    enum { APART = 3 };
    for (int i = 0; i < v->n_stations; i++)
        if (sb_manhattan(v->station[i], site) < APART) return false;
    return true;
}

/* Moves the first sites that lie apart from the list to the stations. The list always has enough of them. */
static void place_stations(sb_episode *e, sb_cells *sites, int n) {
    vars *v = SB_VARS(e);
    int left = 0;
    for (int i = 0; i < sites->n; i++) {
        const sb_xy site = sites->at[i];
        if (v->n_stations < n && is_apart(v, site)) {
            sb_set_object(e, site, SB_RESOURCE, FULL);
            v->level[v->n_stations] = FULL;
            v->station[v->n_stations++] = site;
        } else {
            sites->at[left++] = site;
        }
    }
    sites->n = left;
}

static bool reaches_all_stations(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_connected_all(e, v->start, v->station, v->n_stations);
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells sites;

    sb_clear_room(e);
    v->start = e->agent.at = sb_corner(e, sb_integers(&rng, 0, 4));
    sb_cells_columns(&sites, e, 2);
    sb_cells_shuffle(&sites, &rng);
    place_stations(e, &sites, difficulty->n_stations);
    sb_cells_shuffle(&sites, &rng);
    sb_scatter(e, &sites, difficulty->n_obstacles, SB_WALL, reaches_all_stations);
    e->paid[0] = FULL;
    return true;
}

/* ---- The rules ---- */

static void set_level(sb_episode *e, int i, int32_t level) {
    vars *v = SB_VARS(e);
    v->level[i] = level;
    sb_cell_at(e, v->station[i])->metadata = (int16_t)level;
}

static void on_enter(sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (sb_object_here(e) != SB_RESOURCE) return;
    for (int i = 0; i < v->n_stations; i++)
        if (sb_same(v->station[i], e->agent.at)) set_level(e, i, FULL);
}

/* A station that the agent has just entered is drained too. */
static void on_step(sb_episode *e) {
    const vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    if (e->clock % difficulty->interval != 0) return;
    for (int i = 0; i < v->n_stations; i++) {
        const int32_t left = v->level[i] - difficulty->amount[i];
        set_level(e, i, left > 0 ? left : 0);
        if (left <= 0) sb_lose(e);
    }
}

static double sparse(const sb_episode *e, const sb_transition *t) {
    (void)e;
    return t->success ? 0.0 : -1.0;
}

static int lowest(const vars *v) {
    int lowest = 0;
    for (int i = 1; i < v->n_stations; i++)
        if (v->level[i] < v->level[lowest]) lowest = i;
    return lowest;
}

/* Pays for approaching a station that runs low and for recharging; subtracts for every new low. */
static double dense(sb_episode *e, const sb_transition *t) {
    enum { GETS_LOW = 50, ALARMING = 20 };
    const vars *v = SB_VARS(e), *old = t->live;
    int32_t *last_least = &e->paid[0];
    if (sb_has_lost(e)) return -1.0;
    const int low = lowest(v);
    const int32_t least = v->level[low];
    double reward = -0.01;
    if (least < GETS_LOW) reward += 0.04 * sb_approach(e, t, v->station[low]);
    for (int i = 0; i < v->n_stations; i++)
        if (v->level[i] > old->level[i]) reward += 0.1;
    if (least < *last_least && least < ALARMING) reward -= 0.05;
    *last_least = least;
    reward += 1.0;
    return reward;
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    const size_t n = (size_t)v->n_stations;
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", NULL, 0);
    sb_config_cells(c, "station_positions", v->station, n);
    sb_config_int(c, "drain_interval", difficulty->interval);
    sb_config_ints(c, "drain_amounts", difficulty->amount, n);
    sb_config_int(c, "n_stations", v->n_stations);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_ints(c, "_levels", v->level, n);
    sb_config_bool(c, "_dead", sb_has_lost(e));
    sb_config_int(c, "_last_min", e->paid[0]);
}

const sb_task sb_resource_management = {
    .info = {.name = "ResourceManagement-v0",
             .category = "planning",
             .skills = SB_SKILLS("planning", "resource_allocation"),
             .summary = "Keep every energy station above zero by stepping on it before it runs dry."},
    .extents = {{9, 9, 100}, {12, 12, 180}, {15, 15, 300}, {18, 18, 450}},
    .vars_size = sizeof(vars),
    .live_size = sizeof(int32_t) * MAX_STATIONS, /* level */
    .clock = SB_CLOCK_ABSOLUTE, /* success depends on the step limit, so the drain interval is no cycle */
    .endures = true,
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .sparse = sparse,
    .dense = dense,
    .config = config,
};
