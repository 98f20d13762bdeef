/* A lower bound on the steps that a mission still needs: the bound of the family contract. */
#ifndef SB_MINIGRID_BOUND_H
#define SB_MINIGRID_BOUND_H

#include "engine/minigrid/world.h"

/* Returns at most the number of steps that success still needs, or a negative number if success is impossible. Assumes
 * that objects never block the way and that a locked door opens once a key of its colour can be reached. So it notices
 * a key behind its own door, but not a crowded room. It also knows that a strict `open` in the second place fails at
 * the toggle that fulfils the first. */
int sb_mg_bound(const sb_mg_world *w);

#endif
