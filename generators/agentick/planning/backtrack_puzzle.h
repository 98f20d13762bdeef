/* BacktrackPuzzle's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_BACKTRACK_PUZZLE_H
#define SB_AGENTICK_BACKTRACK_PUZZLE_H

#include "engine/gridworld/episode.h"

enum { SB_BACKTRACK_PUZZLE_SWITCHES = 4 };

typedef struct sb_backtrack_puzzle_vars {
    sb_xy start;
    sb_xy goal; /* becomes a GOAL, and the gate EMPTY, when every switch is activated */
    sb_xy gate;
    int32_t n_switches, n_activated;
    sb_xy at[SB_BACKTRACK_PUZZLE_SWITCHES];
} sb_backtrack_puzzle_vars;

extern const sb_task sb_backtrack_puzzle;

#endif
