/* What results under a budget (evaluation/budget.h) tell of all official episodes. */
#ifndef SB_ESTIMATES_H
#define SB_ESTIMATES_H

#include "evaluation/evaluate.h"
#include "evaluation/stratified.h"

typedef struct sb_category_estimate {
    const char *category;
    sb_estimate success;
} sb_category_estimate;

typedef struct sb_estimates {
    bool known; /* false: there is no budget, or a batch is not complete, as in a part of a run */
    size_t drawn, of;
    sb_estimate success, leaderboard;
    bool has_leaderboard; /* all pairs of the family are selected */
    sb_category_estimate categories[SB_CATEGORIES];
    size_t n_categories;
} sb_estimates;

/* Estimates all scores. An episode counts with the share of its attempts that succeeded. */
bool sb_estimate_all(const sb_results *results, sb_estimates *estimates, sb_error *error);

/* Writes the member `budget` of a family: the estimates, and every stratum with the probability that one of its
 * episodes is drawn. Nothing is written unless they are known. */
bool sb_estimates_print(const sb_results *results, sb_out *out, sb_error *error);

/* Finds how many places are to be played, as far as the episodes that were played tell: all, or if the budget is
 * `until`, those up to the first batch that is not complete or makes the interval narrow enough. */
bool sb_eval_budget_due(const sb_results *results, size_t *due, sb_error *error);

#endif
