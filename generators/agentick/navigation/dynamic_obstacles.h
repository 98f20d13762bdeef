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

/* How the obstacles of a difficulty behave, in this order of decision. */
typedef struct sb_dynamic_obstacles_temper {
    double moves, pursues; /* probabilities */
} sb_dynamic_obstacles_temper;

extern const sb_dynamic_obstacles_temper sb_dynamic_obstacles_tempers[SB_N_DIFFICULTIES];

/* Obstacles go where guards do (sb_may_patrol). Tries of one that cannot go ahead to find another heading. */
enum { SB_DYNAMIC_OBSTACLES_TURNS = 4 };

extern const sb_task sb_dynamic_obstacles;

#endif
