/* The page on which people play, for the commands that make one. */
#ifndef SB_CLI_PLAYGROUND_H
#define SB_CLI_PLAYGROUND_H

#include "evaluation/playground.h"

/* Loads the library as a WebAssembly module: the file that was named, else the one that came with the program. */
bool cli_playground_module(const char *given, sb_out *module, sb_error *error);

#endif
