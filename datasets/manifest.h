/* manifest.json: what a dataset holds and how to check it. It is written last, so a folder without one is no dataset
 * (yet). */
#ifndef SB_DATASETS_MANIFEST_H
#define SB_DATASETS_MANIFEST_H

#include "base/hash.h"
#include "datasets/recipe.h"

#define SB_MANIFEST_NAME    "manifest.json"
#define SB_MANIFEST_FORMAT  "seedbed-dataset"
#define SB_MANIFEST_VERSION 1

/* The content of a file is hashed in two stages, so that workers can share the work: SHA-256 of the uncompressed bytes
 * of each gzip member, then SHA-256 over these digests, in order. */
typedef struct sb_shard_file {
    char name[64];
    uint64_t bytes, episodes, rows;
    char sha256[SB_SHA256_HEX], content_sha256[SB_SHA256_HEX];
} sb_shard_file;

typedef struct sb_manifest {
    sb_recipe recipe;
    char rules[SB_RULES_NAME];
    uint64_t episodes, rows, successes, content_bytes; /* content: of the rows, uncompressed */
    char content_sha256[SB_SHA256_HEX];                /* over the content hashes of the files with rows */
    sb_shard_file *rows_files, *tapes_files;           /* n_shards each */
    size_t n_shards;
    cJSON *document; /* if it was loaded; the recipe has its own */
} sb_manifest;

bool sb_manifest_save(const sb_manifest *manifest, const char *folder, sb_error *error);
bool sb_manifest_load(const char *folder, sb_manifest *manifest, sb_error *error);
bool sb_manifest_parse(const char *text, size_t n, sb_manifest *manifest, sb_error *error);
void sb_manifest_free(sb_manifest *manifest);

/* SHA-256 over the content hashes of the files with rows. */
void sb_manifest_content_hash(const sb_manifest *manifest, char hex[SB_SHA256_HEX]);

#endif
