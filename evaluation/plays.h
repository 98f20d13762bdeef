/* Which episodes of a selection a run plays, and how often: all of them once, unless it makes several attempts at each
 * or is one of several parts. A *place* is an index into the run's list: the part's episodes in the order of the
 * selection, each with its attempts one after another. */
#ifndef SB_EVALUATION_PLAYS_H
#define SB_EVALUATION_PLAYS_H

#include "rollout/part.h"
#include "rollout/selection.h"

typedef struct sb_plays {
    size_t attempts; /* at each episode; 0 and 1: one */
    sb_part part;    /* zeroed: everything */
} sb_plays;

static inline size_t sb_plays_attempts(const sb_plays *plays) { return plays->attempts ? plays->attempts : 1; }

/* Returns how many places there are if `n` episodes were selected. */
size_t sb_plays_count(const sb_plays *plays, size_t n);
/* Returns the index in the selection; `attempt` receives its number, 0 if only one is made. */
size_t sb_plays_at(const sb_plays *plays, size_t place, uint32_t *attempt);

/* Lists the episodes of the places as a selection of its own, which the caller frees. */
bool sb_plays_list(const sb_plays *plays, const sb_selection *selection, sb_selection *list, sb_error *error);

/* Writes the members `attempts` and `part`, each only if it is used. */
void sb_plays_print(const sb_plays *plays, sb_out *out);
/* Reads these members. */
bool sb_plays_read(const cJSON *object, sb_plays *plays, sb_error *error);

#endif
