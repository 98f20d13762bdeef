/* The expert of RecursiveRooms: takes the shortest path to the goal, found again at every step, because nothing moves
 * and nothing is hidden. It uses only the public coding API, so any bot can do the same. */
#include "oracles/oracle.h"
#include "seedbed/gridworld.h"

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    (void)memory;
    const sb_xy size = sb_grid_size(observation->env);
    sb_entity goal = {0};
    sb_nearest(observation->env, SB_GOAL, &goal);
    sb_path_to(observation->env, goal.at, action, 1); /* the first action; every generated goal has a path */
    sb_intend(intent, "go to", "goal", goal.at);
    budget->spent += (uint64_t)(size.x * size.y); /* a path search looks at no more cells */
}

const sb_oracle sb_recursive_rooms_expert = {
    .family = "agentick",
    .task = "RecursiveRooms-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .act = act,
};
