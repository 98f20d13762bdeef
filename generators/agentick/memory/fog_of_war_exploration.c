/* FogOfWarExploration: find the goal and walk to it while fog covers all cells but those around the agent. Guards
 * patrol in straight lines and turn at random when they bounce. Ending a step on a guard's cell is fatal. Decoys are
 * harmless.
 *
 * The published generator may put a decoy or a guard on the goal, which erases the goal. One in six instances on hard
 * and expert therefore cannot be won. */
#include "generators/agentick/memory/fog_of_war_exploration.h"

#include <string.h>

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"
#include "engine/gridworld/parts/movers.h"

typedef sb_fog_of_war_exploration_vars vars;

enum { SIGHT = SB_FOG_OF_WAR_EXPLORATION_SIGHT, HIDDEN = SB_FOG, SHOWN = 0 };

typedef sb_fog_of_war_exploration_parameters parameters;

const parameters sb_fog_of_war_exploration_difficulties[SB_N_DIFFICULTIES] = {
    {0, 0, 0}, {2, 0, 0}, {3, 1, 6}, {4, 2, 7}};

/* ---- Fog ---- */

/* Shows or hides all cells that the agent sees from a cell. Walls do not block its sight. */
static void set_fog(sb_episode *e, sb_xy from, int fog) {
    for (int dy = -SIGHT; dy <= SIGHT; dy++) {
        const int reach = SIGHT - (dy < 0 ? -dy : dy);
        for (int dx = -reach; dx <= reach; dx++) {
            const sb_xy p = sb_at(from.x + dx, from.y + dy);
            if (sb_inside(e, p)) sb_cell_at(e, p)->metadata = (int16_t)fog;
        }
    }
}

/* ---- The instance ---- */

/* Returns the first site that is far enough away, or the very first if none is. */
static sb_xy choose_goal(const sb_cells *sites, sb_xy start, int distance) {
    for (int i = 0; i < sites->n; i++)
        if (sb_manhattan(sites->at[i], start) >= distance) return sites->at[i];
    return sites->at[0];
}

/* Decoys and guards take the sites after the first, even if the goal is on one of them. */
static void furnish(sb_episode *e, const parameters *difficulty, const sb_cells *sites, sb_rng *rng) {
    vars *v = SB_VARS(e);
    const sb_xy *decoy = &sites->at[1], *guard = decoy + difficulty->decoys;
    v->goal = choose_goal(sites, v->start, difficulty->goal_distance);
    v->n_guards = difficulty->guards;
    sb_cell_at(e, v->goal)->object = SB_GOAL;
    for (int i = 0; i < difficulty->decoys; i++) sb_cell_at(e, decoy[i])->object = SB_TARGET;
    for (int i = 0; i < difficulty->guards; i++) {
        v->guard[i] = guard[i];
        sb_cell_at(e, guard[i])->object = SB_NPC;
    }
    for (int i = 0; i < difficulty->guards; i++) v->heading[i] = (int8_t)sb_integers(rng, 0, 4);
    v->guard_seed = (uint32_t)sb_integers(rng, 0, INT64_C(1) << 31);
}

/* Draws one instance. Returns false if a wall stands on the agent's cell or the walls leave it too little room. */
static bool draw_instance(sb_episode *e, const parameters *difficulty, sb_rng *rng) {
    const vars *v = SB_VARS(e);
    sb_cells sites;
    sb_clear_room(e);
    sb_draw_walls(e, e->width, rng);
    if (!sb_walkable(e, v->start)) return false;
    sb_cells_reached_without(&sites, e, v->start);
    if (sites.n < difficulty->decoys + difficulty->guards + 1) return false;
    sb_cells_shuffle(&sites, rng);
    furnish(e, difficulty, &sites, rng);
    return true;
}

static void make_plain(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_clear_room(e);
    v->start = sb_at(1, 1);
    v->goal = sb_at(e->width - 2, e->height - 2);
    sb_cell_at(e, v->goal)->object = SB_GOAL;
}

static bool generate(sb_episode *e) {
    enum { ATTEMPTS = 10 };
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed); /* shared by all attempts, like the corner */
    int attempt = 0;
    v->start = sb_draw_corner(e, &rng);
    while (attempt < ATTEMPTS && !draw_instance(e, &sb_fog_of_war_exploration_difficulties[e->difficulty], &rng))
        attempt++;
    if (attempt == ATTEMPTS) make_plain(e);
    v->guard_rng = sb_generator(e, v->guard_seed);
    e->agent.at = v->start;
    for (int i = 0; i < sb_n_cells(e); i++) e->cells[i].metadata = HIDDEN;
    set_fog(e, v->start, SHOWN);
    return true;
}

/* ---- The rules ---- */

static void on_enter(sb_episode *e) {
    const sb_direction back = (sb_direction)((e->agent.facing + 2) % 4);
    set_fog(e, sb_beside(e->agent.at, back), HIDDEN);
    set_fog(e, e->agent.at, SHOWN);
}

static void on_step(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_patrol_all(e, v->guard, v->heading, v->n_guards, &v->guard_rng); /* erases a decoy that a guard walks over */
}

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    return sb_pay_for_approach(e, t, v->goal, 0.05);
}

/* An overwritten goal never comes back; one that is still there stays. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    if (sb_has_lost(e) || sb_peek(e, v->goal)->object != SB_GOAL) return -1;
    return sb_manhattan(e->agent.at, v->goal);
}

static bool reseed(sb_episode *e, uint64_t seed) {
    vars *v = SB_VARS(e);
    v->guard_seed = (uint32_t)seed;
    v->guard_rng = sb_generator(e, seed);
    return v->n_guards > 0;
}

/* Gives the cells that the agent may be shown: those in sight of a cell to which it can walk. It walks onto a goal but
 * not past it. */
static void list_shown(sb_area *shown, const sb_episode *e) {
    sb_area walkable, open;
    sb_area_walkable(&walkable, e);
    open = walkable;
    for (int i = 0; i < sb_n_cells(e); i++)
        if (e->cells[i].object == SB_GOAL) sb_area_set(&open, sb_xy_of(e, i), false);
    sb_area_flood(shown, &open, e->height, e->agent.at);
    sb_area_grow(shown, &walkable, 0, e->height - 1);
    for (int i = 0; i < SIGHT; i++) sb_area_widen(shown, e->height);
}

/* Gives the cells to which the guards can come. */
static void list_patrolled(sb_area *patrolled, const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_area open = {{0}};
    for (int i = 0; i < sb_n_cells(e); i++)
        if (sb_may_patrol(e, sb_xy_of(e, i))) sb_area_add(&open, sb_xy_of(e, i));
    *patrolled = (sb_area){{0}};
    for (int i = 0; i < v->n_guards; i++) {
        sb_area reached;
        sb_area_flood(&reached, &open, e->height, v->guard[i]);
        sb_area_unite(patrolled, &reached, e->height);
    }
}

static void forget_guards(sb_episode *e) {
    vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_guards; i++) sb_set_object(e, v->guard[i], SB_NONE, SB_FOG);
    v->n_guards = 0;
    memset(v->guard, 0, sizeof v->guard);
    memset(v->heading, 0, sizeof v->heading);
    reseed(e, 0);
}

/* Beyond the cells that the agent may be shown, only what turns a guard counts, and guards count only if they can come
 * into sight. */
static void forget(sb_episode *e) {
    sb_area shown, patrolled;
    list_shown(&shown, e);
    list_patrolled(&patrolled, e);
    if (sb_areas_overlap(&shown, &patrolled, e->height))
        sb_area_widen(&patrolled, e->height);
    else
        forget_guards(e), patrolled = (sb_area){{0}};
    for (int i = 0; i < sb_n_cells(e); i++) {
        const sb_xy p = sb_xy_of(e, i);
        sb_cell *c = &e->cells[i];
        if (sb_area_has(&shown, p)) continue;
        if (!sb_area_has(&patrolled, p)) c->terrain = SB_EMPTY;
        if (!sb_area_has(&patrolled, p) || c->object != SB_GOAL) c->object = SB_NONE;
    }
}

/* Hides the goal and the guards. The grid shows those in sight, but neither the number of guards nor their headings. */
static void hide(sb_episode *e) {
    vars *v = SB_VARS(e);
    v->goal = v->start;
    v->n_guards = 0;
    memset(v->guard, 0, sizeof v->guard);
    memset(v->heading, 0, sizeof v->heading);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    if (c->hidden) sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    if (!c->hidden) return;
    sb_config_cells(c, "_guard_positions", v->guard, (size_t)v->n_guards);
    sb_config_bool(c, "_guard_collision", sb_has_lost(e));
    sb_config_int(c, "_guard_seed", v->guard_seed);
}

const sb_task sb_fog_of_war_exploration = {
    .info = {.name = "FogOfWarExploration-v0",
             .category = "memory",
             .skills = SB_SKILLS("memory", "spatial_memory"),
             .summary = "Find the goal on a grid of which only the cells around you show; avoid patrolling guards."},
    .extents = {{7, 7, 100}, {10, 10, 200}, {13, 13, 350}, {15, 15, 500}},
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
