/* Lends a command's catalogue who chooses episodes by what they demand (--where, --spread), with progress. */
#ifndef SB_CLI_CHOOSING_H
#define SB_CLI_CHOOSING_H

#include "cli/command.h"
#include "evaluation/atlas/chooser.h"

typedef struct cli_choosing {
    cli_progress progress;
    bool begun; /* progress is shown */
    bool quiet;
    sb_atlas_chooser *chooser;
} cli_choosing;

/* Lends the catalogue who chooses episodes. The choosing and the catalogue must stay where they are until
 * cli_choosing_end. */
bool cli_choosing_begin(cli_choosing *choosing, const cli_common *common, sb_catalogue *catalogue, sb_error *error);
void cli_choosing_end(cli_choosing *choosing);

#endif
