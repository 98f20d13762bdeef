#include "datasets/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"

void sb_manifest_free(sb_manifest *manifest) {
    sb_recipe_free(&manifest->recipe);
    free(manifest->rows_files), free(manifest->tapes_files);
    cJSON_Delete(manifest->document);
    *manifest = (sb_manifest){0};
}

void sb_manifest_content_hash(const sb_manifest *manifest, char hex[SB_SHA256_HEX]) {
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    for (size_t i = 0; i < manifest->n_shards; i++)
        sb_sha256_add(&hash, manifest->rows_files[i].content_sha256, SB_SHA256_HEX - 1);
    sb_sha256_end_hex(&hash, hex);
}

/* ---- Writing ---- */

static void print_files(sb_out *out, const char *key, const sb_shard_file *files, size_t n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_puts(out, "\n  {");
        sb_member_text(out, "name", files[i].name);
        sb_member_uint(out, "bytes", files[i].bytes);
        sb_member_uint(out, "episodes", files[i].episodes);
        sb_member_uint(out, "rows", files[i].rows);
        sb_member_text(out, "sha256", files[i].sha256);
        sb_member_text(out, "content_sha256", files[i].content_sha256);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

#define SEAL_BEGIN ",\n \"sha256\": \""
#define SEAL_END   "\"}\n"
enum { SEAL_SIZE = sizeof SEAL_BEGIN - 1 + SB_SHA256_HEX - 1 + sizeof SEAL_END - 1 };

/* The last member: SHA-256 of all bytes before it, so that a manifest says of itself whether it is as it was written.
 */
static void seal(sb_out *out) {
    char hex[SB_SHA256_HEX];
    sb_sha256_hex(out->data, out->failed ? 0 : out->size, hex);
    sb_puts(out, SEAL_BEGIN);
    sb_puts(out, hex);
    sb_puts(out, SEAL_END);
}

static bool check_seal(const char *text, size_t n, sb_error *error) {
    char expected[SEAL_SIZE + 1], hex[SB_SHA256_HEX];
    if (n < SEAL_SIZE) return sb_fail(error, SB_MISMATCH, "cut short");
    sb_sha256_hex(text, n - SEAL_SIZE, hex);
    snprintf(expected, sizeof expected, SEAL_BEGIN "%s" SEAL_END, hex);
    return memcmp(text + n - SEAL_SIZE, expected, SEAL_SIZE) == 0 ||
           sb_fail(error, SB_MISMATCH, "altered since it was written: its own `sha256` does not fit");
}

static void print(const sb_manifest *manifest, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "format", SB_MANIFEST_FORMAT);
    sb_member_uint(out, "version", SB_MANIFEST_VERSION);
    sb_member_text(out, "seedbed", SB_VERSION);
    sb_member_text(out, "zlib", zlibVersion());
    sb_member_text(out, "rules", manifest->rules);
    sb_puts(out, ",\n ");
    out->last = '{'; /* the comma is there */
    sb_put_key(out, "recipe");
    sb_recipe_print(&manifest->recipe, out);
    sb_puts(out, ",\n ");
    out->last = '{';
    sb_member_uint(out, "episodes", manifest->episodes);
    sb_member_uint(out, "successes", manifest->successes);
    sb_member_uint(out, "rows", manifest->rows);
    sb_member_uint(out, "content_bytes", manifest->content_bytes);
    sb_member_text(out, "content_sha256", manifest->content_sha256);
    sb_puts(out, ",\n ");
    out->last = '{';
    print_files(out, "files", manifest->rows_files, manifest->n_shards);
    sb_puts(out, ",\n ");
    out->last = '{';
    print_files(out, "tapes", manifest->tapes_files, manifest->n_shards);
    seal(out);
}

bool sb_manifest_save(const sb_manifest *manifest, const char *folder, sb_error *error) {
    char path[1024];
    sb_out out = sb_out_growing();
    snprintf(path, sizeof path, "%s/" SB_MANIFEST_NAME, folder);
    print(manifest, &out);
    const bool ok = sb_out_ok(&out) ? sb_file_save(path, out.data, out.size, error)
                                    : sb_fail(error, SB_MEMORY, "out of memory for the manifest");
    sb_out_free(&out);
    return ok;
}

/* ---- Reading ---- */

static bool read_text(const cJSON *object, const char *key, char *to, size_t capacity, sb_error *error) {
    const char *text;
    if (!sb_json_string(object, key, &text, error)) return false;
    if (strlen(text) >= capacity) return sb_fail(error, SB_INVALID, "key `%s` is too long", key);
    strcpy(to, text);
    return true;
}

static bool read_file(const cJSON *object, sb_shard_file *file, sb_error *error) {
    static const char *const keys[] = {"name", "bytes", "episodes", "rows", "sha256", "content_sha256", NULL};
    if (!sb_json_known_keys(object, keys, error) || !read_text(object, "name", file->name, sizeof file->name, error) ||
        !sb_json_uint(object, "bytes", &file->bytes, error) ||
        !sb_json_uint(object, "episodes", &file->episodes, error) ||
        !sb_json_uint(object, "rows", &file->rows, error) ||
        !read_text(object, "sha256", file->sha256, sizeof file->sha256, error) ||
        !read_text(object, "content_sha256", file->content_sha256, sizeof file->content_sha256, error))
        return false;
    return !strchr(file->name, '/') || sb_fail(error, SB_INVALID, "key `name`: a file outside the dataset's folder");
}

static bool read_files(const cJSON *object, const char *key, sb_shard_file **files, size_t *n, sb_error *error) {
    const cJSON *list, *item;
    if (!sb_json_array(object, key, &list, error)) return false;
    *n = 0;
    *files = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof **files);
    if (!*files) return sb_fail(error, SB_MEMORY, "out of memory for the manifest");
    cJSON_ArrayForEach(item, list) {
        if (!read_file(item, &(*files)[*n], error)) return sb_fail_at(error, "key `%s`, item %zu", key, *n);
        ++*n;
    }
    return true;
}

static bool check_format(const cJSON *object, sb_error *error) {
    const char *format;
    uint64_t version;
    if (!sb_json_string(object, "format", &format, error) || !sb_json_uint(object, "version", &version, error))
        return false;
    if (strcmp(format, SB_MANIFEST_FORMAT) != 0)
        return sb_fail(error, SB_INVALID, "format `%.40s` is not that of a dataset's manifest", format);
    return version == SB_MANIFEST_VERSION ||
           sb_fail(error, SB_VERSION_OTHER, "a manifest of version %llu; this program reads version %d",
                   (unsigned long long)version, SB_MANIFEST_VERSION);
}

static bool read_manifest(const cJSON *object, sb_manifest *m, sb_error *error) {
    static const char *const keys[] = {"format",         "version",  "seedbed",   "zlib",   "rules",
                                       "recipe",         "episodes", "successes", "rows",   "content_bytes",
                                       "content_sha256", "files",    "tapes",     "sha256", NULL};
    size_t n_tapes;
    if (!check_format(object, error) || !sb_json_known_keys(object, keys, error) ||
        !read_text(object, "rules", m->rules, sizeof m->rules, error) ||
        !sb_json_uint(object, "episodes", &m->episodes, error) ||
        !sb_json_uint(object, "successes", &m->successes, error) || !sb_json_uint(object, "rows", &m->rows, error) ||
        !sb_json_uint(object, "content_bytes", &m->content_bytes, error) ||
        !read_text(object, "content_sha256", m->content_sha256, sizeof m->content_sha256, error) ||
        !read_files(object, "files", &m->rows_files, &m->n_shards, error) ||
        !read_files(object, "tapes", &m->tapes_files, &n_tapes, error))
        return false;
    if (n_tapes != m->n_shards) return sb_fail(error, SB_INVALID, "keys `files` and `tapes` differ in length");
    cJSON *recipe = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(object, "recipe"), true);
    if (!recipe) return sb_fail(error, SB_INVALID, "key `recipe` is missing");
    return sb_recipe_read(recipe, &m->recipe, error) || sb_fail_at(error, "key `recipe`");
}

bool sb_manifest_parse(const char *text, size_t n, sb_manifest *manifest, sb_error *error) {
    *manifest = (sb_manifest){0};
    manifest->document = sb_json_parse(text, n, error);
    return manifest->document && read_manifest(manifest->document, manifest, error) && check_seal(text, n, error);
}

bool sb_manifest_load(const char *folder, sb_manifest *manifest, sb_error *error) {
    char path[1024];
    sb_out text = sb_out_growing();
    *manifest = (sb_manifest){0};
    snprintf(path, sizeof path, "%s/" SB_MANIFEST_NAME, folder);
    bool ok = sb_file_load(path, 64 << 20, &text, error);
    if (ok && !sb_manifest_parse(text.data, text.size, manifest, error)) ok = sb_fail_at(error, "%.100s", path);
    sb_out_free(&text);
    return ok;
}
