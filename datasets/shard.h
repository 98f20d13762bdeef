/* A shard of a dataset: its files with their hashes, and its statistics. */
#ifndef SB_DATASETS_SHARD_H
#define SB_DATASETS_SHARD_H

#include "datasets/stats.h"

/* The content of a file is hashed in two stages, so that workers can share the work: BLAKE2b (32 bytes) of the
 * uncompressed bytes of every sixteen episodes of the selection, then SHA-256 over these digests, in order. */
typedef struct sb_shard_file {
    char name[96];
    uint64_t bytes, episodes, rows; /* in files of tapes, every tape is a row */
    char sha256[SB_SHA256_HEX], content_sha256[SB_SHA256_HEX];
} sb_shard_file;

void sb_shard_file_print(const sb_shard_file *file, sb_out *out);
bool sb_shard_file_read(const cJSON *object, sb_shard_file *file, sb_error *error);

/* One shard. The journal holds the shards that are done, and the manifest is made from all. */
typedef struct sb_shard {
    bool done;
    sb_shard_file files[SB_FORMATS_MAX], tapes;
    sb_stats stats;
} sb_shard;

void sb_shards_free(sb_shard *shards, size_t n);

/* SHA-256 over the content hashes of n files. */
void sb_content_hash(const sb_shard_file *files, size_t n, char hex[SB_SHA256_HEX]);

#endif
