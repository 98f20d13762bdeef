/* Names of episodes from a file, for the options --names-from and --pack. */
#ifndef SB_CLI_NAMES_H
#define SB_CLI_NAMES_H

#include "base/out.h"

/* Words of the command line with those of a file behind them. */
typedef struct cli_names {
    const char **words;
    size_t n;
    sb_out text; /* the text of the file */
} cli_names;

/* Reads a name from every line of the file (`-`: standard input); empty lines are skipped. A file without any name is
 * an error. The caller frees the names, also after a failure. */
bool cli_names_read(cli_names *names, const char *path, char **given, size_t n_given, sb_error *error);
/* Makes words of the lines of `names->text` behind the given words; `where` is the file, for
 * errors. */
bool cli_names_split(cli_names *names, const char *where, char **given, size_t n_given, sb_error *error);
void cli_names_free(cli_names *names);

#endif
