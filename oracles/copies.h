/* The search that knows nothing of a task: it plays copies of the episode forward, future draws included, and tells
 * states apart by their keys. A state is a key and the move that led to it; to be expanded it is played again from the
 * start, so that memory goes by states and not by the size of an episode. */
#ifndef SB_ORACLES_COPIES_H
#define SB_ORACLES_COPIES_H

#include "oracles/oracle.h"
#include "search/search.h"

typedef struct sb_copies {
    void *memory;      /* of the search */
    uint32_t n_states; /* that it has room for */
    int shorter_than;  /* plans of so many steps or more are none; 0: only the step limit counts */
    const sb_env *start;
    sb_env *here, *next; /* the state being expanded; one after it */
    uint32_t *path;
    sb_action *actions; /* to try in a state: room for n_actions */
    size_t n_actions;
    bool failed;
    bool distrusts_bound; /* the caller's to set: the search then goes by the rules alone, and so checks the bound */
} sb_copies;

/* Makes room for so many states (about 64 bytes each, used as they come). */
bool sb_copies_open(sb_copies *copies, uint32_t n_states, sb_error *error);
void sb_copies_close(sb_copies *copies);

/* Makes room for n actions, if there is less; what was there before is lost. */
bool sb_reserve_actions(sb_action **actions, size_t *capacity, size_t n, sb_error *error);

/* Looks for the fewest steps to success from where the episode stands. IMPOSSIBLE is a proof: every state that can be
 * reached within the step limit was looked at, or the task's bound (unless it is distrusted) shows that it leads
 * nowhere. False, with the error, if memory ran out. */
bool sb_copies_search(sb_copies *copies, const sb_env *start, sb_budget *budget, sb_verdict *verdict, sb_error *error);
/* The plan after SB_SOLVED: actions; returns how many there are, of which at most `capacity` are written. */
int sb_copies_plan(const sb_copies *copies, sb_action *actions, int capacity);

#endif
