/* TreasureHunt's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_TREASURE_HUNT_H
#define SB_AGENTICK_TREASURE_HUNT_H

#include "engine/gridworld/episode.h"

enum { SB_TREASURE_HUNT_TREASURES = 5, SB_TREASURE_HUNT_CLUES = 12 };

/* The direction in which a cell lies from another: that of the longer leg, the horizontal one if they are equal. */
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
    int32_t n_read, n_found; /* scrolls; treasures, on which a GOAL stands from then on */
    bool has_begun;          /* a step was taken: the first one can neither read nor find anything */
    sb_xy start;
    int32_t n_treasures;
    sb_xy treasure[SB_TREASURE_HUNT_TREASURES];           /* in the order of their placement */
    sb_treasure_hunt_scroll read[SB_TREASURE_HUNT_CLUES]; /* in the order of reading */
} sb_treasure_hunt_vars;

extern const sb_task sb_treasure_hunt;

/* How many treasures, scrolls, and scrolls that lie about the direction there are: public knowledge. */
typedef struct sb_treasure_hunt_parameters {
    int treasures, clues, lies, wall_draws;
} sb_treasure_hunt_parameters;
extern const sb_treasure_hunt_parameters sb_treasure_hunt_difficulties[SB_N_DIFFICULTIES];

#endif
