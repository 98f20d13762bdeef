/* PreciseNavigation's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_PRECISE_NAVIGATION_H
#define SB_AGENTICK_PRECISE_NAVIGATION_H

#include "engine/gridworld/episode.h"

enum { SB_PRECISE_NAVIGATION_BOXES = 2 };

typedef struct sb_precise_navigation_vars {
    sb_xy start, goal;
    int32_t n_boxes;
    sb_xy box[SB_PRECISE_NAVIGATION_BOXES]; /* where the boxes are now */
} sb_precise_navigation_vars;

extern const sb_task sb_precise_navigation;

#endif
