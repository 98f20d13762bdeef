/* Masks a world: hides everything that the agent is not shown. */
#ifndef SB_MINIGRID_HIDE_H
#define SB_MINIGRID_HIDE_H

#include "engine/minigrid/world.h"

/* Keeps what the view of size 7, the direction, the mission's text and the step counter show, and overwrites the rest.
 * The world becomes a square of SB_MG_SHOWN_SIDE cells with the agent in the middle and walls wherever it does not see.
 * Visible objects are numbered in the order of cells, then comes the carried one. Boxes are empty, nothing is tracked,
 * nothing is done. Rooms keep the level's side and number. The result can be read and stepped safely. */
enum { SB_MG_SHOWN_SIDE = 15 };
void sb_mg_hide(sb_mg_world *w);

#endif
