/* Where to look next: among the poses that can be reached over what is known, without moving anything but doors, the
 * one from which the most that was never seen would come into view, for the steps it takes to get there. What the
 * mission asks for and nobody has seen tells what is worth seeing: doors are in walls, other things on the floor, and
 * if it says on which side, then there. */
#ifndef SB_ORACLES_BABYAI_EXPLORE_H
#define SB_ORACLES_BABYAI_EXPLORE_H

#include "oracles/babyai/chart.h"
#include "oracles/oracle.h"

/* `border`: look also for doors in what seems to be the border of the grid, if it need not be. False if nothing new
 * comes into view from anywhere. `where`: the cell that will be stood on. */
bool sb_explore(const sb_chart *chart, bool border, sb_budget *budget, sb_mg_action *action, sb_xy *where);

#endif
