/* Completion: what may follow the words of a command line. The scripts for the shells (completion.bash, completion.zsh)
 * ask the program itself, so that tasks, formats, agents and the rest are those that there are. */
#ifndef SB_CLI_COMPLETE_H
#define SB_CLI_COMPLETE_H

#include "cli/manual.h"

/* `seedbed help --complete WORDS...`: the words of a command line from the command's name on; the last, which may be
 * empty, is the one being typed. Prints a line for each candidate that begins like it, in either case: the word, a tab,
 * and what it means. A word that ends with one of `/#:` is to be gone on with. A line without a word says that names of
 * files may stand there too. */
int cli_complete(int n, char **words);

/* The same once the command and its options are known. */
void cli_complete_options(const cli_asked *asked);

#endif
