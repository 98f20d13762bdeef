/* Completion: what may follow the words of a command line. The scripts for the shells (completion.bash, completion.zsh)
 * ask the program itself, so its candidates are the tasks, formats, agents and so on that it has. */
#ifndef SB_CLI_COMPLETE_H
#define SB_CLI_COMPLETE_H

/* `seedbed help --complete WORDS...`: the words of a command line, beginning with the command's name. The last one is
 * being typed and may be empty. Prints a line for each candidate that begins like it, in upper or lower case: the word,
 * a tab, and what it means. A word that ends with `/`, `#` or `:` goes on. A line without a word says that file names
 * may stand there too. */
void cli_complete(int n, char **words);

#endif
