#include "generators/arc/games.h"

const sb_arc_game *const sb_arc_games[] = {&sb_arc_dyeworks, &sb_arc_clockwork, NULL};
