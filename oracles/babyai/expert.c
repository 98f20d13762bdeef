/* The expert of all levels: plans over the whole world, and plans again if the world is not as the plan expects. */
#include "oracles/babyai/planner.h"

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    *action = (sb_action)sb_planner_act(memory, sb_mg_world_of(observation->env), budget, intent);
}

const sb_oracle sb_babyai_expert = {.family = "babyai",
                                    .name = "expert",
                                    .sees = SB_SEES_STATE,
                                    .plans = true,
                                    .memory = sizeof(sb_planner),
                                    .act = act};
