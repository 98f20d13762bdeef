/* journal.jsonl: what of a dataset is finished while it is being built, a line a shard. With it a build that was
 * interrupted goes on, and the parts of a dataset are joined. It goes when the manifest is there; a part keeps it.
 * rendering.jsonl is the same for formats that are added to a dataset: as long as it is there, the dataset is not
 * whole. */
#ifndef SB_DATASETS_JOURNAL_H
#define SB_DATASETS_JOURNAL_H

#include "datasets/destination.h"
#include "datasets/shard.h"

#define SB_JOURNAL_NAME    "journal.jsonl"
#define SB_RENDERING_NAME  "rendering.jsonl"
#define SB_JOURNAL_VERSION 1

/* Part `number` of `of`: every shard whose index is number - 1 modulo of. */
typedef struct sb_part {
    size_t number, of; /* 1 of 1: all of them; 0 of 0: no part, but the whole */
} sb_part;

/* What a journal begins with: a line that says what is being built, by which version, which part. */
void sb_journal_head(const sb_schedule *schedule, const sb_recipe *recipe, sb_part part, sb_out *out);

/* Writes a journal of this name with all shards that are done. */
bool sb_journal_save(const sb_destination *destination, const char *name, const char *head, const sb_schedule *schedule,
                     const sb_shard *shards, sb_error *error);
/* Adds a shard to a journal that is there. */
bool sb_journal_append(const sb_destination *destination, const char *name, const sb_schedule *schedule,
                       const sb_shard *shard, size_t index, sb_error *error);

/* A journal that was found. */
typedef struct sb_journal {
    char *head; /* its first line, without the newline */
    sb_recipe recipe;
    sb_part part;
    size_t n_shards, n_formats;
    sb_shard *shards; /* n_shards of the whole dataset */
} sb_journal;

/* Reads the journal of this name in the folder, which is there. A last line that was cut off by whatever ended the
 * build is passed over. The caller frees it, also after a failure. */
bool sb_journal_load(const sb_catalogue *catalogue, const char *folder, const char *name, sb_journal *journal,
                     sb_error *error);
void sb_journal_free(sb_journal *journal);

#endif
