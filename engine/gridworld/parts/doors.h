/* Keys and doors: a key opens one door of its colour. */
#ifndef SB_PARTS_DOORS_H
#define SB_PARTS_DOORS_H

#include "engine/gridworld/episode.h"

/* For can_enter: closed doors stop the agent, other objects do not. */
bool sb_enter_unless_door(sb_episode *e, sb_xy to);
/* For on_enter: picks up a key under the agent. */
void sb_pick_up_key(sb_episode *e);
/* For on_interact: opens a closed door with a carried key of its colour and uses the key up. True if it did. */
bool sb_unlock(sb_episode *e, sb_xy target);

#endif
