/* How many of a section's candidates are taken until its budget is reached (datasets/candidates.h). Budgets count what
 * has rows. Which episodes are left out is known from their beginnings. Where a filter decides, or where rows are
 * counted, the candidates have to be played to know; they are then played again to be written. Manifests and journals
 * keep what was found, so that nobody else has to find it again. */
#ifndef SB_DATASETS_BUDGET_H
#define SB_DATASETS_BUDGET_H

#include "base/stop.h"
#include "datasets/schedule.h"

/* Finds the recipe's `cuts` that are not known yet; sections whose cut is known stay as they are. The result does not
 * depend on the number of workers. Fails if a section's candidates do not suffice. */
bool sb_budget_settle(sb_recipe *recipe, size_t jobs, const sb_stop *stop, sb_error *error);

/* Finds the cuts like sb_budget_settle, but without playing, for estimates: sections that would have to be played take
 * enough candidates for a sample. Their bits are set in *unsettled. */
bool sb_budget_guess(sb_recipe *recipe, size_t jobs, uint32_t *unsettled, sb_error *error);

#endif
