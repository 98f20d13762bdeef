/* TimingChallenge's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_TIMING_CHALLENGE_H
#define SB_AGENTICK_TIMING_CHALLENGE_H

#include "engine/gridworld/episode.h"

enum { SB_TIMING_CHALLENGE_GAPS = 2, SB_TIMING_CHALLENGE_BLOCKERS = 6 };

/* A blocker goes to and fro along the wall's row between two columns, both included. */
typedef struct sb_blocker {
    int8_t first, last;
    int8_t period;   /* it moves in every such step */
    int8_t x, ahead; /* ahead: +1 right, -1 left */
} sb_blocker;

typedef struct sb_timing_challenge_vars {
    sb_xy start, goal;
    int32_t row; /* of the wall */
    int32_t n_gaps, gap[SB_TIMING_CHALLENGE_GAPS];
    int32_t n_blockers;
    sb_blocker blocker[SB_TIMING_CHALLENGE_BLOCKERS];
} sb_timing_challenge_vars;

/* Every period divides it. */
enum { SB_TIMING_CHALLENGE_CYCLE = 6 };

/* The longest period in the difficulty; the shortest is 1. */
int sb_timing_challenge_slowest(const sb_episode *e);

/* One step of a blocker that moves. */
void sb_blocker_move(sb_blocker *blocker);

extern const sb_task sb_timing_challenge;

#endif
