/* What the commands that make datasets have in common. */
#ifndef SB_CLI_DATASET_H
#define SB_CLI_DATASET_H

#include "cli/cli.h"
#include "datasets/build.h"

/* What was made: a line and a table per task and difficulty, or one JSON object. */
void cli_print_made(const sb_manifest *made, const char *folder, const cli_common *common);

#endif
