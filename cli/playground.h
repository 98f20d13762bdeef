/* Pages that need no network: what the commands that make them share. */
#ifndef SB_CLI_PLAYGROUND_H
#define SB_CLI_PLAYGROUND_H

#include "cli/command.h"
#include "evaluation/playground.h"

/* Loads the library as a WebAssembly module: the file that was named, else the one that came with the program. */
bool cli_playground_module(const char *given, sb_out *module, sb_error *error);

/* Says that a page was written, and how large it is; as JSON if that was asked for. Says nothing if the page was
 * printed. Returns the exit code. */
int cli_tell_page(const cli_common *common, const char *output, const sb_out *page);

#endif
