/* BabyBench's Decompose task: rates a plan by letting OmniBot carry it out and add subgoals where it falls short. */
#ifndef SB_BABYAI_DECOMPOSE_H
#define SB_BABYAI_DECOMPOSE_H

#include "oracles/oracle.h"

typedef struct sb_decomposition {
    sb_assistance scores; /* M includes the bot's own translation of the mission */
    size_t n;             /* actions taken with the given plan, of which at most `capacity` were written */
} sb_decomposition;

/* Plays copies of the episode from its current state, with the plan and without it, until they end or the bot's stack
 * is empty. The bot is not told a first action, so a plan that begins with Open, Close, Pickup or Drop loses that line,
 * as published. If `plan` is NULL, only M is computed. `actions` may be NULL. Fails if the plan cannot be read (bot.h),
 * if the episode is of another family, or if memory runs out. */
bool sb_bot_decompose(const sb_env *env, const char *plan, sb_decomposition *result, sb_action *actions,
                      size_t capacity, sb_error *error);

#endif
