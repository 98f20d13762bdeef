/* TagHunt's variables and numbers, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_TAG_HUNT_H
#define SB_AGENTICK_TAG_HUNT_H

#include "engine/gridworld/episode.h"

enum { SB_TAG_HUNT_OPPONENTS = 4, SB_TAG_HUNT_FREEZE = 5 /* steps, that of the interact included */ };

typedef struct sb_tag_hunt_vars {
    int32_t n_live;                      /* opponents still at large; live */
    sb_xy live[SB_TAG_HUNT_OPPONENTS];   /* their cells, in the order of placement, which is that of their moves */
    int32_t freeze;                      /* steps for which they will not move yet */
    sb_xy start, button;                 /* button: where the switch was placed, whatever became of it */
    sb_xy placed[SB_TAG_HUNT_OPPONENTS]; /* where all opponents were at the start */
    uint32_t flight_seed;
    sb_rng flight; /* draws whether an opponent evades, and else where it goes */
} sb_tag_hunt_vars;

/* The chance that an opponent evades the agent instead of moving at random. */
extern const double sb_tag_hunt_evades[SB_N_DIFFICULTIES];

extern const sb_task sb_tag_hunt;

#endif
