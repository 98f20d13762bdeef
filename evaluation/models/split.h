/* Learning and testing on different logs: how much of what a model knows does it know of levels and seeds that it has
 * not seen? */
#ifndef SB_EVALUATION_MODELS_SPLIT_H
#define SB_EVALUATION_MODELS_SPLIT_H

#include "evaluation/models/check.h"

typedef struct sb_model_split {
    sb_model_report train; /* each transition was judged before the model saw it */
    sb_model_report test;  /* the test, in which nothing was learnt */
    /* Sums of the test. An episode is seen if a log to learn from has a play of it; a level, if one has a transition of
     * that level of the game, in whatever episode. */
    sb_model_sums seen, unseen;
    sb_model_sums seen_levels, unseen_levels;
} sb_model_split;

/* Checks the logs to learn from, one after another, and then those of the test. `options->visit` is not called. The
 * caller frees the split after success. */
bool sb_model_check_split(const sb_log *train, size_t n_train, const sb_log *test, size_t n_test,
                          sb_candidate *candidate, const sb_check_options *options, sb_model_split *split,
                          sb_error *error);
/* Put it as a JSON document, and as tables. */
void sb_model_split_put(const sb_model_split *split, sb_out *out);
void sb_model_split_tabulate(const sb_model_split *split, sb_out *out);
void sb_model_split_free(sb_model_split *split);

#endif
