/* Keys and doors: a key opens one door of its colour. */
#ifndef SB_PARTS_DOORS_H
#define SB_PARTS_DOORS_H

#include "engine/gridworld/episode.h"

/* For can_enter: closed doors stop the agent, nothing else does. */
bool sb_enter_unless_door(sb_episode *e, sb_xy to);
/* For on_enter: a key underfoot joins the inventory. */
void sb_pick_up_key(sb_episode *e);
/* For on_interact: opens a closed door with a carried key of its colour, which is used up. True if it did. */
bool sb_unlock(sb_episode *e, sb_xy target);

#endif
