/* Files. This is the one place that opens, makes, renames and removes them, so that its rules hold everywhere:
 *
 * - What is written appears under its final name whole or not at all: bytes go to `NAME.part`, are flushed to the disk,
 *   and only then renamed; then the folder is flushed too.
 * - Writers never follow a symbolic link and never write into a file that was there before, so that nobody's file is
 *   overwritten by way of a link that somebody planted.
 * - Readers follow links, but read nothing but regular files: a pipe may never answer, and a device may never end.
 * - There is one writer at a time (base/lock.h). */
#ifndef SB_BASE_FILE_H
#define SB_BASE_FILE_H

#include <stdio.h>

#include "base/hash.h"
#include "base/lock.h"
#include "base/out.h"

/* ---- Opening, removing, folders ---- */

/* Opens a regular file to be read, at the end of whatever links; the caller closes it. -1 with an error for anything
 * else. `size` (may be NULL) gets its bytes. */
int sb_file_open(const char *path, uint64_t *size, sb_error *error);
/* The same as a stream; NULL with an error. */
FILE *sb_file_stream(const char *path, uint64_t *size, sb_error *error);

/* Removes a file or a link. One that is not there is fine. */
bool sb_file_remove(const char *path, sb_error *error);

/* Makes the folder and its parents; one that exists is fine. */
bool sb_make_folder(const char *path, sb_error *error);
/* Flushes to the disk which files a folder has. */
bool sb_folder_sync(const char *path, sb_error *error);
/* The same for the folder that holds a path. */
bool sb_parent_sync(const char *path, sb_error *error);

bool sb_file_exists(const char *path); /* at the end of whatever links */
bool sb_is_folder(const char *path);
bool sb_is_link(const char *path);

/* ---- Writing ---- */

typedef struct sb_file {
    char path[1024], part[1048]; /* the final name, and the one until then */
    int descriptor;
    bool open;        /* not in a zeroed one, nor after a commit */
    bool direct;      /* the path is a device or a pipe: it is written as it is, never replaced */
    uint64_t size;    /* bytes written */
    sb_sha256 sha256; /* of the bytes written */
    sb_lock lock;     /* of a file that has one of its own */
} sb_file;

/* Starts a file that a user named. It may be a device or a pipe, but no link to one (but for those in /dev). It has a
 * lock of its own until it is committed, left or discarded. */
bool sb_file_create(sb_file *file, const char *path, sb_error *error);
/* Starts a file in a folder on which the caller holds the lock. */
bool sb_file_create_under(sb_file *file, const char *path, const sb_lock *lock, sb_error *error);
bool sb_file_write(sb_file *file, const void *bytes, size_t n, sb_error *error);
/* Flushes what was written to the disk, so that hardly anything can go wrong with the commit. */
bool sb_file_flush(sb_file *file, sb_error *error);
/* Flushes, closes and gives the file its name; `hex` (may be NULL) gets the SHA-256. On failure nothing is left. */
bool sb_file_commit(sb_file *file, char hex[SB_SHA256_HEX], sb_error *error);
/* Closes and removes the unfinished file; does nothing after a commit or a failed create. */
void sb_file_discard(sb_file *file);

/* For work that goes on after an interruption. Opens what may have been left of `path.part`, or makes it, and puts all
 * its bytes into `found` (growing; appended). Then sb_file_keep says how many of these are good: the rest is cut off,
 * and writing goes on behind them. */
bool sb_file_resume(sb_file *file, const char *path, sb_out *found, sb_error *error);
bool sb_file_keep(sb_file *file, const void *found, size_t n, sb_error *error);
/* Closes the unfinished file and leaves it for sb_file_resume; does nothing after a commit or a failed resume. */
void sb_file_leave(sb_file *file);

/* The whole of a small document at once, in a folder under the caller's lock. */
bool sb_file_save_under(const char *path, const sb_lock *lock, const void *bytes, size_t n, sb_error *error);

/* Adds to a file that is there and flushes it to the disk: for journals, whose readers have to expect a last piece
 * that is cut off. */
bool sb_file_append(const char *path, const void *bytes, size_t n, sb_error *error);

/* Writes all bytes to an open descriptor, however many calls that takes. False with errno; then some may be written. A
 * signal handler may call it. */
bool sb_write_all(int descriptor, const void *bytes, size_t n);

/* Opens a log that a user named, empty, to be added to: a regular file, or a device such as a terminal. The caller
 * closes it. -1 with an error. */
int sb_file_open_log(const char *path, bool *is_device, sb_error *error);

/* ---- Reading ---- */

/* Fails with SB_MISMATCH, naming the file, unless it is there with this size and SHA-256. Reads no more than that. */
bool sb_file_check(const char *path, uint64_t size, const char sha256[SB_SHA256_HEX], sb_error *error);

/* Opens a file as a stream of zlib (gzFile), which unpacks gzip and hands out anything else as it is; the caller closes
 * it with gzclose. "-" is standard input. NULL with an error. */
void *sb_file_open_gzip(const char *path, sb_error *error);

/* Reads a whole file, gunzipping it if it is gzip, into `out` (growing; appended, NUL-terminated past its size). Fails
 * beyond `limit` bytes. "-" is standard input. */
bool sb_file_load(const char *path, size_t limit, sb_out *out, sb_error *error);

/* The same of a document that is never gzip: its bytes as they are, which is what others read and what hashes are of.
 */
bool sb_file_load_plain(const char *path, size_t limit, sb_out *out, sb_error *error);

/* Lines of a text file that may be gzip. "-" is standard input. */
typedef struct sb_lines {
    void *stream; /* gzFile */
    char path[1024];
    sb_out line;        /* the current line without its newline, NUL-terminated */
    char *ahead;        /* what was read and not yet handed out */
    size_t at, n_ahead; /* of it: the next byte, and the end */
    size_t number, limit;
} sb_lines;

/* No line may be longer than `limit` bytes, without its newline. */
bool sb_lines_open(sb_lines *lines, const char *path, size_t limit, sb_error *error);
/* False at the end (then error->code is SB_OK) and on a failure: read error, broken gzip, a line that is too long or
 * holds a NUL byte. */
bool sb_lines_next(sb_lines *lines, sb_error *error);
void sb_lines_close(sb_lines *lines);

#endif
