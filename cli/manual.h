/* What the program says of itself: help, manual pages and shell completion, all from the one table of commands and
 * their options. */
#ifndef SB_CLI_MANUAL_H
#define SB_CLI_MANUAL_H

#include "cli/cli.h"

void cli_print_overview(FILE *to);

/* The way in which an argument asks for help: `-h`, `--help`, or `--help=man` and the like, by which `seedbed help`
 * gets at a command's options. NULL if it is none of them. */
typedef struct cli_manual cli_manual;
const cli_manual *cli_manual_asked(const char *argument);
void cli_print_manual(const cli_manual *manual, const cli_command *self, const cli_option *options, size_t n);

/* `seedbed help ...` */
int cli_help(int argc, char **argv);

#endif
