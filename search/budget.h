/* What a search may spend, and what it can say in the end. */
#ifndef SB_SEARCH_BUDGET_H
#define SB_SEARCH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Work is counted in states looked at, never in seconds, so that results repeat. */
typedef struct sb_budget {
    uint64_t limit, spent; /* of the episode */
    bool is_cut;           /* a search stopped before its end: plans may be longer than need be */
} sb_budget;

/* What a search says of an episode. */
typedef enum sb_verdict {
    SB_SOLVED,
    SB_NOT_FOUND, /* within the budget of states or memory */
    SB_IMPOSSIBLE /* proven: every state that can be reached within the steps allowed was looked at, or is known to lead
                     nowhere */
} sb_verdict;

#endif
