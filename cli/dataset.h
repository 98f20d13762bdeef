/* Shared by the commands that make datasets. */
#ifndef SB_CLI_DATASET_H
#define SB_CLI_DATASET_H

#include "cli/command.h"
#include "datasets/build.h"

/* Prints what was made: a table with a row per task and difficulty and a summary, or one JSON object. */
void cli_print_made(const sb_manifest *made, const char *folder, const cli_common *common);
/* Fails if no episode has rows, which nobody wants; the dataset, with its tapes, is there all the same. */
bool cli_check_made(const sb_manifest *made, const char *folder, sb_error *error);

#endif
