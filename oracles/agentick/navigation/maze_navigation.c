/* The expert of MazeNavigation: takes the fewest steps through keys and doors. It treats hazards as walls. */
#include "generators/agentick/navigation/maze_navigation.h"

#include "oracles/kits/locks.h"

static void find_way(sb_locks *locks, const sb_episode *e, sb_budget *budget) {
    const sb_maze_navigation_vars *v = SB_VARS(e);
    sb_open floor;
    for (int i = 0; i < sb_n_cells(e); i++) floor.cell[i] = e->cells[i].terrain == SB_EMPTY;
    sb_locks_plan(locks, e, &floor, v->goal, budget);
}

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    sb_locks *locks = memory;
    const sb_episode *e = sb_episode_of(observation->env);
    const sb_maze_navigation_vars *v = SB_VARS(e);
    if (!sb_plan_holds(&locks->plan, e)) find_way(locks, e, budget);
    sb_locks_explain(locks, e, "goal", v->goal, intent);
    if (!sb_plan_next(&locks->plan, e, action)) sb_plan_give_up(&locks->plan, NULL, action, intent);
}

const sb_oracle sb_maze_navigation_expert = {
    .family = "agentick",
    .task = "MazeNavigation-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(sb_locks),
    .act = act,
};
