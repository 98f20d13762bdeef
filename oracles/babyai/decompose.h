/* BabyBench's Decompose task: how good is a plan, if OmniBot carries it out and helps itself where it falls short? */
#ifndef SB_BABYAI_DECOMPOSE_H
#define SB_BABYAI_DECOMPOSE_H

#include "oracles/oracle.h"

typedef struct sb_decomposition {
    sb_assistance scores; /* the bot's own translation of the mission counts in M */
    size_t n;             /* actions taken with the given plan, of which at most `capacity` were written */
} sb_decomposition;

/* Plays copies of the episode from where it is, with the plan and without it, until they end or nothing is left on the
 * bot's stack. The bot is not told of a first action, so a plan that begins with Open, Close, Pickup or Drop loses that
 * line, as published. Without a plan (NULL) only M is found out. `actions` may be NULL. Fails on plans that cannot be
 * read (bot.h), on episodes of other families, and out of memory. */
bool sb_bot_decompose(const sb_env *env, const char *plan, sb_decomposition *result, sb_action *actions,
                      size_t capacity, sb_error *error);

#endif
