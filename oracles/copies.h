/* A search that needs no knowledge of a task: it plays copies of the episode forward, future draws included, and tells
 * states apart by their keys. A state is stored as a key and the move that led to it. To expand it, the moves are
 * played again from the start, so memory depends on the number of states and not on the size of an episode. */
#ifndef SB_ORACLES_COPIES_H
#define SB_ORACLES_COPIES_H

#include "base/search/search.h"
#include "oracles/oracle.h"

typedef struct sb_copies {
    void *memory;      /* memory of the search */
    uint32_t n_states; /* how many states it has room for */
    int shorter_than;  /* only shorter plans count; 0: only the step limit counts */
    const sb_env *start;
    sb_env *here, *next; /* the state being expanded; a state after it */
    uint32_t *path;
    sb_action *actions; /* the actions to try in a state: room for n_actions */
    size_t n_actions;
    bool failed;
    bool distrusts_bound; /* set by the caller: the search then uses the rules alone, which checks the bound */
} sb_copies;

/* Makes room for n_states states (about 64 bytes each; the memory is used only as far as the search goes). */
bool sb_copies_open(sb_copies *copies, uint32_t n_states, sb_error *error);
void sb_copies_close(sb_copies *copies);

/* Makes room for n actions if there is less; the earlier contents are lost. */
bool sb_reserve_actions(sb_action **actions, size_t *capacity, size_t n, sb_error *error);

/* Searches for the fewest steps to success from the current state of `start`. IMPOSSIBLE is a proof: every state that
 * can be reached within the step limit was looked at, or the task's bound (unless it is distrusted) shows that it
 * cannot lead to success. Returns false with an error if memory ran out. */
bool sb_copies_search(sb_copies *copies, const sb_env *start, sb_budget *budget, sb_verdict *verdict, sb_error *error);
/* Gives the actions of the plan after SB_SOLVED; returns how many there are, of which at most `capacity` are written.
 */
int sb_copies_plan(const sb_copies *copies, sb_action *actions, int capacity);

#endif
