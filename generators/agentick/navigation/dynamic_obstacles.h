/* DynamicObstacles' variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_DYNAMIC_OBSTACLES_H
#define SB_AGENTICK_DYNAMIC_OBSTACLES_H

#include "engine/gridworld/episode.h"

enum { SB_DYNAMIC_OBSTACLES_MAX = 7 };

typedef struct sb_dynamic_obstacles_vars {
    sb_xy start, goal;
    int32_t n_obstacles;
    sb_xy obstacle[SB_DYNAMIC_OBSTACLES_MAX];
    int8_t heading[SB_DYNAMIC_OBSTACLES_MAX]; /* index into sb_nswe */
    uint32_t obstacle_seed;
    sb_rng obstacle_rng; /* draws whether an obstacle moves, whether it pursues, and where it turns */
} sb_dynamic_obstacles_vars;

/* How the obstacles of a difficulty behave. The first draw decides whether an obstacle moves, the next whether it
 * pursues the agent. */
typedef struct sb_dynamic_obstacles_temper {
    double moves, pursues; /* probabilities */
} sb_dynamic_obstacles_temper;

extern const sb_dynamic_obstacles_temper sb_dynamic_obstacles_tempers[SB_N_DIFFICULTIES];

/* Obstacles may go where guards may (sb_may_patrol). An obstacle that is blocked draws a new heading this many times at
 * most. */
enum { SB_DYNAMIC_OBSTACLES_TURNS = 4 };

extern const sb_task sb_dynamic_obstacles;

#endif
