/* One search for all problems: a table of states, bounded and sized up front, opened in the order of the cost so far
 * plus a lower bound of what is left: breadth-first where there is no bound, A* where there is one.
 *
 * An oracle keeps the search in its memory: `_Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(state), STATES)]`, as
 * the last member. Nothing is allocated, and a new search does not pay for the table of the one before. */
#ifndef SB_SEARCH_SEARCH_H
#define SB_SEARCH_SEARCH_H

#include <stddef.h>

#include "search/budget.h"

typedef struct sb_search sb_search;

typedef struct sb_problem {
    size_t state_size; /* a state is a block of bytes; equal states are equal bytes, so padding must be zero */
    /* Calls sb_search_add for everything that one move makes of the state. */
    void (*expand)(void *context, const void *state, sb_search *search);
    /* No more than what the way from the state to a goal costs; negative if there is none. NULL: nothing is known. */
    int (*bound)(void *context, const void *state);
    void *context;
    int weight;   /* 0 or 1: the cheapest plan. More: that many times the bound: sooner found, seldom the cheapest */
    int max_cost; /* dearer plans are none: the steps that are left */
} sb_problem;

enum { SB_SEARCH_COST_MAX = 4095 }; /* of a plan, weighted bounds included; problems above it are cut off there */

/* Bytes of a search over at most so many states. */
#define SB_SEARCH_SIZE(state_size, n_states)                                                                           \
    (SB_SEARCH_HEAD + (size_t)(n_states) * (SB_SEARCH_NODE + (((size_t)(state_size) + 7) & ~(size_t)7) + 16))
#define SB_SEARCH_HEAD ((size_t)33024)
#define SB_SEARCH_NODE ((size_t)24)

/* Looks for a way from `start` to a goal. `memory`: SB_SEARCH_SIZE bytes, aligned to 16, zeroed before the first use
 * and always used with these two sizes. States looked at are charged to the budget. It also learns if the plan may not
 * be the cheapest, since there is a weight or since something was left out for want of room or of budget. */
sb_verdict sb_search_run(void *memory, uint32_t n_states, const sb_problem *problem, const void *start,
                         sb_budget *budget);
/* The same answers by iterative deepening (IDA*), where memory is short: it holds one path and what leads off it, and
 * pays for that by looking at states again and again. `n_states` need be no more than the longest path times the moves
 * in a state. Weights do not matter. */
sb_verdict sb_search_deepen(void *memory, uint32_t n_states, const sb_problem *problem, const void *start,
                            sb_budget *budget);

/* For expand: a successor, reached by the move (a number of the problem's own) at that cost, at least 1. The first
 * shortest plan in the order of adding is found if there is no bound and every cost is 1. */
void sb_search_add(sb_search *search, const void *state, uint32_t move, int cost, bool is_goal);
/* For expand: the moves from the start to the state being expanded; returns how many. */
int sb_search_path(const sb_search *search, uint32_t *moves, int capacity);

/* After SB_SOLVED. */
int sb_search_cost(const void *memory);
/* The moves of the plan; returns how many there are, of which at most `capacity` are written. */
int sb_search_plan(const void *memory, uint32_t *moves, int capacity);

#endif
