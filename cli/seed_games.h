/* seedbed seeds games: counts the games that starts are, by task and difficulty. */
#ifndef SB_CLI_SEED_GAMES_H
#define SB_CLI_SEED_GAMES_H

#include "cli/command.h"
#include "rollout/games.h"

/* Counts and prints; returns the exit code. A request that says neither seeds nor a split is of SB_GAMES_STARTS fresh
 * seeds of each task and difficulty. */
enum { SB_GAMES_STARTS = 10000 };
int cli_seed_games(const cli_common *common, const sb_request *request);

#endif
