/* --program FILE: programs of users as tasks of every command that takes names. */
#ifndef SB_CLI_PROGRAMS_H
#define SB_CLI_PROGRAMS_H

#include "cli/command.h"

/* Makes a catalogue of the files. NULL on failure; errors name the file. */
sb_catalogue *cli_programs_load(const cli_paths *paths, sb_error *error);

#endif
