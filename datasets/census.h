/* Looks at the beginning of every episode before anybody plays: is it one to evaluate with, or like one of them, was it
 * there already? Equal
 * beginnings are equal keys (sb_key: everything that decides the future) of the same task and difficulty.
 *
 * Evaluation episodes are those of the `eval` lists: the published ones, or what the base `eval` gives for tasks
 * without published lists. In a dataset whose split is `eval` none is marked, and none of the difficulties that are
 * kept in packs (sb_is_derived): their lists are the packs of whoever evaluates.
 *
 * Memory: a byte an episode, and a set of 16 bytes a slot that is at most two thirds full. Nothing here depends on the
 * number of workers or on what part of a dataset is built. */
#ifndef SB_DATASETS_CENSUS_H
#define SB_DATASETS_CENSUS_H

#include "datasets/schedule.h"

/* Fills schedule->fates. Fails if an episode cannot be made, or if nothing is left. */
bool sb_census_take(sb_schedule *schedule, size_t jobs, sb_error *error);

#endif
