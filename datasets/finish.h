/* The end of making a dataset: its manifest is put together from the shards and written with the other documents. */
#ifndef SB_DATASETS_FINISH_H
#define SB_DATASETS_FINISH_H

#include "datasets/destination.h"
#include "datasets/manifest.h"

/* The document's text, from the manifest's files and counts and the sum of the statistics. */
bool sb_document_print(sb_document which, const sb_manifest *manifest, const sb_schedule *schedule, const sb_stats *sum,
                       sb_out *out, sb_error *error);

/* Fills everything but the recipe from the shards, all of which are done, and writes the documents and then the
 * manifest: with that the dataset is one. None of them gets its name before all of them are on the disk. The manifest
 * is freed by the caller, also after a failure. */
bool sb_manifest_finish(sb_manifest *manifest, const sb_schedule *schedule, const sb_shard *shards,
                        const sb_destination *destination, sb_error *error);

#endif
