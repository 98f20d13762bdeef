/* Decides which of the played episodes get rows, from their tapes alone. */
#ifndef SB_DATASETS_FILTER_H
#define SB_DATASETS_FILTER_H

#include "base/json.h"
#include "rollout/tape.h"

typedef struct sb_filter {
    bool has_success, has_min_return, has_max_return, has_min_steps, has_max_steps;
    bool success;
    double min_return, max_return; /* bounds are inclusive */
    uint64_t min_steps, max_steps;
    uint64_t best; /* of all recorded tapes of an episode that pass, so many get rows (datasets/best.h); 0: all */
} sb_filter;

bool sb_filter_is_empty(const sb_filter *filter);
/* Whether the tape's episode gets rows, as far as other tapes do not matter. `dense` says which of the two returns
 * counts. */
double sb_filter_return(const sb_tape *tape, bool dense);
bool sb_filter_passes(const sb_filter *filter, const sb_tape *tape, bool dense);

/* Reads the object under `filter`; errors name the key. */
bool sb_filter_read(const cJSON *object, sb_filter *filter, sb_error *error);
/* Writes an object that reads back to the same filter. */
void sb_filter_print(const sb_filter *filter, sb_out *out);

#endif
