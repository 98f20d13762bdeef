/* Paths of programs where names may stand: `./crates.sexp/easy#7` is `autumn:Crates/easy#7` of that file. */
#ifndef SB_CLI_PATHS_H
#define SB_CLI_PATHS_H

#include "cli/command.h"

/* Texts that replace others; the caller zeroes the struct at first and gives it back. */
typedef struct cli_renamed {
    char **texts;
    size_t n;
} cli_renamed;

/* Whether an argument, or a task in an option, is given by its path. */
bool cli_has_paths(const cli_command *command, const void *options, char *const *words, size_t n);
/* Adds the programs to the catalogue, and replaces their paths in arguments and options by their names. */
bool cli_resolve_paths(cli_renamed *renamed, sb_catalogue *catalogue, const cli_command *command, void *options,
                       char **words, size_t n, sb_error *error);
void cli_renamed_free(cli_renamed *renamed);

#endif
