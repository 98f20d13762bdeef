/* NoisyObservation: walk to the goal among distractions. Decoys are harmless; some of them rove. Ghost objects change
 * at every step; ghost levers block the way. Guards patrol in straight lines, turn at random when they bounce, and
 * kill. */
#include "generators/agentick/generalization/noisy_observation.h"

#include <string.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/movers.h"

typedef sb_noisy_observation_vars vars;

static const struct parameters {
    int decoys, walls, guards, rovers, ghosts;
    int distance; /* least distance of the goal from the start */
} parameters[SB_N_DIFFICULTIES] = {{3, 3, 0, 0, 2, 0}, {6, 5, 1, 0, 4, 0}, {10, 8, 2, 4, 6, 5}, {14, 12, 3, 6, 10, 6}};

int sb_noisy_observation_rovers(const sb_episode *e) { return parameters[e->difficulty].rovers; }

/* ---- The instance ---- */

static bool leads_to_goal(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_connected(e, e->agent.at, v->goal);
}

/* Puts the goal on the first place that is far enough, and the decoys on the other places from the second on. */
static void place_goal_and_decoys(sb_episode *e, sb_cells places) {
    vars *v = SB_VARS(e);
    int first = 0;
    sb_cells_remove(&places, sb_corner(e, 3));
    while (first < places.n && sb_manhattan(places.at[first], v->start) < parameters[e->difficulty].distance) first++;
    sb_set_object(e, v->goal = places.at[first % places.n], SB_GOAL, 0);
    for (int i = 1; i < places.n && v->n_decoys < parameters[e->difficulty].decoys; i++)
        if (i != first) sb_set_object(e, v->decoy[v->n_decoys++] = places.at[i], SB_TARGET, 0);
}

static void place_walls(sb_episode *e, sb_cells places) {
    sb_cells_keep(&places, e, sb_vacant);
    sb_scatter(e, &places, parameters[e->difficulty].walls, SB_WALL, leads_to_goal);
}

static void mark_sites(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_vacant(e, sb_xy_of(e, i))) sb_area_add(&v->sites, sb_xy_of(e, i));
    for (int i = 0; i < parameters[e->difficulty].rovers; i++) sb_area_add(&v->sites, v->decoy[i]);
}

static bool is_guard_post(const sb_episode *e, sb_xy p) { return sb_vacant(e, p) && sb_manhattan(p, e->agent.at) > 2; }

static void place_guards(sb_episode *e, sb_rng *rng) {
    vars *v = SB_VARS(e);
    sb_cells posts;
    sb_cells_reached(&posts, e, e->agent.at);
    sb_cells_keep(&posts, e, is_guard_post);
    sb_cells_shuffle(&posts, rng);
    v->n_guards = parameters[e->difficulty].guards < posts.n ? parameters[e->difficulty].guards : posts.n;
    for (int i = 0; i < v->n_guards; i++) sb_set_object(e, v->guard[i] = posts.at[i], SB_NPC, 0);
}

static void make_generators(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->guard_rng = sb_generator(e, v->guard_seed);
    v->rover_rng = sb_generator(e, v->rover_seed);
    v->ghost_rng = sb_generator(e, v->ghost_seed);
}

static void set_in_motion(sb_episode *e, sb_rng *rng) {
    const int64_t seeds = INT64_C(1) << 31;
    vars *v = SB_VARS(e);
    v->n_rovers = parameters[e->difficulty].rovers;
    for (int i = 0; i < v->n_rovers; i++) v->rover[i] = v->decoy[i];
    for (int i = 0; i < v->n_rovers; i++) v->rover_heading[i] = (int32_t)sb_integers(rng, 0, 4);
    v->rover_seed = (uint32_t)sb_integers(rng, 0, seeds);
    for (int i = 0; i < v->n_guards; i++) v->guard_heading[i] = (int32_t)sb_integers(rng, 0, 4);
    v->guard_seed = (uint32_t)sb_integers(rng, 0, seeds);
    v->ghost_seed = (uint32_t)sb_integers(rng, 0, seeds);
    make_generators(e);
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells shuffled;
    sb_wall_border(e);
    v->start = e->agent.at = sb_corner(e, sb_integers(&rng, 0, 4));
    sb_cells_columns(&shuffled, e, 1);
    sb_cells_remove(&shuffled, v->start);
    sb_cells_shuffle(&shuffled, &rng);
    place_goal_and_decoys(e, shuffled);
    place_walls(e, shuffled);
    mark_sites(e);
    place_guards(e, &rng);
    set_in_motion(e, &rng);
    return true;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    if (sb_object_here(e) == SB_NPC) sb_lose(e); /* even if the guard is about to leave */
}

bool sb_noisy_observation_guard_may_enter(const sb_episode *e, sb_xy to) {
    const sb_cell *c = sb_peek(e, to); /* in the grid, because the border is WALL */
    return c->terrain == SB_EMPTY && c->object != SB_GOAL && c->object != SB_TARGET;
}

static void move_guards(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_guards; i++) sb_cell_at(e, v->guard[i])->object = SB_NONE;
    for (int i = 0; i < v->n_guards; i++) {
        v->guard_heading[i] = sb_patrol(e, &v->guard[i], v->guard_heading[i], sb_noisy_observation_guard_may_enter,
                                        &v->guard_rng);
        if (sb_same(v->guard[i], e->agent.at)) sb_lose(e);
    }
    for (int i = 0; i < v->n_guards; i++)
        sb_cell_at(e, v->guard[i])->object = SB_NPC; /* a ghost on that cell vanishes */
}

/* Two rovers may share a cell, and a rover may enter the agent's cell. */
static void move_rovers(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_rovers; i++) sb_cell_at(e, v->rover[i])->object = SB_NONE;
    for (int i = 0; i < v->n_rovers; i++)
        v->rover_heading[i] = sb_patrol(e, &v->rover[i], v->rover_heading[i], sb_vacant, &v->rover_rng);
    for (int i = 0; i < v->n_rovers; i++) sb_cell_at(e, v->rover[i])->object = SB_TARGET;
}

/* Lists the indices of the cells where ghosts may appear, row by row, and returns their number. The agent's cell is not
 * one of them. */
static int list_free(const sb_episode *e, uint8_t *cells) {
    const vars *v = SB_VARS(e);
    sb_area sites = v->sites;
    int n = 0;
    sb_area_set(&sites, e->agent.at, false);
    for (int i = 0; i < v->n_guards; i++) sb_area_set(&sites, v->guard[i], false);
    for (int i = 0; i < v->n_rovers; i++) sb_area_set(&sites, v->rover[i], false);
    for (int y = 1; y < e->height - 1; y++)
        for (int x = 1; x < e->width - 1; x++) { /* without a branch, because this loop is much of the cost of a step */
            cells[n] = (uint8_t)(y * e->width + x);
            n += (int)(sites.row[y] >> x & 1);
        }
    return n;
}

static void flicker(sb_episode *e) {
    static const int8_t types[4] = {SB_SCROLL, SB_ORB, SB_LEVER, SB_COIN};
    vars *v = SB_VARS(e);
    uint8_t cells[SB_NOISY_OBSERVATION_SIDE * SB_NOISY_OBSERVATION_SIDE];
    int64_t drawn[SB_NOISY_OBSERVATION_GHOSTS];
    for (int i = 0; i < v->n_ghosts; i++)
        if (e->cells[v->ghost[i]].object != SB_NPC) e->cells[v->ghost[i]].object = SB_NONE;
    v->n_ghosts = (uint8_t)parameters[e->difficulty].ghosts; /* there is always room */
    sb_choices_distinct(&v->ghost_rng, list_free(e, cells), v->n_ghosts, drawn);
    for (int i = 0; i < v->n_ghosts; i++) {
        v->ghost[i] = cells[drawn[i]];
        e->cells[v->ghost[i]].object = types[sb_integers(&v->ghost_rng, 0, 4)];
    }
}

static void on_step(sb_episode *e) {
    move_guards(e);
    move_rovers(e); /* the old ghosts block the rovers, the agent does not */
    flicker(e);
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    return sb_pay_for_approach(e, t, v->goal, 0.05);
}

static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_has_lost(e) ? -1 : sb_manhattan(e->agent.at, v->goal);
}

static bool reseed(sb_episode *e, uint64_t seed) {
    vars *v = SB_VARS(e);
    v->guard_seed = v->rover_seed = v->ghost_seed = (uint32_t)seed;
    make_generators(e);
    return true;
}

static void forget(sb_episode *e) {
    vars *v = SB_VARS(e);
    if (v->n_guards == 0) v->guard_seed = 0, v->guard_rng = (sb_rng){0};
    if (v->n_rovers == 0) v->rover_seed = 0, v->rover_rng = (sb_rng){0};
}

/* Hides the guards, the rovers and the ghosts. The grid shows where they are, but not which object is which or where it
 * heads. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->n_guards = v->n_rovers = 0;
    memset(v->guard, 0, sizeof v->guard);
    memset(v->rover, 0, sizeof v->rover);
    memset(v->guard_heading, 0, sizeof v->guard_heading);
    memset(v->rover_heading, 0, sizeof v->rover_heading);
    memset(v->ghost, 0, sizeof v->ghost); /* index 0 is a corner, which is WALL */
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_cells(c, "decoy_positions", v->decoy, (size_t)v->n_decoys);
    sb_config_bool(c, "moving_decoys", parameters[e->difficulty].rovers > 0);
    sb_config_int(c, "n_moving_decoys", parameters[e->difficulty].rovers);
    sb_config_int(c, "n_ghosts", parameters[e->difficulty].ghosts);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_cells(c, "_guards", v->guard, (size_t)v->n_guards);
    sb_config_ints(c, "_guard_dirs", v->guard_heading, (size_t)v->n_guards);
    sb_config_cells(c, "_md", v->rover, (size_t)v->n_rovers);
    sb_config_ints(c, "_md_dirs", v->rover_heading, (size_t)v->n_rovers);
    sb_config_bool(c, "_collision", sb_has_lost(e));
}

const sb_task sb_noisy_observation = {
    .info = {.name = "NoisyObservation-v0",
             .category = "generalization",
             .skills = SB_SKILLS("robustness", "navigation", "noise"),
             .summary = "Reach the one goal among decoys, flickering ghost objects and patrolling guards, which kill."},
    .extents = {{7, 7, 100}, {9, 9, 150}, {11, 11, 220}, {13, 13, 320}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .on_enter = on_enter,
    .on_step = on_step,
    .dense = dense,
    .bound = bound,
    .reseed = reseed,
    .forget = forget,
    .hide = hide,
    .config = config,
};
