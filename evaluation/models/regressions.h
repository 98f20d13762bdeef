/* Sets of regressions: the few transitions of a log that a model should be checked on again, for users who cannot
 * afford the whole log. They are written as a log, in which each transition is a play. */
#ifndef SB_EVALUATION_MODELS_REGRESSIONS_H
#define SB_EVALUATION_MODELS_REGRESSIONS_H

#include "evaluation/models/check.h"

/* Each selector picks so many: the newest transitions that were asked; the newest with several frames or of another
 * kind than `step`; those with the least `fields`; those with the least `pixels`. Of equal ones the newer is picked. */
enum { SB_REGRESSION_QUOTA = 5, SB_REGRESSION_SELECTORS = 4 };

typedef struct sb_regression {
    const sb_log_play *play;
    const sb_log_transition *transition;
    size_t at;      /* number of the transition over all logs */
    double value;   /* what the selector compares: the least values are picked */
    sb_json_part z; /* z of the frame before, if the log says it */
    uint32_t action_count;
    char *h; /* what the model carried until then, n_h bytes of JSON */
    size_t n_h;
} sb_regression;

/* A set of regressions. Starts zeroed; the caller frees it. The logs must stay open. */
typedef struct sb_regressions {
    sb_regression picked[SB_REGRESSION_SELECTORS][SB_REGRESSION_QUOTA]; /* best first */
    size_t n[SB_REGRESSION_SELECTORS];
    size_t seen;           /* transitions that were seen so far */
    size_t play;           /* play of the last transition */
    uint32_t action_count; /* actions so far on the level of the last transition */
} sb_regressions;

/* Takes one verdict of a check; the context is an sb_regressions (sb_check_options.visit). */
bool sb_regressions_visit(void *context, const sb_model_verdict *verdict, sb_error *error);
/* Writes the log: what the selectors picked, without doubles, in the order of the logs. Returns how many there are. */
size_t sb_regressions_put(const sb_regressions *regressions, sb_out *out);
void sb_regressions_free(sb_regressions *regressions);

#endif
