/* What is hidden in an episode of a multi-level game: levels that are not reached, how long solutions are, and what the
 * game hides (sb_arc_game.hide). */
#ifndef SB_ARC_HIDE_H
#define SB_ARC_HIDE_H

#include "generators/arc/observe.h"

/* The last action as `hide` and `learn` of games take it: RESET if it began the present level, UNDO if no rule led from
 * the situation before to the present one. */
sb_arc_move sb_arc_last_move(const sb_arc_play *play);
void sb_arc_hide(sb_env *env);

#endif
