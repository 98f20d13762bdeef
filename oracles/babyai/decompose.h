/* BabyBench's Decompose task: how good is a plan, if OmniBot carries it out and helps itself where it falls short? */
#ifndef SB_BABYAI_DECOMPOSE_H
#define SB_BABYAI_DECOMPOSE_H

#include "api/seedbed.h"

typedef struct sb_decomposition {
    uint32_t added;    /* subgoals that the bot had to add (A) */
    uint32_t max_help; /* those it pushes if it is given no plan, its own translation of the mission included (M) */
    /* All 0 if the episode did not terminate with the given plan. */
    double comprehension; /* CR: 1 if it did */
    double precision;     /* PR: 1 if nothing had to be added */
    double assistance;    /* ACI: (M - A) / M, not below 0 */
    size_t n;             /* actions taken with the given plan, of which at most `capacity` were written */
} sb_decomposition;

/* Plays copies of the episode from where it is, with the plan and without it, until they end or nothing is left on the
 * bot's stack. The bot is not told of a first action, so a plan that begins with Open, Close, Pickup or Drop loses that
 * line, as published. `actions` may be NULL. Fails on plans that cannot be read (bot.h), on episodes of other families,
 * and out of memory. */
bool sb_bot_decompose(const sb_env *env, const char *plan, sb_decomposition *result, sb_action *actions,
                      size_t capacity, sb_error *error);

#endif
