/* Joins the results of the parts of an evaluation (`seedbed eval --shard`) into the result of the whole. */
#ifndef SB_EVALUATION_MERGE_H
#define SB_EVALUATION_MERGE_H

#include "evaluation/result.h"

/* Reads the parts, in any order, and writes the document that one run would have written. Every part has to be there
 * once, with all its episodes, and all have to be of the same evaluation, with the same salt. `baseline` is the file or
 * number of the baseline that normalised them; NULL: a frozen one, which the parts name. `episodes` receives how many
 * there are. */
bool sb_results_merge(const sb_catalogue *catalogue, const char *const *paths, size_t n, const char *baseline,
                      sb_out *document, size_t *episodes, sb_error *error);

#endif
