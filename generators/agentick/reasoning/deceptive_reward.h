/* DeceptiveReward's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_DECEPTIVE_REWARD_H
#define SB_AGENTICK_DECEPTIVE_REWARD_H

#include "engine/gridworld/episode.h"

enum { SB_DECEPTIVE_REWARD_TRAILS = 4, SB_DECEPTIVE_REWARD_COINS = 7 /* coins on each trail */ };

typedef struct sb_deceptive_reward_vars {
    int32_t n_collected; /* number of coins that were collected */
    sb_xy start, goal;
    int32_t n_coins, n_targets; /* numbers of coins and decoys at the start */
    sb_xy coin[SB_DECEPTIVE_REWARD_TRAILS * SB_DECEPTIVE_REWARD_COINS];
    sb_xy target[SB_DECEPTIVE_REWARD_TRAILS]; /* the decoys; a cell may be listed twice */
} sb_deceptive_reward_vars;

extern const sb_task sb_deceptive_reward;

/* Returns the entrance of the true path, which the first coin walls up. */
sb_xy sb_deceptive_reward_gate(const sb_episode *e);

#endif
