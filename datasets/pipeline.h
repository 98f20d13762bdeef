/* From episodes to the files of a dataset: tapes are played or read, workers make bundles, files are written in order,
 * shard after shard. At most four bundles per worker are in memory. */
#ifndef SB_DATASETS_PIPELINE_H
#define SB_DATASETS_PIPELINE_H

#include "datasets/bundle.h"
#include "datasets/destination.h"
#include "datasets/manifest.h"

/* Writes one file of a shard. Bundles are added in order, and the file gets its name only when it is complete. */

typedef struct sb_output {
    sb_file file;
    bool open;
    const sb_export *export; /* the format of the file; NULL: tapes */
    void *writer;            /* the format's writer, if it has one */
    sb_out text;             /* the text that the writer appended last */
    sb_sha256 content;       /* hash over the digests of the bundles */
    sb_shard_file *facts;
} sb_output;

/* Opens a file of a shard. The output starts zeroed. Facts are filled while the file grows. */
bool sb_output_open(sb_output *output, const sb_destination *destination, const sb_schedule *schedule,
                    const sb_export *export, size_t shard, sb_shard_file *facts, sb_error *error);
/* Adds a bundle. `k` is the index of the format in the bundle and is ignored for tapes. */
bool sb_output_add(sb_output *output, const sb_bundle *bundle, size_t k, sb_error *error);
bool sb_output_close(sb_output *output, sb_error *error);
/* Frees an output and removes its file if that was not closed. */
void sb_output_discard(sb_output *output);

typedef struct sb_pipeline {
    sb_order order;
    const sb_destination *destination;
    size_t jobs; /* workers; 0: one per processor */
    /* Where tapes are read from: a path for each shard, or one file for all episodes. Both NULL: episodes are
     * played. */
    const char *const *tapes_of_shards;
    const char *tapes;
    sb_shard *shards; /* all shards of the dataset */
    size_t *todo;     /* indices of the shards to make, ascending */
    size_t n_todo;
    /* Called when a shard's files have their names and its facts are filled in. */
    bool (*finished)(void *context, size_t shard, sb_error *error);
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL; called in order */
    const sb_stop *stop;                                            /* may be NULL; asked between bundles */
    void *context, *progress_context;
} sb_pipeline;

/* Makes the shards. After a failure the files of unfinished shards have been removed. */
bool sb_pipeline_run(const sb_pipeline *pipeline, sb_error *error);

#endif
