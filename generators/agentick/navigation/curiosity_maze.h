/* CuriosityMaze's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_CURIOSITY_MAZE_H
#define SB_AGENTICK_CURIOSITY_MAZE_H

#include "engine/gridworld/area.h"

typedef struct sb_curiosity_maze_vars {
    int32_t n_visited; /* number of cells; the first member, because the dense reward reads its old value */
    sb_xy start;
    int32_t n_reachable; /* number of cells, with the start */
    int32_t upper_bound; /* number of cells that a greedy explorer visits within the step limit */
    int32_t n_needed;    /* number of cells: nine tenths of upper_bound */
    sb_area visited;
} sb_curiosity_maze_vars;

extern const sb_task sb_curiosity_maze;

#endif
