/* Random play of one level: what a level must withstand to be accepted. */
#ifndef SB_ARC_CHANCE_H
#define SB_ARC_CHANCE_H

#include "engine/arc/game.h"

/* How actions are drawn. */
typedef enum sb_arc_drawing {
    SB_ARC_DRAWS_OFFERS, /* from those on offer; a click on any pixel; RESET after a loss only */
    SB_ARC_DRAWS_BUTTONS /* from all buttons, RESET among them, as the agent `random` does in games without clicks */
} sb_arc_drawing;

/* Draws an action. `is_lost`: the try was lost, and only a reset goes on. */
sb_arc_action sb_arc_random_action(const sb_arc_game *game, bool is_lost, sb_arc_drawing drawing, sb_rng *rng);
/* Plays a painted level at random for at most `limit` actions. Returns after how many it was won; 0: it was not. */
int32_t sb_arc_play_randomly(const sb_arc_game *game, const sb_arc_level *level, int32_t limit, sb_arc_drawing drawing,
                             sb_rng *rng);

#endif
