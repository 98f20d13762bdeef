/* What an observer of BabyAI knows (the chart), and where it looks next: among the poses that can be reached over known
 * cells, moving nothing but doors, the one that brings the most unseen cells into view for the steps it takes. What the
 * mission asks for and was not seen yet decides which cells count: doors are in walls, other things on the floor, and
 * if the mission names a side, then on that side. */
#ifndef SB_ORACLES_BABYAI_EXPLORE_H
#define SB_ORACLES_BABYAI_EXPLORE_H

#include "engine/minigrid/world.h"
#include "oracles/oracle.h"

/* What an observer has found out: a chart of the cells it has seen, as they were when the episode began (only the agent
 * changes anything). From the chart it derives the current world, by replaying the agent's own actions from the
 * beginning.
 *
 * The view does not tell where in the grid the agent is; only the level's name tells how the rooms are laid out. So the
 * chart is drawn around the agent's first cell, and then placed where it fits best on the grid of rooms (walls on
 * walls). */

enum { SB_CHART_SIDE = 2 * SB_MG_SIDE_MAX, SB_CHART_ACTIONS = 8192 };

/* The content of a cell of the chart; SB_CHART_THING and above are numbers of things. */
enum { SB_CHART_UNSEEN, SB_CHART_EMPTY, SB_CHART_WALL, SB_CHART_THING };

typedef struct sb_thing {
    uint8_t type, colour;
    bool open, locked;
    uint8_t content; /* number + 1 of the thing that came out of an opened box */
} sb_thing;

typedef struct sb_chart {
    bool begun;
    uint8_t facing;  /* the agent's direction at the start */
    uint8_t in_hand; /* number + 1 of the thing in hand at the start */
    int n_things, n_actions, n_seen;
    sb_xy seen[SB_CHART_SIDE * SB_CHART_SIDE]; /* cells of the chart in the order in which they were seen */
    sb_xy origin;                              /* where chart cell (0,0) seems to lie in the grid */
    bool is_vague;                             /* another place would fit equally well */
    uint8_t cells[SB_CHART_SIDE][SB_CHART_SIDE];
    sb_thing things[SB_MG_OBJECTS_MAX];
    uint8_t actions[SB_CHART_ACTIONS];
    sb_mg_world now; /* cells never seen are walls; the mission is tracked */
} sb_chart;

/* Adds what is visible (in a world whose hidden state is masked, sb_mg_hide) after the actions noted so far. */
void sb_chart_update(sb_chart *chart, const sb_mg_world *shown);
/* Notes an action that the agent has taken. */
void sb_chart_act(sb_chart *chart, sb_mg_action action);
/* Tells whether a cell of the grid was seen. */
bool sb_chart_has_seen(const sb_chart *chart, sb_xy at);

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
