/* A gzip file of lines that takes long to write: one member for its first line, one for every sixty-four lines after
 * it, one for the last line. An interrupted run leaves `path.part`, and the same run goes on after the complete members
 * in it. */
#ifndef SB_BASE_LINE_FILE_H
#define SB_BASE_LINE_FILE_H

#include "base/file.h"
#include "base/gzip.h"

typedef struct sb_line_source {
    const char *path;
    /* what the file of another run holds, for errors: `certificates of another selection, budget or version` */
    const char *what;
    const sb_out *head; /* the first line, with its newline */
    size_t n;           /* lines between the first and the last */
    /* Checks the index-th line, which an interrupted run left; the text has no newline. False: another line belongs
     * there, so it is written anew. */
    bool (*check)(void *context, size_t index, const char *line, size_t n);
    /* Takes the index-th line, which an interrupted run left, when all lines of its member are right. */
    bool (*take)(void *context, size_t index, const char *line, size_t n, sb_error *error);
    void *context;
} sb_line_source;

/* A file of lines that is being written; zeroed at first. */
typedef struct sb_line_file {
    sb_file file;
    sb_gzip gzip;
    sb_out text, packed; /* lines of the member that is being filled; that member compressed */
    sb_sha256 content;
    size_t done, n; /* lines between the first and the last: in the file, and in all */
} sb_line_file;

/* Opens the file, and takes the lines that it holds already. Fails with SB_MISMATCH if its first line is another one.
 * The caller leaves the file, also after a failure. */
bool sb_line_file_open(sb_line_file *file, const sb_line_source *source, sb_error *error);
/* Ends the line that the caller appended to `text`, with its newline. */
bool sb_line_file_put(sb_line_file *file, sb_error *error);
/* Counts the lines of a text that end with a newline. */
size_t sb_count_lines(const char *text, size_t n);
/* The SHA-256 of all text so far, uncompressed; after it comes the last line. */
void sb_line_file_hash(sb_line_file *file, char hex[SB_SHA256_HEX]);
/* Ends the last line, which the caller appended to `text`, and gives the file its name. */
bool sb_line_file_commit(sb_line_file *file, sb_error *error);
/* Frees what the file holds; what was not committed stays in `path.part`. */
void sb_line_file_leave(sb_line_file *file);

#endif
