/* FogOfWarExploration's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_FOG_OF_WAR_EXPLORATION_H
#define SB_AGENTICK_FOG_OF_WAR_EXPLORATION_H

#include "engine/gridworld/episode.h"

enum { SB_FOG_OF_WAR_EXPLORATION_GUARDS = 2, SB_FOG_OF_WAR_EXPLORATION_SIGHT = 2 };

typedef struct sb_fog_of_war_exploration_parameters {
    int decoys, guards;
    int goal_distance; /* least Manhattan distance of the goal from the start, if there is such a cell */
} sb_fog_of_war_exploration_parameters;

extern const sb_fog_of_war_exploration_parameters sb_fog_of_war_exploration_difficulties[SB_N_DIFFICULTIES];

typedef struct sb_fog_of_war_exploration_vars {
    sb_xy start, goal;
    int32_t n_guards;
    sb_xy guard[SB_FOG_OF_WAR_EXPLORATION_GUARDS];
    int8_t heading[SB_FOG_OF_WAR_EXPLORATION_GUARDS]; /* index into sb_nswe */
    uint32_t guard_seed;
    sb_rng guard_rng; /* draws a guard's next heading when the guard bounces */
} sb_fog_of_war_exploration_vars;

extern const sb_task sb_fog_of_war_exploration;

#endif
