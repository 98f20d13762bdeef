/* The candidates of a section: its episodes in the order in which a budget takes them. Without a budget these are all
 * that it selects, by task, difficulty and seed. With one they come in turns: the first seed of every task and
 * difficulty, then the second of each, and so on; or each next one is of the task and difficulty that the section's
 * mixture draws. So those that a smaller budget takes are the first of those that a larger one takes, unless weights
 * change with progress. */
#ifndef SB_DATASETS_CANDIDATES_H
#define SB_DATASETS_CANDIDATES_H

#include "datasets/filter.h"
#include "datasets/recipe.h"
#include "rollout/selection.h"

/* Selects the first `most` candidates (0 with a budget: none; without one `most` is not used). An extension passes over
 * the `n_taken` episodes that the dataset has already. *all: there are no others. The caller frees the selection, also
 * after a failure. */
bool sb_candidates_select(const sb_section *section, size_t most, const sb_chosen *taken, size_t n_taken,
                          sb_selection *candidates, bool *all, sb_error *error);

/* The order in which a section's n candidates are written: candidate order[i] is the i-th. */
bool sb_candidates_arrange(const sb_section *section, const sb_chosen *candidates, size_t n, size_t *order,
                           sb_error *error);

/* Best of n: of several recorded tapes of one episode, only the best get rows. A tape that succeeds is better than one
 * that does not; then the higher return counts, then fewer steps, then the place in the file. */

/* One recorded tape, as far as it matters for the best of n. */
typedef struct sb_attempt {
    sb_chosen episode;
    size_t place; /* the tape's place in the file */
    double total; /* the return that the filter looks at */
    size_t steps;
    bool success, passes; /* passes: the tape passes the rest of the filter */
} sb_attempt;

sb_attempt sb_attempt_of(const sb_tape *tape, const sb_chosen *episode, size_t place, const sb_filter *filter,
                         bool dense);

/* Sets `beaten`, of n flags, for every tape that passes but is not among the `best` ones of its episode. Sorts the
 * attempts. */
void sb_best_choose(sb_attempt *attempts, size_t n, uint64_t best, bool *beaten);

#endif
