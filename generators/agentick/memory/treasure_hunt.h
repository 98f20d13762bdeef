/* TreasureHunt's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_TREASURE_HUNT_H
#define SB_AGENTICK_TREASURE_HUNT_H

#include "engine/gridworld/episode.h"

enum { SB_TREASURE_HUNT_TREASURES = 5, SB_TREASURE_HUNT_CLUES = 12 };

/* Returns the direction from one cell to another: along the longer leg, the horizontal one if both are equal. */
static inline sb_direction sb_treasure_hunt_bearing(sb_xy from, sb_xy to) {
    const int dx = to.x - from.x, dy = to.y - from.y;
    if ((dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx)) return dy < 0 ? SB_NORTH : SB_SOUTH;
    return dx > 0 ? SB_EAST : SB_WEST;
}

typedef struct sb_treasure_hunt_scroll {
    sb_xy at;
    int32_t clue;
} sb_treasure_hunt_scroll;

typedef struct sb_treasure_hunt_vars {
    int32_t n_read, n_found; /* scrolls read; treasures found, each of which becomes a GOAL */
    bool has_begun;          /* a step was taken: the first step neither reads nor finds anything */
    sb_xy start;
    int32_t n_treasures;
    sb_xy treasure[SB_TREASURE_HUNT_TREASURES];           /* treasures in the order of placement */
    sb_treasure_hunt_scroll read[SB_TREASURE_HUNT_CLUES]; /* scrolls in the order of reading */
} sb_treasure_hunt_vars;

extern const sb_task sb_treasure_hunt;

/* The number of treasures, of scrolls, and of scrolls that lie about the direction. These are public. */
typedef struct sb_treasure_hunt_parameters {
    int treasures, clues, lies, wall_draws;
} sb_treasure_hunt_parameters;
extern const sb_treasure_hunt_parameters sb_treasure_hunt_difficulties[SB_N_DIFFICULTIES];

#endif
