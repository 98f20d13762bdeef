/* The files of a game, which people can read and compare. All follow from the journal of answers
 * (evaluation/arena/answers.h), so they are kept in memory, and written from time to time; a replay makes them again
 * and compares. */
#ifndef SB_EVALUATION_ARENA_WORKSPACE_H
#define SB_EVALUATION_ARENA_WORKSPACE_H

#include "base/file.h"

typedef struct sb_workspace_file {
    char name[96];
    sb_out text;
    size_t written;  /* size that the file has on the disk, if it only grows */
    bool is_whole;   /* its text may be replaced as a whole, by any other */
    bool is_changed; /* it was changed since it was written */
    bool is_there;   /* it was written by this process */
} sb_workspace_file;

/* The files of a game. Starts zeroed, but for the first two members. */
typedef struct sb_workspace {
    const char *folder;
    const sb_lock *lock; /* the lock of the folder; NULL: nothing is written */
    sb_workspace_file **files;
    size_t n;
} sb_workspace;

/* Returns the text of a file, to which lines may be put; NULL: out of memory. */
sb_out *sb_workspace_lines(sb_workspace *workspace, const char *name);
/* Replaces a file. */
bool sb_workspace_put(sb_workspace *workspace, const char *name, const char *text, size_t n, sb_error *error);
/* Returns the text of a file; NULL: there is none. */
const sb_out *sb_workspace_text(const sb_workspace *workspace, const char *name);
/* Writes the changed files whose names begin with `begins`. */
bool sb_workspace_write(sb_workspace *workspace, const char *begins, sb_error *error);
/* Compares all files with those of the folder; fails with SB_MISMATCH at the first line that differs. */
bool sb_workspace_compare(const sb_workspace *workspace, sb_error *error);
void sb_workspace_free(sb_workspace *workspace);

#endif
