#include "generators/arc/games.h"

const sb_arc_game *const sb_arc_games[] = {
    &sb_arc_lantern_game,
    &sb_arc_scales,
    &sb_arc_twincompass,
    &sb_arc_echo,
    &sb_arc_shepherd,
    &sb_arc_moss,
    &sb_arc_stamp,
    &sb_arc_chimes,
    &sb_arc_fold,
    &sb_arc_polarity,
    &sb_arc_clockwork,
    &sb_arc_dyeworks,
    NULL,
};
