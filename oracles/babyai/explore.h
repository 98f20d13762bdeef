/* Chooses where to look next: among the poses that can be reached over known cells, moving nothing but doors, the one
 * that brings the most unseen cells into view for the steps it takes. What the mission asks for and was not seen yet
 * decides which cells count: doors are in walls, other things on the floor, and if the mission names a side, then on
 * that side. */
#ifndef SB_ORACLES_BABYAI_EXPLORE_H
#define SB_ORACLES_BABYAI_EXPLORE_H

#include "oracles/babyai/chart.h"
#include "oracles/oracle.h"

/* Gives the next action, and the cell from which the agent will look. `border`: also look for doors in what seems to be
 * the border of the grid, if it may not be the border. False if no pose brings anything new into view. */
bool sb_explore(const sb_chart *chart, bool border, sb_budget *budget, sb_mg_action *action, sb_xy *where);

#endif
