/* --program FILE: programs of users as tasks of every command that takes names. --challenges PACK: where the episodes
 * of challenges are taken from. */
#ifndef SB_CLI_PROGRAMS_H
#define SB_CLI_PROGRAMS_H

#include "cli/command.h"

/* Makes a catalogue of the programs that were given. NULL on failure; errors name the file. */
sb_catalogue *cli_catalogue_load(const cli_common *common, sb_error *error);
/* Adds the packs of challenges that were given; the catalogue must have the programs already. Errors name the file. */
bool cli_catalogue_add_packs(sb_catalogue *catalogue, const cli_common *common, sb_error *error);
/* Adds the program in a file, unless it is there already, and returns it. NULL on failure; errors name the file. */
const sb_program *cli_catalogue_add_program(sb_catalogue *catalogue, const char *path, sb_error *error);
/* Whether a file begins like a pack of challenges. */
bool cli_is_challenges(const char *path);
/* Adds a pack of challenges, and writes the names of all its challenges, a line each, and a NUL. */
bool cli_catalogue_add_pack(sb_catalogue *catalogue, const char *path, sb_out *names, sb_error *error);

#endif
