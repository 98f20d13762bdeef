/* What an observer has found out: a chart of the cells it has seen, kept as they were when the episode began (nobody
 * but itself changes anything), and from that the world as it must be now: the beginning, with its own actions
 * replayed.
 *
 * The view does not tell where in the grid the agent is, only the level's name how rooms are laid out. So the chart is
 * drawn around the agent's first cell, and laid over the grid of rooms where it fits best (walls on walls). */
#ifndef SB_ORACLES_BABYAI_CHART_H
#define SB_ORACLES_BABYAI_CHART_H

#include "engine/minigrid/world.h"

enum { SB_CHART_SIDE = 2 * SB_MG_SIDE_MAX, SB_CHART_ACTIONS = 8192 };

/* What a cell of the chart holds; above that, the number of a thing. */
enum { SB_CHART_UNSEEN, SB_CHART_EMPTY, SB_CHART_WALL, SB_CHART_THING };

typedef struct sb_thing {
    uint8_t type, colour;
    bool open, locked;
    uint8_t content; /* of a box that was opened: number + 1 of the thing that came out */
} sb_thing;

typedef struct sb_chart {
    bool begun;
    uint8_t facing;  /* at the start */
    uint8_t in_hand; /* at the start: number + 1 of a thing */
    int n_things, n_actions, n_seen;
    sb_xy seen[SB_CHART_SIDE * SB_CHART_SIDE]; /* cells of the chart in the order in which they were seen */
    sb_xy origin;                              /* where chart cell (0,0) lies in the grid, as it seems */
    bool is_vague;                             /* it might as well lie elsewhere */
    uint8_t cells[SB_CHART_SIDE][SB_CHART_SIDE];
    sb_thing things[SB_MG_OBJECTS_MAX];
    uint8_t actions[SB_CHART_ACTIONS];
    sb_mg_world now; /* what was never seen is wall; the mission is tracked */
} sb_chart;

/* Takes in what is shown (a masked world, sb_mg_hide) after the actions noted. */
void sb_chart_update(sb_chart *chart, const sb_mg_world *shown);
/* Notes what the agent does now. */
void sb_chart_act(sb_chart *chart, sb_mg_action action);
/* Whether a cell of the grid was seen. */
bool sb_chart_has_seen(const sb_chart *chart, sb_xy at);

#endif
