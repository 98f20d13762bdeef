/* SequenceMemory's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_SEQUENCE_MEMORY_H
#define SB_AGENTICK_SEQUENCE_MEMORY_H

#include "engine/gridworld/episode.h"

enum { SB_SEQUENCE_MEMORY_TARGETS = 6, SB_SEQUENCE_MEMORY_DISTRACTORS = 4 };

typedef struct sb_sequence_memory_vars {
    int32_t progress, show_step; /* targets reproduced; steps of the show so far */
    sb_xy start;
    int32_t n_targets, n_distractors;
    sb_xy target[SB_SEQUENCE_MEMORY_TARGETS];         /* targets in the order in which they must be entered */
    sb_xy distractor[SB_SEQUENCE_MEMORY_DISTRACTORS]; /* cells that nothing marks; only the dense reward uses them */
} sb_sequence_memory_vars;

/* Returns the steps of the show that are left; 0 after the show. */
int sb_sequence_memory_left(const sb_episode *e);
/* Returns the index of the target whose gem is shown now, or -1. */
int sb_sequence_memory_shown(const sb_episode *e);

extern const sb_task sb_sequence_memory;

#endif
