/* What a mission takes at least: the bound of the family contract. */
#ifndef SB_MINIGRID_BOUND_H
#define SB_MINIGRID_BOUND_H

#include "engine/minigrid/world.h"

/* No more than the steps that are left to success; negative if success is out of reach. It takes objects for no
 * hindrance and lets a locked door open once a key of its colour can be reached, so it sees keys behind their own
 * doors, not crowds. It also knows that a strict `open` in the second place fails at the toggle that does the first. */
int sb_mg_bound(const sb_mg_world *w);

#endif
