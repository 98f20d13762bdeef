/* One search for all problems: a table of at most so many states, opened in the order of the cost so far plus a lower
 * bound of the rest. Without a bound this is breadth-first search, with a bound it is A*.
 *
 * An oracle keeps the search in its memory, as the last member: `_Alignas(16) uint8_t
 * search[SB_SEARCH_SIZE(sizeof(state), STATES)]`. Nothing is allocated, and a new search need not clear the table of
 * the previous one. Who can tell of memory that runs out makes one that grows: sb_search_new. */
#ifndef SB_BASE_SEARCH_SEARCH_H
#define SB_BASE_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Work is counted in states looked at, never in seconds, so that results repeat. */
typedef struct sb_budget {
    uint64_t limit, spent; /* how many states may be looked at in the whole episode, and how many were */
    bool is_cut;           /* a search stopped early, so plans may be longer than necessary */
} sb_budget;

/* The result of a search. */
typedef enum sb_verdict {
    SB_SOLVED,
    SB_NOT_FOUND, /* not found within the budget of states or the memory */
    SB_IMPOSSIBLE /* proven: every state that can be reached within the allowed steps was looked at, or cannot lead to a
                     goal */
} sb_verdict;

typedef struct sb_search sb_search;

typedef struct sb_problem {
    size_t state_size; /* a state is a block of bytes; equal states must have equal bytes, so padding must be zero */
    /* Calls sb_search_add for every state that one move leads to. */
    void (*expand)(void *context, const void *state, sb_search *search);
    /* A lower bound on the cost from the state to a goal; negative if there is no way. NULL: no bound. */
    int (*bound)(void *context, const void *state);
    void *context;
    int weight;   /* 0 or 1: finds the cheapest plan. More: multiplies the bound, which is faster but seldom gives the
                     cheapest plan */
    int max_cost; /* plans may not cost more: the steps that are left */
} sb_problem;

enum { SB_SEARCH_COST_MAX = 4095 }; /* the highest cost, including weighted bounds; a search does not look beyond it */

/* Bytes of a search over at most n_states states. */
#define SB_SEARCH_SIZE(state_size, n_states)                                                                           \
    (SB_SEARCH_HEAD + (size_t)(n_states) * (SB_SEARCH_NODE + (((size_t)(state_size) + 7) & ~(size_t)7) + 16))
#define SB_SEARCH_HEAD ((size_t)33024)
#define SB_SEARCH_NODE ((size_t)24)

/* Memory of a search that grows with the states found, up to n_states of them, and keeps what it took for the next
 * search. NULL: out of memory. */
void *sb_search_new(size_t state_size, uint32_t n_states);
/* Frees the memory of a search: from sb_search_new, or of a fixed size from the heap. */
void sb_search_free(void *memory);
/* Whether the last search could not grow: its verdict then says nothing. */
bool sb_search_is_starved(const void *memory);

/* Searches for the cheapest plan from `start` to a goal. `memory`: that of sb_search_new, or SB_SEARCH_SIZE bytes,
 * aligned to 16, zeroed before the first use; always used with the same two sizes. States looked at are charged to the
 * budget. Sets budget->is_cut if a cheaper plan may exist: because of the weight, or because memory or budget ran out.
 */
sb_verdict sb_search_run(void *memory, uint32_t n_states, const sb_problem *problem, const void *start,
                         sb_budget *budget);
/* Searches with iterative deepening (IDA*), with the same results as sb_search_run, for when memory is short: it holds
 * one path and its successors, and looks at states again and again instead. `n_states` need only be the length of the
 * longest path times the moves in a state. Ignores weights. */
sb_verdict sb_search_deepen(void *memory, uint32_t n_states, const sb_problem *problem, const void *start,
                            sb_budget *budget);

/* For expand: adds a successor that is reached by the move (a number whose meaning the problem defines) at this cost,
 * at least 1. Without a bound and with all costs 1, the search finds the first of the shortest plans in the order of
 * adding. */
void sb_search_add(sb_search *search, const void *state, uint32_t move, int cost, bool is_goal);
/* For expand: gives the moves from the start to the state being expanded; returns how many there are. */
int sb_search_path(const sb_search *search, uint32_t *moves, int capacity);

/* Returns the cost of the plan, after SB_SOLVED. */
int sb_search_cost(const void *memory);
/* Gives the moves of the plan; returns how many there are, of which at most `capacity` are written. */
int sb_search_plan(const void *memory, uint32_t *moves, int capacity);

#endif
