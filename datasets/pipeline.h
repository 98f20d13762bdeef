/* From episodes to the files of a dataset: tapes are played or read, workers make bundles, files are written in order,
 * shard after shard. At most four bundles per worker are in memory. */
#ifndef SB_DATASETS_PIPELINE_H
#define SB_DATASETS_PIPELINE_H

#include "datasets/output.h"

typedef struct sb_pipeline {
    sb_order order;
    const sb_destination *destination;
    size_t jobs; /* workers; 0: one per processor */
    /* Where tapes are read from: a path for each shard, or one file for all episodes. Both NULL: episodes are
     * played. */
    const char *const *tapes_of_shards;
    const char *tapes;
    sb_shard *shards; /* of the whole dataset */
    size_t *todo;     /* which of them to make, ascending */
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
