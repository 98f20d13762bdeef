/* ProgramSynthesis's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_PROGRAM_SYNTHESIS_H
#define SB_AGENTICK_PROGRAM_SYNTHESIS_H

#include "engine/gridworld/episode.h"

enum { SB_PROGRAM_SYNTHESIS_GEMS = 6 };

typedef struct sb_program_synthesis_vars {
    sb_xy start;
    int32_t n; /* number of gems, and of scrolls */
    sb_xy scroll[SB_PROGRAM_SYNTHESIS_GEMS];
    sb_xy placed[SB_PROGRAM_SYNTHESIS_GEMS]; /* where the gems lay at the start, in the order of the draws */
    sb_xy gem[SB_PROGRAM_SYNTHESIS_GEMS];    /* where the gems lie now, by x, then y */
    sb_xy shape[SB_PROGRAM_SYNTHESIS_GEMS];  /* the shape of the scrolls by x, then y, relative to the first, which is
                                                (0, 0) */
} sb_program_synthesis_vars;

extern const sb_task sb_program_synthesis;

#endif
