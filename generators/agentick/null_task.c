/* The smallest task: walk to the goal in an empty room. Copy this file to start a new task (docs/adding-a-task.md). It
 * is compiled and tested, but no list of tasks has it. */
#include "generators/agentick/null_task.h"

#include "engine/gridworld/config.h"
#include "engine/gridworld/parts/cells.h"

/* Everything that the task remembers. The struct lives inside the episode, so it holds no pointers. */
typedef struct vars {
    sb_xy start, goal;
} vars;

/* ---- The instance ---- */

static bool generate(sb_episode *e) {
    vars *v = SB_VARS(e);
    sb_rng rng = sb_generator(e, e->seed);
    sb_cells sites;

    sb_wall_border(e);
    sb_cells_interior_empty(&sites, e);
    sb_cells_shuffle(&sites, &rng);
    v->start = e->agent.at = sites.at[0];
    v->goal = sites.at[1];
    sb_set_object(e, v->goal, SB_GOAL, 0);
    return true;
}

/* ---- The rules ---- */

static double dense(sb_episode *e, const sb_transition *t) {
    const vars *v = SB_VARS(e);
    return -0.01 + 0.1 * sb_approach(e, t, v->goal) + (t->success ? 1.0 : 0.0);
}

static void config(const sb_episode *e, sb_config *c) {
    const vars *v = SB_VARS(e);
    sb_config_xy(c, "agent_start", v->start);
    sb_config_cells(c, "goal_positions", &v->goal, 1);
    sb_config_int(c, "max_steps", e->max_steps);
}

const sb_task sb_null_task = {
    .info = {.name = "Null-v0", .category = "navigation", .summary = "Walk to the goal in an empty room."},
    .extents = {{5, 5, 20}, {7, 7, 40}, {9, 9, 60}, {11, 11, 80}},
    .vars_size = sizeof(vars),
    .generate = generate,
    .dense = dense,
    .config = config,
};
