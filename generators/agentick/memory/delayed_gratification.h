/* DelayedGratification's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_DELAYED_GRATIFICATION_H
#define SB_AGENTICK_DELAYED_GRATIFICATION_H

#include "engine/gridworld/episode.h"

enum { SB_DELAYED_GRATIFICATION_DECOYS = 12 };

typedef struct sb_delayed_gratification_vars {
    sb_xy start, goal;
    int32_t n_decoys;
    sb_xy decoy[SB_DELAYED_GRATIFICATION_DECOYS]; /* decoys in order of their distance from the start */
} sb_delayed_gratification_vars;

extern const sb_task sb_delayed_gratification;

#endif
