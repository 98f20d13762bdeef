#include "datasets/shard.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void sb_shards_free(sb_shard *shards, size_t n) {
    for (size_t i = 0; shards && i < n; i++) sb_stats_free(&shards[i].stats);
    free(shards);
}

void sb_content_hash(const sb_shard_file *files, size_t n, char hex[SB_SHA256_HEX]) {
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    for (size_t i = 0; i < n; i++) sb_sha256_add(&hash, files[i].content_sha256, SB_SHA256_HEX - 1);
    sb_sha256_end_hex(&hash, hex);
}

void sb_shard_file_print(const sb_shard_file *file, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "name", file->name);
    sb_member_uint(out, "bytes", file->bytes);
    sb_member_uint(out, "episodes", file->episodes);
    sb_member_uint(out, "rows", file->rows);
    sb_member_text(out, "sha256", file->sha256);
    sb_member_text(out, "content_sha256", file->content_sha256);
    sb_puts(out, "}");
}

bool sb_shard_file_read(const cJSON *object, sb_shard_file *file, sb_error *error) {
    static const char *const keys[] = {"name", "bytes", "episodes", "rows", "sha256", "content_sha256", NULL};
    if (!sb_json_known_keys(object, keys, error) ||
        !sb_json_text(object, "name", file->name, sizeof file->name, error) ||
        !sb_json_uint(object, "bytes", &file->bytes, error) ||
        !sb_json_uint(object, "episodes", &file->episodes, error) ||
        !sb_json_uint(object, "rows", &file->rows, error) || !sb_json_sha256(object, "sha256", file->sha256, error) ||
        !sb_json_sha256(object, "content_sha256", file->content_sha256, error))
        return false;
    return !strchr(file->name, '/') ||
           sb_fail(error, SB_INVALID, "key `name`: the file should be in the dataset's folder");
}
