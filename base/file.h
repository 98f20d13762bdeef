/* Files. Only this module opens, makes, renames and removes files, so its rules hold everywhere:
 *
 *   - A written file appears under its final name either whole or not at all: bytes go to `NAME.part`, are flushed to
 *     the disk, and only then renamed; then the folder is flushed too.
 *   - Writers never follow a symbolic link and never write into a file that was there before, so that a planted link
 *     cannot make them overwrite another file.
 *   - Readers follow links, but read only regular files: a pipe may never answer, and a device may never end.
 *   - There is one writer at a time (base/lock.h). */
#ifndef SB_BASE_FILE_H
#define SB_BASE_FILE_H

#include <stdio.h>

#include "base/hash.h"
#include "base/lock.h"
#include "base/out.h"

/* ---- Opening, removing, folders ---- */

/* Opens a regular file for reading, following links; the caller closes it. -1 with an error for anything else. `size`
 * (may be NULL) receives its size in bytes. */
int sb_file_open(const char *path, uint64_t *size, sb_error *error);
/* Like sb_file_open, as a stream; NULL with an error. */
FILE *sb_file_stream(const char *path, uint64_t *size, sb_error *error);

/* Removes a file or a link. A missing one is not an error. */
bool sb_file_remove(const char *path, sb_error *error);

/* Fails if a path has more than SB_FOLDER_BYTES bytes: names of files in it would not fit. Whoever writes several files
 * asks first. */
enum { SB_FOLDER_BYTES = 700 };
bool sb_folder_fits(const char *path, sb_error *error);
/* Makes the folder and its parents; an existing folder is not an error. */
bool sb_make_folder(const char *path, sb_error *error);
/* Flushes a folder's list of files to the disk. */
bool sb_folder_sync(const char *path, sb_error *error);
/* Flushes the folder that holds a path. */
bool sb_parent_sync(const char *path, sb_error *error);

/* The last part of a path: what stands behind its last slash. */
const char *sb_file_name(const char *path);
/* How many bytes of a path name the folder that it is in; 0: the working folder. */
int sb_folder_length(const char *path);
bool sb_file_exists(const char *path); /* follows links */
/* Whether two paths lead to one file or folder, which is there. */
bool sb_is_same_file(const char *a, const char *b);
bool sb_is_folder(const char *path);
bool sb_is_link(const char *path);

/* ---- Writing ---- */

typedef struct sb_file {
    char path[1024], part[1056]; /* the final name, and the name until the file is committed */
    int descriptor;
    bool open;        /* false in a zeroed file and after a commit */
    bool direct;      /* the path is a device or a pipe: it is written directly, never replaced */
    uint64_t size;    /* bytes written */
    sb_sha256 sha256; /* hash of the bytes written */
    sb_lock lock;     /* held if the file has a lock of its own */
} sb_file;

/* Starts a file that a user named. It may be a device or a pipe, but not a link to one (except in /dev). The file has a
 * lock of its own until it is committed, left or discarded. */
bool sb_file_create(sb_file *file, const char *path, sb_error *error);
/* Starts a file in a folder on which the caller holds the lock. */
bool sb_file_create_under(sb_file *file, const char *path, const sb_lock *lock, sb_error *error);
bool sb_file_write(sb_file *file, const void *bytes, size_t n, sb_error *error);
/* Flushes what was written to the disk, so that the commit can hardly fail. */
bool sb_file_flush(sb_file *file, sb_error *error);
/* Flushes and closes the file and gives it its final name; `hex` (may be NULL) receives the SHA-256. On failure nothing
 * is left. */
bool sb_file_commit(sb_file *file, char hex[SB_SHA256_HEX], sb_error *error);
/* Closes and removes the unfinished file; does nothing after a commit or a failed create. */
void sb_file_discard(sb_file *file);

/* For work that resumes after an interruption. Opens `path.part`, or makes it, and puts its bytes into `found`
 * (growing; appended). sb_file_keep then says how many of these are good: the rest is cut off, and writing goes on
 * after them. A file that another command wrote, which begins otherwise than `begins`, stays as it is: SB_MISMATCH. */
bool sb_file_resume(sb_file *file, const char *path, const char *begins, sb_out *found, sb_error *error);
bool sb_file_keep(sb_file *file, const void *found, size_t n, sb_error *error);
/* For files of which the final content is another than what was written on the way: writes the bytes beside the
 * unfinished file, gives them the final name, and removes the unfinished file. After a failure the unfinished file is
 * still there for sb_file_leave. */
bool sb_file_conclude(sb_file *file, const void *bytes, size_t n, sb_error *error);
/* Closes the unfinished file and leaves it for sb_file_resume; does nothing after a commit or a failed resume. */
void sb_file_leave(sb_file *file);

/* For journals that have their final name from the start, in a folder on which the caller holds the lock. Opens the
 * file, or makes it, and puts its bytes into `found`; what is written then is appended. */
bool sb_file_continue(sb_file *file, const char *path, sb_out *found, sb_error *error);
/* Cuts off what lies behind the first `size` bytes: a piece that was not written whole. */
bool sb_file_cut(sb_file *file, uint64_t size, sb_error *error);

/* Write a small document at once: to a path that a user named, or into a folder under the caller's lock. */
bool sb_file_save(const char *path, const void *bytes, size_t n, sb_error *error);
bool sb_file_save_under(const char *path, const sb_lock *lock, const void *bytes, size_t n, sb_error *error);

/* Appends to an existing file and flushes it to the disk. For journals: their readers must expect that the last piece
 * is cut off. */
bool sb_file_append(const char *path, const void *bytes, size_t n, sb_error *error);

/* Writes all bytes to an open descriptor, with as many calls as that takes. False with errno; some bytes may have been
 * written. A signal handler may call it. */
bool sb_write_all(int descriptor, const void *bytes, size_t n);

/* Opens a log that a user named, empty, for appending: a regular file, or a device such as a terminal. The caller
 * closes it. -1 with an error. */
int sb_file_open_log(const char *path, bool *is_device, sb_error *error);

/* ---- Reading ---- */

/* Fails with SB_MISMATCH, naming the file, unless it exists with this size and SHA-256. Reads no more than `size`
 * bytes. */
bool sb_file_check(const char *path, uint64_t size, const char sha256[SB_SHA256_HEX], sb_error *error);

/* Opens a file as a stream of zlib (gzFile), which unpacks gzip and returns anything else unchanged; the caller closes
 * it with gzclose. "-" is standard input. NULL with an error. */
void *sb_file_open_gzip(const char *path, sb_error *error);
/* After gzread returned less than it should: fails if memory ran out or the system refused to read, so that the file is
 * not called damaged. */
bool sb_file_gzip_could_read(void *stream, const char *path, sb_error *error);

/* Reads a whole file into `out` (growing; appended, NUL-terminated past its size), unpacking gzip. Fails if it is
 * larger than `limit` bytes. "-" is standard input. */
bool sb_file_load(const char *path, size_t limit, sb_out *out, sb_error *error);

/* Like sb_file_load, but a large file may unpack to more than the limit: up to 32 times its size on disk. */
bool sb_file_load_large(const char *path, size_t limit, sb_out *out, sb_error *error);

/* Like sb_file_load, but never unpacks: for documents whose hashes are of the bytes as they are. */
bool sb_file_load_plain(const char *path, size_t limit, sb_out *out, sb_error *error);

/* Lines of a text file, which may be gzip. "-" is standard input. */
typedef struct sb_lines {
    void *stream; /* gzFile */
    char path[1024];
    sb_out line;        /* the current line without its newline, NUL-terminated */
    char *ahead;        /* bytes that were read and not yet returned */
    size_t at, n_ahead; /* index of the next byte in `ahead`, and how many bytes were read into it */
    size_t number, limit;
    bool is_cut; /* the current line has no newline, so it is the last one of the file, and may be a part of one */
} sb_lines;

/* A line may be at most `limit` bytes long, without its newline. After a failure nothing need be closed. */
bool sb_lines_open(sb_lines *lines, const char *path, size_t limit, sb_error *error);
/* Reads the next line. Returns false at the end (then error->code is SB_OK) and on a failure: a read error, broken
 * gzip, or a line that is too long or contains a NUL byte. */
bool sb_lines_next(sb_lines *lines, sb_error *error);
/* Returns the next bytes, up to 64 KiB, without reading them as lines: a look at what the file is. *n is 0 at the end
 * and on a failure. */
const char *sb_lines_peek(sb_lines *lines, size_t *n, sb_error *error);
void sb_lines_close(sb_lines *lines);

#endif
