/* Writes one file of a shard. Bundles are added in order, and the file gets its name only when it is complete. */
#ifndef SB_DATASETS_OUTPUT_H
#define SB_DATASETS_OUTPUT_H

#include "datasets/bundle.h"
#include "datasets/destination.h"
#include "datasets/manifest.h"

typedef struct sb_output {
    sb_file file;
    bool open;
    const sb_export *export; /* NULL: tapes */
    void *writer;            /* for a format that has one */
    sb_out text;             /* what the writer appended last */
    sb_sha256 content;       /* over the digests of the bundles */
    sb_shard_file *facts;
} sb_output;

/* Starts zeroed. Facts are filled while the file grows. */
bool sb_output_open(sb_output *output, const sb_destination *destination, const sb_schedule *schedule,
                    const sb_export *export, size_t shard, sb_shard_file *facts, sb_error *error);
/* Adds a bundle. `k` is the index of the format in the bundle and is ignored for tapes. */
bool sb_output_add(sb_output *output, const sb_bundle *bundle, size_t k, sb_error *error);
bool sb_output_close(sb_output *output, sb_error *error);
/* Frees everything and removes a file that was not closed. */
void sb_output_discard(sb_output *output);

#endif
