/* What `seedbed autumn` does with worlds only. */
#ifndef SB_CLI_AUTUMN_WORLDS_H
#define SB_CLI_AUTUMN_WORLDS_H

#include "cli/output.h"

/* Puts what a review finds out about the world at `path`: findings, and unless `quiet` what was counted. Sets `wrong`
 * if the world is useless or claims what is false. False: out of memory. */
bool cli_review_world(const char *path, const sb_out *text, bool quiet, sb_out *out, bool *wrong, sb_error *error);
/* Finds a difficulty of a world by its name; NULL: the first. False: the text at `path` has no such difficulty. */
bool cli_find_difficulty(const char *path, const sb_out *text, const char *word, size_t *number, sb_error *error);
/* Prints a world in the published language; returns the exit code. */
int cli_plain_world(const char *path, const char *difficulty);

#endif
