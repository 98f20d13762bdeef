/* The games, one file each. */
#ifndef SB_ARC_GAMES_H
#define SB_ARC_GAMES_H

#include "engine/arc/game.h"

extern const sb_arc_game sb_arc_lantern_game, sb_arc_scales, sb_arc_twincompass, sb_arc_echo, sb_arc_shepherd,
    sb_arc_moss, sb_arc_stamp, sb_arc_chimes, sb_arc_fold, sb_arc_polarity, sb_arc_clockwork, sb_arc_dyeworks;

/* All games, in the order in which they are listed; NULL behind the last. */
extern const sb_arc_game *const sb_arc_games[];

#endif
