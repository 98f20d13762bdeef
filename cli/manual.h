/* Help, manual pages and completion, made from the tables of the commands. */
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

/* Completion: what may follow the words of a command line. The scripts for the shells (completion.bash, completion.zsh)
 * ask the program itself, so its candidates are the tasks, formats, agents and so on that it has. */

/* `seedbed help --complete WORDS...`: the words of a command line, beginning with the command's name. The last one is
 * being typed and may be empty. Prints a line for each candidate that begins like it, in upper or lower case: the word,
 * a tab, and what it means. A word that ends with `/`, `#` or `:` goes on. A line without a word says that file names
 * may stand there too. */
void cli_complete(int n, char **words);

#endif
