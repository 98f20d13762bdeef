/* From episodes to the files of a dataset: tapes are played or read, workers make bundles, files are written in order,
 * shard after shard. Held at a time: four bundles a worker. */
#ifndef SB_DATASETS_PIPELINE_H
#define SB_DATASETS_PIPELINE_H

#include "datasets/output.h"

typedef struct sb_pipeline {
    sb_order order;
    const sb_destination *destination;
    size_t jobs; /* workers; 0: one a processor */
    /* Where tapes are read from: the path of each shard's, or one file for all episodes. Both NULL: they are played. */
    const char *const *tapes_of_shards;
    const char *tapes;
    sb_shard *shards; /* of the whole dataset */
    size_t *todo;     /* which of them to make, ascending */
    size_t n_todo;
    /* A shard's files have their names and its facts are there. */
    bool (*finished)(void *context, size_t shard, sb_error *error);
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL; called in order */
    bool (*stops)(void *progress_context); /* asked between bundles, true: stop here and fail; may be NULL */
    void *context, *progress_context;
} sb_pipeline;

/* After a failure the files of unfinished shards are gone. */
bool sb_pipeline_run(const sb_pipeline *pipeline, sb_error *error);

#endif
