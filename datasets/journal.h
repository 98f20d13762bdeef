/* journal.jsonl lists the finished shards while a dataset is being built, one per line. An interrupted build needs it
 * to resume, and merging needs it to join the parts of a dataset. It is removed when the manifest has been written; a
 * part keeps it. rendering.jsonl is the same for formats that are added to a dataset: as long as it exists, the dataset
 * is not complete. */
#ifndef SB_DATASETS_JOURNAL_H
#define SB_DATASETS_JOURNAL_H

#include "datasets/destination.h"
#include "datasets/shard.h"
#include "rollout/part.h"

#define SB_JOURNAL_NAME    "journal.jsonl"
#define SB_RENDERING_NAME  "rendering.jsonl"
#define SB_JOURNAL_VERSION 2

/* Writes the first line of a journal: what is being built, by which version, and which part. */
void sb_journal_head(const sb_schedule *schedule, const sb_recipe *recipe, sb_part part, sb_out *out);

/* Writes a journal of this name with all shards that are done. */
bool sb_journal_save(const sb_destination *destination, const char *name, const char *head, const sb_schedule *schedule,
                     const sb_shard *shards, sb_error *error);
/* Adds a shard to an existing journal. */
bool sb_journal_append(const sb_destination *destination, const char *name, const sb_schedule *schedule,
                       const sb_shard *shard, size_t index, sb_error *error);

/* A journal that was found. */
typedef struct sb_journal {
    char *head; /* the journal's first line, without the newline */
    sb_recipe recipe;
    sb_part part;
    size_t n_shards, n_formats;
    sb_shard *shards; /* n_shards items, one for each shard of the whole dataset */
} sb_journal;

/* Reads the journal of this name in the folder, which must exist. A last line that was cut off when the build ended is
 * skipped. The caller frees the journal, also after a failure. */
bool sb_journal_load(const sb_catalogue *catalogue, const char *folder, const char *name, sb_journal *journal,
                     sb_error *error);
void sb_journal_free(sb_journal *journal);

/* Fails if the journal in a dataset's folder is that of an extension that was interrupted. If the dataset was killed
 * just before its end, the journal is its own, and all is there. */
bool sb_journal_check_extension(const char *folder, const sb_recipe *recipe, sb_error *error);

#endif
