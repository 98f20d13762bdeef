/* Shared by the commands that make datasets. */
#ifndef SB_CLI_DATASET_H
#define SB_CLI_DATASET_H

#include "cli/command.h"
#include "datasets/build.h"

/* Prints what was made: a table with a row per task and difficulty and a summary, or one JSON object. */
void cli_print_made(const sb_manifest *made, const char *folder, const cli_common *common);

#endif
