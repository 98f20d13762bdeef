/* The scorecard of a result, as the published toolkit of multi-level games would write it. */
#ifndef SB_EVALUATION_SCORECARDS_H
#define SB_EVALUATION_SCORECARDS_H

#include "evaluation/evaluate.h"

/* Writes the scorecard of the family's episodes: each is a game, with an attempt as a run, and has its category,
 * difficulty and task as tags. Runs have the ids that recordings of the same tapes have. Fails if the family does not
 * measure efficiency. */
bool sb_put_scorecard_of(const sb_results *results, const sb_family *family, sb_out *out, sb_error *error);

#endif
