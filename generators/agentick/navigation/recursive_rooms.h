/* RecursiveRooms' variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_RECURSIVE_ROOMS_H
#define SB_AGENTICK_RECURSIVE_ROOMS_H

#include "engine/gridworld/episode.h"

typedef struct sb_recursive_rooms_vars {
    sb_xy start, goal;
    int32_t n_doorways;
} sb_recursive_rooms_vars;

extern const sb_task sb_recursive_rooms;

#endif
