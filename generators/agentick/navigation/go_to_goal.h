/* GoToGoal's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_GO_TO_GOAL_H
#define SB_AGENTICK_GO_TO_GOAL_H

#include "engine/gridworld/episode.h"

enum { SB_GO_TO_GOAL_GUARDS = 3 };

typedef struct sb_go_to_goal_vars {
    sb_xy start, goal;
    int32_t n_guards;
    sb_xy guard[SB_GO_TO_GOAL_GUARDS];
    int8_t heading[SB_GO_TO_GOAL_GUARDS]; /* index into sb_nswe */
    uint8_t unused[2]; /* keeps the size of the struct: the clairvoyant seeds its draws with a key of these bytes */
    uint32_t guard_seed;
    sb_rng guard_rng; /* draws a guard's next heading when the guard bounces */
} sb_go_to_goal_vars;

extern const sb_task sb_go_to_goal;

#endif
