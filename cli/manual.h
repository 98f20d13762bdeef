/* What the program says of itself: help, manual pages and shell completion, all from the one table of commands and
 * their options. */
#ifndef SB_CLI_MANUAL_H
#define SB_CLI_MANUAL_H

#include "cli/cli.h"

void cli_print_overview(FILE *to);

/* Of whom something is asked, and the words behind the argument that asks for it. */
typedef struct cli_asked {
    const cli_command *self;
    const cli_option *options;
    size_t n;
    char **words;
    int n_words;
} cli_asked;

/* The way in which an argument asks for help: `-h`, `--help`, or `--help=man` and the like, by which `seedbed help`
 * gets at a command's options. NULL if it is none of them. */
typedef struct cli_manual cli_manual;
const cli_manual *cli_manual_asked(const char *argument);
void cli_print_manual(const cli_manual *manual, const cli_asked *asked);

/* `seedbed help ...` */
int cli_help(int argc, char **argv);

#endif
