/* Decides which of the played episodes get rows, from their tapes alone. */
#ifndef SB_DATASETS_FILTER_H
#define SB_DATASETS_FILTER_H

#include "base/json.h"
#include "rollout/tape.h"

/* What becomes of episodes of a kind, as a recipe says it. */
typedef enum sb_keeping { SB_KEEPING_UNSAID, SB_KEEPING_KEPT, SB_KEEPING_DROPPED } sb_keeping;

typedef struct sb_filter {
    /* The recipe's key `failures`: episodes that did not succeed. Unsaid: all are kept (but see sb_recipe_settle). */
    sb_keeping failures;
    /* The recipe's key `unreadable`: episodes in which an action stood in for an answer of a model that could not be
     * read. Unsaid: all are kept (but see sb_recipe_settle_unreadable). */
    sb_keeping unreadable;
    bool has_success, has_min_return, has_max_return, has_min_steps, has_max_steps;
    bool success;
    double min_return, max_return; /* bounds of returns, inclusive */
    uint64_t min_steps, max_steps;
    uint64_t best; /* so many of all recorded tapes of an episode that pass get rows (datasets/candidates.h); 0: all */
} sb_filter;

/* Whether the object under `filter` would be empty, and whether the filter lets every episode pass. */
bool sb_filter_is_empty(const sb_filter *filter);
bool sb_filter_passes_all(const sb_filter *filter);
/* Whether only solved episodes pass, among those whose tasks have success. */
bool sb_filter_takes_solved(const sb_filter *filter);
/* Says of the episodes that do not pass what they did: `were not solved`. */
const char *sb_filter_reason(const sb_filter *filter);
/* Whether the tape's episode gets rows, as far as other tapes do not matter. `dense` says which of the two returns
 * counts. */
double sb_filter_return(const sb_tape *tape, bool dense);
bool sb_filter_passes(const sb_filter *filter, const sb_tape *tape, bool dense);

/* Reads the object under `filter`; errors name the key. */
bool sb_filter_read(const cJSON *object, sb_filter *filter, sb_error *error);
/* Writes an object that reads back to the same filter. */
void sb_filter_print(const sb_filter *filter, sb_out *out);

#endif
