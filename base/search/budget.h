/* The budget of a search, and its possible results. */
#ifndef SB_BASE_SEARCH_BUDGET_H
#define SB_BASE_SEARCH_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Work is counted in states looked at, never in seconds, so that results repeat. */
typedef struct sb_budget {
    uint64_t limit, spent; /* for the whole episode */
    bool is_cut;           /* a search stopped early, so plans may be longer than necessary */
} sb_budget;

/* The result of a search. */
typedef enum sb_verdict {
    SB_SOLVED,
    SB_NOT_FOUND, /* not found within the budget of states or the memory */
    SB_IMPOSSIBLE /* proven: every state that can be reached within the allowed steps was looked at, or cannot lead to a
                     goal */
} sb_verdict;

#endif
