#include "datasets/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "datasets/card.h"
#include "datasets/croissant.h"
#include "datasets/journal.h"

sb_path sb_path_in(const char *folder, const char *name) {
    sb_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

#define PART ".part"

/* Whether this is the name, or that of a file which was to get it. NULL: no. */
static bool is_name(const char *name, const char *whole) {
    const size_t n = whole ? strlen(whole) : 0;
    return n && strncmp(whole, name, n) == 0 && (!name[n] || strcmp(name + n, PART) == 0);
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

/* Of a dataset, and of nobody else: files of others stay. */
static bool is_ours(const char *name) {
    static const char *const documents[] = {SB_STATS_NAME,   SB_CARD_NAME,     SB_CROISSANT_NAME,
                                            SB_JOURNAL_NAME, SB_MANIFEST_NAME, NULL};
    for (const char *const *document = documents; *document; document++)
        if (is_name(name, *document)) return true;
    return sb_is_shard_name(name);
}

bool sb_folder_clear(const char *folder, const sb_shard *done, size_t n_shards, size_t n_formats, sb_error *error) {
    unlink(sb_path_in(folder, SB_MANIFEST_NAME).text);
    DIR *directory = opendir(folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", folder);
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(directory));) {
        if (!is_ours(entry->d_name) || is_done(done, n_shards, n_formats, entry->d_name)) continue;
        const sb_path path = sb_path_in(folder, entry->d_name);
        ok = unlink(path.text) == 0 || sb_fail_errno(error, "cannot remove %s", path.text);
    }
    closedir(directory);
    return ok;
}

/* Nobody's README is replaced by a card unless they say so. */
static bool check_card(const char *folder, sb_error *error) {
    const sb_path card = sb_path_in(folder, SB_CARD_NAME);
    return !sb_file_exists(card.text) || sb_card_is_at(card.text) ||
           sb_fail(error, SB_INVALID, "%s is none of a dataset, and its card would replace it; move it, or say --force",
                   card.text);
}

static bool is_part(const char *name) {
    const size_t n = strlen(name), part = strlen(PART);
    return n > part && strcmp(name + n - part, PART) == 0;
}

/* In a folder without a dataset. A build that was killed before its journal may have left unfinished files, and, for
 * one that resumes, finished shards. */
static bool check_free(const char *folder, bool resume, sb_error *error) {
    DIR *directory = opendir(folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", folder);
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (!is_ours(name) || is_part(name) || (resume && sb_is_shard_name(name))) continue;
        ok = sb_fail(error, SB_INVALID,
                     "%s/%s is in the way of a dataset's file; choose another folder, or say --force to remove it",
                     folder, name);
    }
    closedir(directory);
    return ok;
}

bool sb_folder_prepare(const char *folder, bool overwrite, bool resume, sb_error *error) {
    if (strlen(folder) > 900) return sb_fail(error, SB_INVALID, "path is too long: %.80s...", folder);
    if (!sb_make_folder(folder, error)) return false;
    if (overwrite) return true;
    if (!check_card(folder, error)) return false;
    const bool finished = sb_file_exists(sb_path_in(folder, SB_MANIFEST_NAME).text);
    if (!finished && !sb_file_exists(sb_path_in(folder, SB_JOURNAL_NAME).text))
        return check_free(folder, resume, error);
    if (resume) return true;
    return finished
               ? sb_fail(error, SB_INVALID, "%s holds a dataset already; choose another folder, or say --force", folder)
               : sb_fail(error, SB_INVALID,
                         "%s holds an unfinished dataset or a part of one; --resume goes on with it, --force "
                         "starts anew",
                         folder);
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
