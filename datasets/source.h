/* The episodes of some shards, cut into the bundles that workers make, and where their tapes come from. */
#ifndef SB_DATASETS_SOURCE_H
#define SB_DATASETS_SOURCE_H

#include "datasets/bundle.h"
#include "rollout/recorded.h"

typedef struct sb_source {
    const sb_schedule *schedule;
    const size_t *todo; /* indices of the shards, ascending */
    size_t n_todo;
    /* Where tapes are read from: a path for each shard (NULL: its episodes are played), or one file for all episodes.
     * Both NULL: all episodes are played. */
    const char *const *tapes_of_shards;
    const char *tapes;
    /* The next members are set by sb_source_open. */
    size_t *items;  /* the first bundle of each of the shards, and one item more, the end */
    size_t n_items; /* number of bundles */
    size_t total;   /* number of episodes */
    sb_recorded recorded;
    bool reading;
    size_t next_line; /* the episode whose tape comes next in a single file */
} sb_source;

/* The episodes of one bundle. */
typedef struct sb_place {
    size_t shard;
    sb_range range;
    bool opens, closes; /* the bundle is the first or last of the shard */
} sb_place;

/* Opens the source, and counts its bundles. */
bool sb_source_open(sb_source *source, sb_error *error);
void sb_source_close(sb_source *source);

sb_place sb_source_place(const sb_source *source, size_t item);
/* Whether sb_source_give reads the tapes of this shard. */
static inline bool sb_source_reads(const sb_source *source, size_t shard) {
    return source->tapes || (source->tapes_of_shards && source->tapes_of_shards[shard]);
}
/* Fills in a bundle's episodes, and the lines of their tapes. Called for ascending items. */
bool sb_source_give(sb_source *source, size_t item, sb_bundle *bundle, sb_error *error);

#endif
