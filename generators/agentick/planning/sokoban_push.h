/* SokobanPush's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_SOKOBAN_PUSH_H
#define SB_AGENTICK_SOKOBAN_PUSH_H

#include "engine/gridworld/area.h"

enum { SB_SOKOBAN_PUSH_BOXES = 4 };

typedef struct sb_sokoban_push_vars {
    sb_xy start;
    int32_t n;                           /* number of boxes, and of targets */
    int32_t covered;                     /* number of targets with a box */
    sb_xy target[SB_SOKOBAN_PUSH_BOXES]; /* targets in the order in which they were drawn */
    sb_xy placed[SB_SOKOBAN_PUSH_BOXES]; /* boxes at the start, in the order in which they were drawn */
    sb_xy box[SB_SOKOBAN_PUSH_BOXES];    /* boxes now, row by row: they are interchangeable */
} sb_sokoban_push_vars;

/* What a box could do if it were alone: all targets are walls for the agent, and the box moves over the floor until it
 * is on one. This depends only on the terrain, so it holds throughout the episode. */
enum { SB_SOKOBAN_PUSH_CELLS = 15 * 15, SB_SOKOBAN_PUSH_NEVER = 5000 /* more than any number of pushes */ };

typedef struct sb_sokoban_push_alone {
    sb_area floor; /* cells that are neither wall nor hazard nor pit */
    /* Fewest pushes that bring a box on this cell to the target when the agent stands on this side of it, or NEVER. */
    int16_t pushes[SB_SOKOBAN_PUSH_BOXES][SB_SOKOBAN_PUSH_CELLS][4];
} sb_sokoban_push_alone;

void sb_sokoban_push_measure(sb_sokoban_push_alone *alone, const sb_episode *e);

extern const sb_task sb_sokoban_push;

#endif
