/* Finishing a dataset: makes the manifest from the shards and writes it with the other documents. */
#ifndef SB_DATASETS_FINISH_H
#define SB_DATASETS_FINISH_H

#include "datasets/destination.h"
#include "datasets/manifest.h"

/* Writes the document's text, from the manifest's files and counts and the sum of the statistics. */
bool sb_document_print(sb_document which, const sb_manifest *manifest, const sb_schedule *schedule, const sb_stats *sum,
                       sb_out *out, sb_error *error);

/* Fills everything in the manifest but the recipe from the shards, all of which must be done. Then writes the documents
 * and the manifest, which completes the dataset. `jobs` workers count the prompts. All these files are on the disk
 * before the first gets its name. The caller frees the manifest, also after a failure. */
bool sb_manifest_finish(sb_manifest *manifest, const sb_schedule *schedule, const sb_shard *shards,
                        const sb_destination *destination, size_t jobs, sb_error *error);

#endif
