/* Chooses where to look next: among the poses that can be reached over known cells, moving nothing but doors, the one
 * that brings the most unseen cells into view for the steps it takes. What the mission asks for and was not seen yet
 * decides which cells count: doors are in walls, other things on the floor, and if the mission names a side, then on
 * that side. */
#ifndef SB_ORACLES_BABYAI_EXPLORE_H
#define SB_ORACLES_BABYAI_EXPLORE_H

#include "oracles/babyai/chart.h"
#include "oracles/oracle.h"

enum { SB_OUTLOOK_ACTIONS = 512 };

/* The way to a pose from which something new comes into view. */
typedef struct sb_outlook {
    int n;
    uint8_t actions[SB_OUTLOOK_ACTIONS]; /* a longer way is cut */
} sb_outlook;

/* Chooses where to look next. `border`: also look for doors in what seems to be the border of the grid, if it may not
 * be the border. False if no pose brings anything new into view. */
bool sb_explore(const sb_chart *chart, bool border, sb_budget *budget, sb_outlook *outlook);

#endif
