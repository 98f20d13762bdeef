/* What an agent is shown, as a world. */
#ifndef SB_MINIGRID_HIDE_H
#define SB_MINIGRID_HIDE_H

#include "engine/minigrid/world.h"

/* Leaves what the view of size 7, the direction, the mission's text and the step counter tell, and overwrites the rest:
 * the world becomes a square of SB_MG_SHOWN_SIDE cells with the agent in its middle, walls wherever it does not see,
 * and the visible objects numbered in the order of cells (then the carried one); boxes are empty, nothing is tracked,
 * nothing was done. Rooms keep the level's side and number. What is left is safe to read and to step. */
enum { SB_MG_SHOWN_SIDE = 15 };
void sb_mg_hide(sb_mg_world *w);

#endif
