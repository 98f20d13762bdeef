#include "datasets/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "datasets/card.h"
#include "datasets/croissant.h"
#include "datasets/journal.h"

#define PART ".part"

/* Whether this is the name, or that of a file which was to get it: `NAME.part`, where nothing can be locked also
 * `NAME.0123abcd.part`. NULL: no. */
static bool is_name(const char *name, const char *whole) {
    const size_t n = whole ? strlen(whole) : 0;
    if (!n || strncmp(whole, name, n) != 0) return false;
    const char *rest = name + n;
    if (*rest == '.' && strspn(rest + 1, "0123456789abcdef") == 8) rest += 9;
    return (rest == name + n && !*rest) || strcmp(rest, PART) == 0;
}

bool sb_is_shard_name(const char *name) {
    static const char pattern[] = "-00000-of-00000.";
    name += strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    for (const char *p = pattern; *p; p++, name++)
        if (*p == '0' ? *name < '0' || *name > '9' : *name != *p) return false;
    if (is_name(name, SB_TAPES_SUFFIX)) return true;
    for (const sb_exporter *const *format = sb_exporters; *format; format++)
        if (is_name(name, (*format)->suffix) || is_name(name, (*format)->other)) return true;
    return false;
}

static bool is_done(const sb_shard *shards, size_t n_shards, size_t n_formats, const char *name) {
    for (size_t i = 0; i < n_shards; i++) {
        if (!shards[i].done) continue;
        if (strcmp(shards[i].tapes.name, name) == 0) return true;
        for (size_t k = 0; k < n_formats; k++)
            if (strcmp(shards[i].files[k].name, name) == 0) return true;
    }
    return false;
}

/* What is in a dataset's folder beside shards, and what its text holds that nobody else's does (NULL: the name is
 * enough). */
static const struct {
    const char *name, *mark;
} documents[] = {{SB_STATS_NAME, SB_STATS_FORMAT}, {SB_CARD_NAME, SB_CARD_MARK}, {SB_CROISSANT_NAME, "seedbed"},
                 {SB_JOURNAL_NAME, NULL},          {SB_RENDERING_NAME, NULL},    {SB_MANIFEST_NAME, NULL}};
enum { N_DOCUMENTS = sizeof documents / sizeof *documents };

/* Of a dataset, and of nobody else: files of others stay. */
static bool is_ours(const char *name) {
    for (size_t i = 0; i < N_DOCUMENTS; i++)
        if (is_name(name, documents[i].name)) return true;
    return sb_is_shard_name(name);
}

bool sb_folder_clear(const sb_target *target, const sb_shard *done, size_t n_shards, size_t n_formats,
                     sb_error *error) {
    if (!sb_target_remove(target, SB_MANIFEST_NAME, error) || !sb_target_sync(target, error)) return false;
    DIR *directory = opendir(target->folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", target->folder);
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(directory));)
        ok = !is_ours(entry->d_name) || is_done(done, n_shards, n_formats, entry->d_name) ||
             sb_target_remove(target, entry->d_name, error);
    closedir(directory);
    return ok;
}

bool sb_folder_check_rendering(const char *folder, sb_error *error) {
    return !sb_file_exists(sb_path_in(folder, SB_RENDERING_NAME).text) ||
           sb_fail(error, SB_MISMATCH, "rendering more formats was interrupted: `seedbed render %s --resume` goes on",
                   folder);
}

static bool holds(const char *path, const char *mark) {
    sb_out text = sb_out_growing();
    sb_error ignored;
    const bool found = sb_file_load_plain(path, SB_DOCUMENT_BYTES, &text, &ignored) && strstr(text.data, mark);
    sb_out_free(&text);
    return found;
}

/* Nobody's README is replaced by a card unless they say so. */
static bool check_documents(const char *folder, sb_error *error) {
    for (size_t i = 0; i < N_DOCUMENTS; i++) {
        const sb_path path = sb_path_in(folder, documents[i].name);
        if (documents[i].mark && sb_file_exists(path.text) && !holds(path.text, documents[i].mark))
            return sb_fail(error, SB_INVALID,
                           "%s is none of a dataset, and one would replace it; move it, or say --force", path.text);
    }
    return true;
}

/* Nor is what bears the name of a shard, in a folder where nobody left a dataset. */
static bool check_shards(const char *folder, sb_error *error) {
    DIR *directory = opendir(folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", folder);
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(directory));) {
        const size_t n = strlen(entry->d_name), part = strlen(PART);
        const bool finished = n <= part || strcmp(entry->d_name + n - part, PART) != 0;
        ok = !finished || !sb_is_shard_name(entry->d_name) ||
             sb_fail(
                 error, SB_INVALID,
                 "%s/%s is named like a file of a dataset and would be removed; choose another folder, or say --force",
                 folder, entry->d_name);
    }
    closedir(directory);
    return ok;
}

bool sb_folder_prepare(const sb_target *target, sb_folder_use use, sb_error *error) {
    const char *folder = target->folder;
    if (use == SB_FOLDER_REPLACED) return true;
    if (!check_documents(folder, error)) return false;
    if (use == SB_FOLDER_RESUMED) return true;
    if (sb_file_exists(sb_path_in(folder, SB_MANIFEST_NAME).text))
        return sb_fail(error, SB_INVALID, "%s holds a dataset already; choose another folder, or say --force", folder);
    if (sb_file_exists(sb_path_in(folder, SB_JOURNAL_NAME).text))
        return sb_fail(error, SB_INVALID,
                       "%s holds an unfinished dataset or a part of one; --resume goes on with it, --force "
                       "starts anew",
                       folder);
    return use == SB_FOLDER_MERGED || check_shards(folder, error);
}

static bool lists(const sb_manifest *manifest, const char *name) {
    for (size_t i = 0; i < manifest->n_shards * manifest->n_formats; i++)
        if (strcmp(manifest->files[i].name, name) == 0) return true;
    for (size_t i = 0; i < manifest->n_shards; i++)
        if (strcmp(manifest->tapes[i].name, name) == 0) return true;
    return false;
}

bool sb_folder_check(const char *folder, const sb_manifest *manifest, sb_error *error) {
    DIR *directory = opendir(folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", folder);
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(directory));)
        ok = !sb_is_shard_name(entry->d_name) || lists(manifest, entry->d_name) ||
             sb_fail(error, SB_MISMATCH, "%s is not in the manifest", entry->d_name);
    closedir(directory);
    return ok;
}
