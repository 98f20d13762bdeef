/* Seed lists whose episodes cannot all be different games, as far as docs/games.json says. */
#ifndef SB_CLI_FEW_GAMES_H
#define SB_CLI_FEW_GAMES_H

#include "seeds/pack.h"

/* Prints a note that names such lists of the pack, if there are any, and how many games their tasks have. */
bool cli_note_few_games(const sb_pack *pack, sb_error *error);
/* Puts them as a member `few_games` of a JSON object: a list, empty if there are none. */
bool cli_put_json_few_games(const sb_pack *pack, sb_out *out, sb_error *error);

#endif
