/* What `seedbed autumn` does with worlds only. */
#ifndef SB_CLI_AUTUMN_WORLDS_H
#define SB_CLI_AUTUMN_WORLDS_H

#include "cli/output.h"

/* Puts what a review finds out about the world at `path`: findings, and unless `quiet` what was counted. Sets `wrong`
 * if it is useless or claims what is false. False: out of memory. */
bool cli_review_world(const char *path, const sb_out *text, bool quiet, sb_out *out, bool *wrong, sb_error *error);

#endif
