/* The expert of RecursiveRooms: nothing moves and nothing is hidden, so the shortest path to the goal, asked anew at
 * every step, is all there is to it. It asks nothing but the public coding API: any bot may do the same. */
#include "oracles/oracle.h"
#include "seedbed/gridworld.h"

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    (void)memory;
    const sb_xy size = sb_grid_size(observation->env);
    sb_entity goal = {0};
    sb_nearest(observation->env, SB_GOAL, &goal);
    sb_path_to(observation->env, goal.at, action, 1); /* its first action; generation leaves no goal without a path */
    sb_intend(intent, "go to", "goal", goal.at);
    budget->spent += (uint64_t)(size.x * size.y); /* the cells that a path search may look at */
}

const sb_oracle sb_recursive_rooms_expert = {
    .family = "agentick",
    .task = "RecursiveRooms-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .act = act,
};
