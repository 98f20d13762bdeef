/* Help and manual pages, written from the tables of the commands. */
#ifndef SB_CLI_MANUAL_H
#define SB_CLI_MANUAL_H

#include "cli/command.h"

/* What `seedbed --help` prints. */
void cli_print_overview(FILE *to);
/* What `--help` prints of a command, on a screen of 40 lines if that can be: without its rare options, if need be. */
void cli_print_help(const cli_command *command);
/* What `--help-all` prints: everything. */
void cli_print_all(const cli_command *command);
/* Pages in roff: of the program, and of a command. */
void cli_print_man_overview(void);
void cli_print_man(const cli_command *command);

#endif
