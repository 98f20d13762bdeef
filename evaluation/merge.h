/* Joins the results of the parts of an evaluation (`seedbed eval --shard`) into the result of the whole. */
#ifndef SB_EVALUATION_MERGE_H
#define SB_EVALUATION_MERGE_H

#include "evaluation/result.h"

typedef struct sb_results_merging {
    const sb_catalogue *catalogue;
    const char *const *paths; /* paths of the parts' results, in any order */
    /* The results of the parts as texts, one for each path, which then is only what people call it; NULL: they are
     * read from the files. */
    const sb_json_part *texts;
    size_t n;
    /* file or number of the baseline that normalised the results; NULL: a frozen one, which the parts name */
    const char *baseline;
} sb_results_merging;

/* Reads the parts and writes the document that one run would have written. Every part has to be there once, with all
 * its episodes, and all have to be of the same evaluation, with the same salt. `episodes` receives how many there are.
 */
bool sb_results_merge(const sb_results_merging *merging, sb_out *document, size_t *episodes, sb_error *error);

#endif
