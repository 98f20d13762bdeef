#include "datasets/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "datasets/card.h"
#include "datasets/journal.h"
#include "datasets/playing.h"

#define PART ".part"

static bool is_unfinished(const char *name) {
    const size_t n = strlen(name), part = strlen(PART);
    return n > part && strcmp(name + n - part, PART) == 0;
}

/* Whether `name` is the `whole` name or that of an unfinished file: `NAME.part`, or `NAME.0123abcd.part` if the file
 * system has no locks. False if `whole` is NULL. */
static bool is_name(const char *name, const char *whole) {
    const size_t n = whole ? strlen(whole) : 0;
    if (!n || strncmp(whole, name, n) != 0) return false;
    const char *rest = name + n;
    if (*rest == '.' && strspn(rest + 1, "0123456789abcdef") == 8) rest += 9;
    return (rest == name + n && !*rest) || strcmp(rest, PART) == 0;
}

/* Skips five digits or more and then `words`; false if they are not there. */
static bool pass_number(const char **at, const char *words) {
    const size_t n = strspn(*at, "0123456789");
    if (n < 5 || strncmp(*at + n, words, strlen(words)) != 0) return false;
    *at += n + strlen(words);
    return true;
}

bool sb_is_shard_name(const char *name) {
    for (int words = 0; words == 0 || (words < 3 && !(*name >= '0' && *name <= '9'));
         words++) { /* up to three words: kind, split, extension */
        name += strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (*name++ != '-') return false;
    }
    if (!pass_number(&name, "-of-") || !pass_number(&name, ".")) return false;
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

/* The files in a dataset's folder that are no shards, and a mark in their texts that other files do not have (NULL: the
 * name is enough). */
static const struct {
    const char *name, *mark;
} documents[] = {{SB_STATS_NAME, SB_STATS_FORMAT}, {SB_CARD_NAME, SB_CARD_MARK}, {SB_CROISSANT_NAME, "seedbed"},
                 {SB_JOURNAL_NAME, NULL},          {SB_RENDERING_NAME, NULL},    {SB_MANIFEST_NAME, NULL},
                 {SB_PLAYING_NAME, NULL},          {SB_PLAYED_NAME, NULL}};
enum { N_DOCUMENTS = sizeof documents / sizeof *documents };

bool sb_is_dataset_file(const char *name) {
    for (size_t i = 0; i < N_DOCUMENTS; i++)
        if (is_name(name, documents[i].name)) return true;
    return sb_is_shard_name(name);
}

static bool is_played(const char *name) {
    return strcmp(name, SB_PLAYING_NAME) == 0 || strcmp(name, SB_PLAYED_NAME) == 0;
}

/* What stays of an earlier dataset's files: shards that are done, and perhaps what a program has played. */
typedef struct staying {
    const sb_shard *done;
    size_t n_shards, n_formats;
    bool keeps_tapes;
} staying;

static bool stays(const staying *s, const char *name) {
    return !sb_is_dataset_file(name) || is_done(s->done, s->n_shards, s->n_formats, name) ||
           (s->keeps_tapes && is_played(name));
}

static bool remove_some(const sb_destination *destination, const staying *s, size_t *n_removed, sb_error *error) {
    DIR *directory = opendir(destination->folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", destination->folder);
    bool ok = true;
    *n_removed = 0;
    for (const struct dirent *entry; ok && (entry = readdir(directory));)
        if (!stays(s, entry->d_name)) ok = sb_destination_remove(destination, entry->d_name, error), ++*n_removed;
    closedir(directory);
    return ok;
}

/* Reads the folder again until nothing is left to remove: on some file systems, names that follow a removed one are
 * passed over. */
bool sb_folder_clear(const sb_destination *destination, const sb_shard *done, size_t n_shards, size_t n_formats,
                     sb_error *error) {
    const staying s = {done, n_shards, n_formats, destination->keeps_tapes};
    size_t n_removed = 1;
    bool ok = sb_destination_remove(destination, SB_MANIFEST_NAME, error) && sb_destination_sync(destination, error);
    while (ok && n_removed) ok = remove_some(destination, &s, &n_removed, error);
    return ok;
}

bool sb_folder_check_rendering(const char *folder, sb_error *error) {
    return !sb_file_exists(sb_path_in(folder, SB_RENDERING_NAME).text) ||
           sb_fail(error, SB_MISMATCH,
                   "rendering more formats was interrupted: continue it with `seedbed render %s --resume`", folder);
}

static bool holds(const char *path, const char *mark) {
    sb_out text = sb_out_growing();
    sb_error ignored;
    const bool found = sb_file_load_plain(path, SB_DOCUMENT_BYTES, &text, &ignored) && strstr(text.data, mark);
    sb_out_free(&text);
    return found;
}

/* Fails if a user's README.md or another document would be replaced. */
static bool check_documents(const char *folder, sb_error *error) {
    for (size_t i = 0; i < N_DOCUMENTS; i++) {
        const sb_path path = sb_path_in(folder, documents[i].name);
        if (documents[i].mark && sb_file_exists(path.text) && !holds(path.text, documents[i].mark))
            return sb_fail(error, SB_INVALID,
                           "%s was not made by seedbed and would be replaced; move it, or use --force", path.text);
    }
    return true;
}

/* Whether a file may be in a folder that a new dataset goes to: hidden files (a repository's, the lock), unfinished
 * ones, and documents, which check_documents looks into. */
static bool may_stay(const char *name) {
    if (*name == '.' || is_unfinished(name)) return true;
    for (size_t i = 0; i < N_DOCUMENTS; i++)
        if (documents[i].mark && strcmp(name, documents[i].name) == 0) return true;
    return false;
}

/* ---- Strangers ---- */

/* Whether the name is that of a shard of this kind in some section. */
static bool is_shard_of(const char *name, const char *kind, const sb_schedule *schedule, const char *suffix) {
    for (size_t i = 0; i < schedule->n_sections; i++) {
        const sb_scheduled *s = &schedule->sections[i];
        const char *before = *s->label ? "-" : "";
        char begin[SB_LABEL + SB_EXPORT_NAME + 4];
        const size_t n = (size_t)snprintf(begin, sizeof begin, "%.16s%s%s-", kind, before, s->label);
        if (strncmp(name, begin, n) != 0) continue;
        const unsigned long long shard = strtoull(name + n, NULL, 10);
        const size_t n_shards = s->end_shard - s->first_shard;
        if (shard < n_shards && strcmp(name, sb_shard_of(kind, s->label, (size_t)shard, n_shards, suffix).text) == 0)
            return true;
    }
    return false;
}

static bool is_of_dataset(const char *name, const sb_schedule *schedule) {
    for (size_t k = 0; k < schedule->n_exports; k++)
        if (is_shard_of(name, schedule->exports[k].name, schedule, schedule->exports[k].exporter->suffix)) return true;
    return is_shard_of(name, SB_TAPES_KIND, schedule, SB_TAPES_SUFFIX);
}

/* Whether the file belongs to a dataset but holds no data. A journal may be left if a build was killed at its very
 * end. */
static bool is_known(const char *name) {
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, SB_LOCK_NAME) == 0) return true;
    for (size_t i = 0; i < N_DOCUMENTS; i++)
        if (strcmp(name, documents[i].name) == 0) return true;
    return false;
}

static bool is_loaded_as(const char *name, const char *kind, const char *suffix) {
    const size_t length = strlen(name), n = strlen(kind), end = suffix ? strlen(suffix) : 0;
    return suffix && length >= n + end + 2 && strncmp(name, kind, n) == 0 && name[n] == '-' &&
           name[length - end - 1] == '.' && strcmp(name + length - end, suffix) == 0;
}

/* Whether the name matches `<kind>-*.<suffix>` of any format, which is the pattern that cards and documentation
 * load. */
static bool would_be_loaded(const char *name, const sb_schedule *schedule) {
    for (size_t k = 0; k < schedule->n_exports; k++)
        if (is_loaded_as(name, schedule->exports[k].name, schedule->exports[k].exporter->suffix)) return true;
    for (const sb_exporter *const *format = sb_exporters; *format; format++)
        if (is_loaded_as(name, (*format)->name, (*format)->suffix) ||
            is_loaded_as(name, (*format)->name, (*format)->other))
            return true;
    return is_loaded_as(name, SB_TAPES_KIND, SB_TAPES_SUFFIX) || (!is_unfinished(name) && sb_is_shard_name(name));
}

/* Fails if it is a user's file that may not be there. In a new dataset it would be loaded, moved and deleted with the
 * dataset, or removed if it has the name of a shard; in others it stays, and would be loaded. */
static bool check_file(const char *folder, const char *name, const sb_schedule *schedule, sb_folder_use use,
                       sb_error *error) {
    if (use == SB_FOLDER_NEW)
        return may_stay(name) ||
               sb_fail(error, SB_INVALID, "%s/%s is %s; choose another folder, or use --force", folder, name,
                       sb_is_shard_name(name) ? "named like a file of a dataset and would be removed"
                                              : "not of a dataset");
    return sb_is_dataset_file(name) || !would_be_loaded(name, schedule) ||
           sb_fail(error, SB_INVALID,
                   "%s/%s would be loaded with the dataset's files: move it, or choose another folder", folder, name);
}

static bool check_files(const char *folder, const sb_schedule *schedule, sb_folder_use use, sb_error *error) {
    DIR *directory = opendir(folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", folder);
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(directory));)
        ok = check_file(folder, entry->d_name, schedule, use, error);
    closedir(directory);
    return ok;
}

bool sb_folder_prepare(const sb_destination *destination, const sb_schedule *schedule, sb_folder_use use,
                       sb_error *error) {
    const char *folder = destination->folder;
    if (use != SB_FOLDER_NEW && !check_files(folder, schedule, use, error)) return false;
    if (use == SB_FOLDER_REPLACED) return true;
    if (!check_documents(folder, error)) return false;
    if (use == SB_FOLDER_RESUMED) return true;
    if (sb_file_exists(sb_path_in(folder, SB_MANIFEST_NAME).text))
        return sb_fail(error, SB_INVALID, "%s holds a dataset already; choose another folder, or use --force", folder);
    if (sb_file_exists(sb_path_in(folder, SB_JOURNAL_NAME).text))
        return sb_fail(
            error, SB_INVALID,
            "%s holds an unfinished dataset or a part of one; use --resume to continue it or --force to start again",
            folder);
    if (sb_file_exists(sb_path_in(folder, SB_PLAYING_NAME).text))
        return sb_fail(error, SB_INVALID,
                       "%s holds tapes of a program that was interrupted; use --resume to let it go on or --force to "
                       "start again",
                       folder);
    return use == SB_FOLDER_MERGED || check_files(folder, schedule, use, error);
}

/* Adds a foreign file. Keeps the first ones by name, so that the result does not depend on the order in which a folder
 * is read. */
static void add_stranger(sb_strangers *s, const char *name) {
    size_t at = s->n < SB_STRANGERS_NAMED ? s->n : SB_STRANGERS_NAMED;
    s->n++;
    for (; at && strcmp(s->names[at - 1], name) > 0; at--)
        if (at < SB_STRANGERS_NAMED) memcpy(s->names[at], s->names[at - 1], SB_FILE_NAME);
    if (at < SB_STRANGERS_NAMED) snprintf(s->names[at], SB_FILE_NAME, "%s", name);
}

bool sb_folder_check(const char *folder, const sb_schedule *schedule, sb_strangers *strangers, sb_error *error) {
    sb_strangers loaded = {0};
    *strangers = (sb_strangers){0};
    DIR *directory = opendir(folder);
    if (!directory) return sb_fail_errno(error, "cannot read folder %s", folder);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        const bool is_ours = is_known(name) || is_of_dataset(name, schedule);
        strangers->n_links += is_ours && sb_is_link(sb_path_in(folder, name).text);
        if (!is_ours) add_stranger(would_be_loaded(name, schedule) ? &loaded : strangers, name);
    }
    closedir(directory);
    return !loaded.n ||
           sb_fail(error, SB_MISMATCH, "%s is not in the manifest, and would be loaded with the dataset's files",
                   sb_path_end(loaded.names[0]));
}

/* ---- Which folder ---- */

enum { DEEPEST = 3000 };

/* Finds the folder at a path, or the nearest existing one above it. */
static bool nearest_folder(const char *path, char at[DEEPEST + 1], struct stat *found) {
    if (snprintf(at, DEEPEST, "%s", path) >= DEEPEST) return false;
    while (*at) {
        if (stat(at, found) == 0 && S_ISDIR(found->st_mode)) return true;
        char *slash = strrchr(at, '/');
        if (!slash) break;
        slash[slash == at] = '\0'; /* "/" stays */
    }
    strcpy(at, ".");
    return stat(at, found) == 0;
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool sb_folder_holds(const char *folder, const char *file) {
    struct stat wanted, there;
    DIR *directory = stat(file, &wanted) == 0 ? opendir(folder) : NULL;
    bool holds = false;
    for (const struct dirent *entry; directory && !holds && (entry = readdir(directory));)
        holds = stat(sb_path_in(folder, entry->d_name).text, &there) == 0 && same_file(&wanted, &there);
    if (directory) closedir(directory);
    return holds;
}

bool sb_is_within(const char *path, const char *folder) {
    char at[DEEPEST + 1];
    struct stat outer, inner, above;
    if (stat(folder, &outer) != 0 || !nearest_folder(path, at, &inner)) return false;
    for (size_t n = strlen(at); !same_file(&inner, &outer); n += 3, inner = above) {
        if (n + 3 > DEEPEST) return false;
        memcpy(at + n, "/..", 4);
        if (stat(at, &above) != 0 || same_file(&above, &inner)) return false; /* the root is its own parent */
    }
    return true;
}
