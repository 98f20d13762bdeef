/* ShortestPath's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_SHORTEST_PATH_H
#define SB_AGENTICK_SHORTEST_PATH_H

#include "engine/gridworld/episode.h"

enum { SB_SHORTEST_PATH_GOALS = 5, SB_SHORTEST_PATH_DECOYS = 3 };

typedef struct sb_shortest_path_vars {
    sb_xy start;
    int32_t n_goals, n_decoys;
    int32_t optimal;                    /* steps of the shortest tour from the start */
    int32_t n_visited;                  /* number of goals that were visited */
    sb_xy goal[SB_SHORTEST_PATH_GOALS]; /* where the goals lay at the start */
    sb_xy decoy[SB_SHORTEST_PATH_DECOYS];
} sb_shortest_path_vars;

extern const sb_task sb_shortest_path;

#endif
