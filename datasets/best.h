/* Best of n: of several recorded tapes of one episode, only the best get rows. A tape that succeeds is better than one
 * that does not; then the higher return counts, then fewer steps, then the place in the file. */
#ifndef SB_DATASETS_BEST_H
#define SB_DATASETS_BEST_H

#include "datasets/filter.h"
#include "rollout/selection.h"

/* One recorded tape, as far as it matters here. */
typedef struct sb_attempt {
    sb_chosen episode;
    size_t place; /* in the file */
    double total; /* the return that the filter looks at */
    size_t steps;
    bool success, passes; /* passes: the rest of the filter */
} sb_attempt;

sb_attempt sb_attempt_of(const sb_tape *tape, const sb_chosen *episode, size_t place, const sb_filter *filter,
                         bool dense);

/* Sets `beaten`, of n flags, for every tape that passes but is not among the `best` ones of its episode. Sorts the
 * attempts. */
void sb_best_choose(sb_attempt *attempts, size_t n, uint64_t best, bool *beaten);

#endif
