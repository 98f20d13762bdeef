/* ToolUse: collect all scrolls to make an orb appear, fetch the orb, and carry it through the water to the goal. The
 * water blocks nobody. Reaching the goal without the orb is a success too, but pays less. */
#include "generators/agentick/planning/tool_use.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

typedef sb_tool_use_vars vars;

static const struct parameters {
    int n_scrolls, n_decoys;
    int n_rivers, river[2], river_width; /* river: the first row of each river */
} parameters[SB_N_DIFFICULTIES] = {
    {2, 0, 1, {4}, 2},
    {3, 1, 1, {5}, 3},
    {4, 2, 2, {4, 8}, 2},
    {5, 3, 2, {5, 9}, 3},
};

/* ---- The instance ---- */

static void flood_rivers(sb_episode *e, const struct parameters *difficulty) {
    for (int i = 0; i < difficulty->n_rivers; i++)
        for (int y = difficulty->river[i]; y < difficulty->river[i] + difficulty->river_width; y++)
            for (int x = 1; x < e->width - 1; x++) sb_cell_at(e, sb_at(x, y))->terrain = SB_WATER;
}

/* Lists the cells on the agent's side of the water in random order, without the agent's own. */
static void draw_sites(const sb_episode *e, const struct parameters *difficulty, sb_cells *sites, sb_rng *rng) {
    sites->n = 0;
    for (int x = 1; x < e->width - 1; x++)
        for (int y = 1; y < difficulty->river[0]; y++)
            if (!sb_same(sb_at(x, y), e->agent.at)) sb_cells_add(sites, sb_at(x, y));
    sb_cells_shuffle(sites, rng);
}

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    const struct parameters *difficulty = &parameters[e->difficulty];
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells sites;

    sb_clear_room(e);
    flood_rivers(e, difficulty);
    v->start = e->agent.at = sb_at(1, 1);
    v->goal = sb_at(e->width - 2, difficulty->river[difficulty->n_rivers - 1] + difficulty->river_width);
    sb_set_object(e, v->goal, SB_GOAL, 0);
    v->n_scrolls = difficulty->n_scrolls, v->n_decoys = difficulty->n_decoys;
    draw_sites(e, difficulty, &sites, &rng);
    sb_place(e, sites.at, v->n_scrolls, SB_SCROLL, v->scroll);
    sb_place(e, sites.at + v->n_scrolls, v->n_decoys, SB_COIN, v->decoy);
    v->orb = sites.at[v->n_scrolls + v->n_decoys];
    return true;
}

/* ---- The rules ---- */

static bool orb_has_appeared(const vars *v) { return v->n_collected >= v->n_scrolls; }

static void on_enter(sb_episode *e) {
    vars *v = SB_VARS(e);
    const int found = sb_object_here(e);
    if (found != SB_SCROLL && found != SB_COIN && found != SB_ORB) return;
    sb_set_object(e, e->agent.at, SB_NONE, 0);
    if (found == SB_ORB) sb_take(e, SB_ITEM_ORB, 0, e->agent.at);
    if (found != SB_SCROLL) return;
    v->n_collected++;
    if (orb_has_appeared(v)) sb_set_object(e, v->orb, SB_ORB, 0);
}

static double worth_of_goal(const sb_episode *e) { return sb_tool_use_has_orb(&e->agent) ? 1.0 : 0.2; }

static double sparse(const sb_episode *e, const sb_transition *t) { return t->success ? worth_of_goal(e) : 0.0; }

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e), *old = t->live;
    double reward = -0.01;
    if (v->n_collected > old->n_collected) reward += 0.15 * (v->n_collected - old->n_collected);
    if (sb_tool_use_has_orb(&e->agent) && !sb_tool_use_has_orb(&t->before)) reward += 0.3;
    if (t->success) reward += worth_of_goal(e);
    return reward;
}

/* Success does not need the orb. */
static int bound(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    return sb_manhattan(e->agent.at, v->goal);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
    sb_config_cells(c, "scroll_positions", v->scroll, (size_t)v->n_scrolls);
    sb_config_cells(c, "decoy_positions", v->decoy, (size_t)v->n_decoys);
    sb_config_xy(c, "orb_spawn_pos", v->orb);
    sb_config_int(c, "n_scrolls_required", v->n_scrolls);
    if (!c->hidden) return;
    sb_config_int(c, "_n_collected", v->n_collected);
    sb_config_bool(c, "_orb_spawned", orb_has_appeared(v));
    sb_config_bool(c, "_has_orb", sb_tool_use_has_orb(&e->agent));
}

const sb_task sb_tool_use = {
    .info = {.name = "ToolUse-v0",
             .category = "planning",
             .skills = SB_SKILLS("tool_use", "discovery"),
             .summary = "Collect all scrolls so that an orb appears, and carry the orb across the water to the goal."},
    .extents = {{9, 9, 100}, {11, 11, 180}, {13, 13, 300}, {15, 15, 450}},
    .vars_size = sizeof(vars),
    .live_size = sizeof(int32_t), /* n_collected */
    .generate = generate,
    .on_enter = on_enter,
    .sparse = sparse,
    .dense = dense,
    .bound = bound,
    .config = config,
};
