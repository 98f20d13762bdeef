/* TimingChallenge's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_TIMING_CHALLENGE_H
#define SB_AGENTICK_TIMING_CHALLENGE_H

#include "engine/gridworld/episode.h"

enum { SB_TIMING_CHALLENGE_GAPS = 2, SB_TIMING_CHALLENGE_BLOCKERS = 6 };

/* A blocker that walks back and forth in the wall's row between two columns, both included. */
typedef struct sb_blocker {
    int8_t first, last;
    int8_t period;   /* steps from one move to the next */
    int8_t x, ahead; /* column now, and direction: ahead is +1 to the right, -1 to the left */
} sb_blocker;

typedef struct sb_timing_challenge_vars {
    sb_xy start, goal;
    int32_t row; /* row of the wall */
    int32_t n_gaps, gap[SB_TIMING_CHALLENGE_GAPS];
    int32_t n_blockers;
    sb_blocker blocker[SB_TIMING_CHALLENGE_BLOCKERS];
} sb_timing_challenge_vars;

/* Steps after which the blockers' timing repeats: a multiple of every period. */
enum { SB_TIMING_CHALLENGE_CYCLE = 6 };

/* Returns the longest period on this difficulty, in steps. The shortest is 1. */
int sb_timing_challenge_slowest(const sb_episode *e);

/* Moves a blocker by one cell. */
void sb_blocker_move(sb_blocker *blocker);

extern const sb_task sb_timing_challenge;

#endif
