/* GoToGoal: walk to the goal on a walled grid. Guards patrol in straight lines and turn at random when they bounce.
 * Hazards kill, decoys are harmless. */
#include "generators/agentick/navigation/go_to_goal.h"

#include <string.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/movers.h"
#include "engine/gridworld/search.h"

typedef sb_go_to_goal_vars vars;

static const struct parameters {
    double wall_density;
    int guards, hazards, decoys;
} parameters[SB_N_DIFFICULTIES] = {{0.0, 0, 0, 0}, {0.12, 1, 0, 0}, {0.20, 2, 4, 2}, {0.25, 3, 8, 4}};

/* ---- The instance ---- */

static void scatter_walls(sb_episode *e, double density, sb_rng *rng) {
    if (density <= 0) return;
    for (int y = 1; y < e->height - 1; y++)
        for (int x = 1; x < e->width - 1; x++)
            if (sb_random(rng) < density) sb_cell_at(e, sb_at(x, y))->terrain = SB_WALL;
}

/* Lists the free cells that the agent can reach, row by row, without the agent's own cell. */
static void list_connected(sb_cells *connected, const sb_cells *free_cells, const sb_reach *reach,
                           const sb_episode *e) {
    connected->n = 0;
    for (int i = 0; i < free_cells->n; i++)
        if (sb_reached(reach, e, free_cells->at[i]) && !sb_same(free_cells->at[i], e->agent.at))
            sb_cells_add(connected, free_cells->at[i]);
}

static sb_xy farthest(const sb_cells *cells, sb_xy from) {
    sb_xy best = cells->at[0];
    for (int i = 1; i < cells->n; i++)
        if (sb_manhattan(cells->at[i], from) > sb_manhattan(best, from)) best = cells->at[i];
    return best;
}

/* Lists the connected EMPTY cells off the goal and the path, in random order: hazards and decoys never block the
 * way. */
static void draw_off_path(sb_cells *cells, const sb_cells *connected, const sb_open *on_path, const sb_episode *e,
                          sb_rng *rng) {
    cells->n = 0;
    for (int i = 0; i < connected->n; i++) {
        sb_xy p = connected->at[i];
        if (!on_path->cell[sb_index(e, p)] && sb_peek(e, p)->terrain == SB_EMPTY) sb_cells_add(cells, p);
    }
    sb_cells_shuffle(cells, rng);
}

static void draw_guard_posts(sb_cells *cells, const sb_cells *connected, const sb_episode *e, sb_rng *rng) {
    const vars *v = SB_VARS(e);
    cells->n = 0;
    for (int i = 0; i < connected->n; i++) {
        sb_xy p = connected->at[i];
        if (!sb_same(p, v->goal) && sb_peek(e, p)->terrain == SB_EMPTY && sb_manhattan(p, e->agent.at) > 2)
            sb_cells_add(cells, p);
    }
    sb_cells_shuffle(cells, rng);
}

static void place_guards(sb_episode *e, const sb_cells *posts, int count, sb_rng *rng) {
    vars *v = SB_VARS(e);
    v->n_guards = count < posts->n ? count : posts->n;
    for (int i = 0; i < v->n_guards; i++) {
        v->guard[i] = posts->at[i];
        sb_cell_at(e, posts->at[i])->object = SB_NPC;
    }
    for (int i = 0; i < v->n_guards; i++) v->heading[i] = (int8_t)sb_integers(rng, 0, 4);
    v->guard_seed = (uint32_t)sb_integers(rng, 0, INT64_C(1) << 31);
}

/* Clears the grid, scatters walls and draws a start. Returns false if the start is walled in. */
static bool draw_start(sb_episode *e, double wall_density, sb_cells *connected, sb_reach *reach, sb_rng *rng) {
    sb_cells free_cells;
    sb_open open;
    sb_fill(e, SB_EMPTY);
    sb_wall_border(e);
    scatter_walls(e, wall_density, rng);
    sb_cells_interior_empty(&free_cells, e);
    if (free_cells.n < 2) return false;
    e->agent.at = free_cells.at[sb_choice(rng, free_cells.n)];
    sb_open_walkable(&open, e);
    sb_reach_from(reach, e, &open, e->agent.at, sb_nswe);
    list_connected(connected, &free_cells, reach, e);
    return connected->n > 0;
}

static void furnish(sb_episode *e, const struct parameters *difficulty, const sb_cells *connected,
                    const sb_reach *reach, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells drawn;
    sb_open on_path = {0};
    sb_xy path[SB_CELLS_MAX];

    v->start = e->agent.at;
    v->goal = farthest(connected, v->start);
    sb_cell_at(e, v->goal)->object = SB_GOAL;
    for (int i = sb_chain(reach, e, v->goal, path) - 1; i >= 0; i--) on_path.cell[sb_index(e, path[i])] = true;

    draw_off_path(&drawn, connected, &on_path, e, rng);
    for (int i = 0; i < drawn.n && i < difficulty->hazards; i++) sb_cell_at(e, drawn.at[i])->terrain = SB_HAZARD;
    draw_off_path(&drawn, connected, &on_path, e, rng);
    for (int i = 0; i < drawn.n && i < difficulty->decoys; i++) sb_cell_at(e, drawn.at[i])->object = SB_TARGET;
    draw_guard_posts(&drawn, connected, e, rng);
    place_guards(e, &drawn, difficulty->guards, rng);
}

/* The published generator's fallback; no known seed needs it. */
static void make_plain(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_fill(e, SB_EMPTY);
    sb_wall_border(e);
    v->start = e->agent.at = sb_at(1, 1);
    v->goal = sb_at(e->width - 2, e->height - 2);
    sb_cell_at(e, v->goal)->object = SB_GOAL;
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 10 };
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed); /* shared by all attempts */
    sb_cells connected;
    sb_reach reach;
    int attempt = 0;
    while (attempt < ATTEMPTS && !draw_start(e, difficulty->wall_density, &connected, &reach, &rng)) attempt++;
    if (attempt < ATTEMPTS)
        furnish(e, difficulty, &connected, &reach, &rng);
    else
        make_plain(e);
    v->guard_rng = sb_generator(e, v->guard_seed);
    return true;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    /* Guards have not moved yet, so walking through a guard is fatal too. */
    if (sb_terrain_here(e) == SB_HAZARD || sb_object_here(e) == SB_NPC) sb_lose(e);
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_patrol_all(e, v->guard, v->heading, v->n_guards, &v->guard_rng); /* erases a decoy that a guard walks over */
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    if (sb_has_lost(e)) return -1.0;
    return sb_pay_for_approach(e, t, v->goal, 0.1);
}

static bool reseed(sb_episode *e, uint64_t seed) {
    vars *v = SB_VARS(e);
    v->guard_seed = (uint32_t)seed;
    v->guard_rng = sb_generator(e, seed);
    return v->n_guards > 0;
}

static void forget(sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (v->n_guards == 0) reseed(e, 0);
}

/* Lists the guards as the grid shows them: row by row, without headings, and two on one cell as one. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->n_guards = 0;
    memset(v->guard, 0, sizeof v->guard);
    memset(v->heading, 0, sizeof v->heading);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_NPC) v->guard[v->n_guards++] = sb_xy_of(e, i);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    const bool burnt = sb_terrain_here(e) == SB_HAZARD;
    sb_config_cells(c, "_guard_positions", v->guard, (size_t)v->n_guards);
    sb_config_bool(c, "_guard_collision", sb_has_lost(e) && !burnt); /* guards never enter hazards */
    sb_config_bool(c, "_hazard_hit", burnt);
    sb_config_int(c, "_guard_seed", v->guard_seed);
}

const sb_task sb_go_to_goal = {
    .info = {.name = "GoToGoal-v0",
             .category = "navigation",
             .skills = SB_SKILLS("basic_navigation", "navigation"),
             .summary = "Walk to the goal; avoid patrolling guards and deadly hazards; decoys are harmless."},
    .extents = {{5, 5, 20}, {10, 10, 50}, {15, 15, 100}, {20, 20, 200}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .dense = dense,
    .reseed = reseed,
    .forget = forget,
    .hide = hide,
    .config = config,
};
