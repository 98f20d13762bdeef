/* TagHunt's variables and numbers, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_TAG_HUNT_H
#define SB_AGENTICK_TAG_HUNT_H

#include "engine/gridworld/episode.h"

enum { SB_TAG_HUNT_OPPONENTS = 4, SB_TAG_HUNT_FREEZE = 5 /* steps of a freeze, with the step of the interaction */ };

typedef struct sb_tag_hunt_vars {
    int32_t n_live; /* number of opponents still at large; the dense reward reads its old value */
    /* cells of the opponents at large, in the order of placement, in which they also move */
    sb_xy live[SB_TAG_HUNT_OPPONENTS];
    int32_t freeze;                      /* steps for which the opponents stay frozen */
    sb_xy start, button;                 /* button: where the switch was placed, even if it is gone */
    sb_xy placed[SB_TAG_HUNT_OPPONENTS]; /* where all opponents were at the start */
    uint32_t flight_seed;
    sb_rng flight; /* draws whether an opponent evades, and where to if it does not */
} sb_tag_hunt_vars;

/* The chance that an opponent evades the agent instead of moving at random. */
extern const double sb_tag_hunt_evades[SB_N_DIFFICULTIES];

extern const sb_task sb_tag_hunt;

#endif
