/* Lists of paths; and paths of programs where names may stand: `./crates.sexp/easy#7` is `autumn:Crates/easy#7` of that
 * file. */
#ifndef SB_CLI_PATHS_H
#define SB_CLI_PATHS_H

#include "cli/command.h"

/* Texts on the heap that belong to the list. Starts zeroed; the caller frees it. */
typedef struct cli_texts {
    char **all;
    size_t n, capacity;
} cli_texts;

/* Adds a text, which gets a NUL at its end and then belongs to the list; after a failure it is freed. */
bool cli_texts_add(cli_texts *texts, sb_out *text, sb_error *error);
void cli_texts_free(cli_texts *texts);

/* Returns how many bytes of a text are the path of a program that it begins with; 0: it begins with none. What follows
 * is a difficulty or a seed. */
size_t cli_path_in(const char *text, size_t n);
/* Whether an argument, or a task in an option, is given by its path. */
bool cli_has_paths(const cli_command *command, const void *options, char *const *words, size_t n);
/* Adds the programs to the catalogue, and replaces their paths in arguments and options by their names. The texts that
 * replace others are added to `renamed`, which must live as long as arguments and options. */
bool cli_resolve_paths(cli_texts *renamed, sb_catalogue *catalogue, const cli_command *command, void *options,
                       char **words, size_t n, sb_error *error);

#endif
