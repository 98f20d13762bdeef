/* MazeNavigation's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_MAZE_NAVIGATION_H
#define SB_AGENTICK_MAZE_NAVIGATION_H

#include "engine/gridworld/episode.h"

enum { SB_MAZE_NAVIGATION_DOORS = 2 };

typedef struct sb_maze_navigation_vars {
    sb_xy start, goal;
    int32_t n_doors, n_keys;              /* a door may have no key */
    sb_xy door[SB_MAZE_NAVIGATION_DOORS]; /* the colour of a door is its index */
    sb_xy key[SB_MAZE_NAVIGATION_DOORS];  /* where the keys lay at the start */
} sb_maze_navigation_vars;

extern const sb_task sb_maze_navigation;

#endif
