/* InstructionFollowing's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_INSTRUCTION_FOLLOWING_H
#define SB_AGENTICK_INSTRUCTION_FOLLOWING_H

#include "engine/gridworld/episode.h"

enum { SB_INSTRUCTION_FOLLOWING_DOORS = 2, SB_INSTRUCTION_FOLLOWING_DISTRACTORS = 12 };

typedef struct sb_instruction_following_vars {
    sb_xy start, target;
    sb_object named; /* kind of the target */
    int32_t n_doors, n_distractors;
    sb_xy door[SB_INSTRUCTION_FOLLOWING_DOORS]; /* a door and its key have the door's index as colour */
    sb_xy key[SB_INSTRUCTION_FOLLOWING_DOORS];  /* where the keys lay at the start */
    sb_xy distractor[SB_INSTRUCTION_FOLLOWING_DISTRACTORS];
} sb_instruction_following_vars;

extern const sb_task sb_instruction_following;

#endif
