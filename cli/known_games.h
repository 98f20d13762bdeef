/* How many games the built-in tasks have, as docs/measured/games.json says, which the build embeds. */
#ifndef SB_CLI_KNOWN_GAMES_H
#define SB_CLI_KNOWN_GAMES_H

#include "rollout/games.h"

typedef struct cli_known_games {
    cJSON *table; /* NULL: nothing is known */
} cli_known_games;

bool cli_known_games_load(cli_known_games *known, sb_error *error);
void cli_known_games_free(cli_known_games *known);

/* Finds what was counted; false if nothing was. */
bool cli_known_games_find(const cli_known_games *known, const char *family, const char *task, const char *difficulty,
                          sb_games *games);

#endif
