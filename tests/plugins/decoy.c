/* A library with the functions that examples/bots/mybot.c calls, which all abort. A plugin that is linked with it works
 * only if its calls bind to the program that loads it. */
#include <stdlib.h>

#define DECOY(name)                                                                                                    \
    __attribute__((visibility("default"))) void name(void);                                                            \
    void name(void) { abort(); }

DECOY(sb_agent_position)
DECOY(sb_grid_size)
DECOY(sb_terrain_at)
DECOY(sb_nearest)
DECOY(sb_neighbors)
DECOY(sb_bfs_path)
DECOY(sb_action_of_delta)
DECOY(sb_positions_to_actions)
