/* Breadth-first search over the cells of a grid, on flat arrays. */
#ifndef SB_GRIDWORLD_SEARCH_H
#define SB_GRIDWORLD_SEARCH_H

#include "engine/gridworld/episode.h"
#include "seedbed/gridworld.h"

/* The cells that a search may enter: one flag per cell, row-major. */
typedef struct sb_open {
    bool cell[SB_CELLS_MAX];
} sb_open;

/* The result of a search. */
typedef struct sb_reach {
    sb_xy order[SB_CELLS_MAX];      /* cells in the order in which they were found, the start first */
    int n;                          /* how many cells were found */
    int16_t parent[SB_CELLS_MAX];   /* index of the cell from which this one was found; the start's own index for the
                                       start; -1: not found */
    int16_t distance[SB_CELLS_MAX]; /* moves from the start; only where parent is not -1 */
} sb_reach;

/* Orders of neighbours: they decide which of several shortest paths is found. */
extern const sb_direction sb_nesw[4];             /* the order of the engine */
extern const sb_direction sb_nswe[4], sb_ewsn[4]; /* orders of some tasks */

void sb_open_walkable(sb_open *open, const sb_episode *e); /* opens cells by their terrain only */
void sb_open_passable(sb_open *open, const sb_episode *e); /* opens cells by terrain and blocking objects */

/* Finds all cells that can be reached from `start`. The start may be a cell that `open` excludes. */
void sb_reach_from(sb_reach *reach, const sb_episode *e, const sb_open *open, sb_xy start, const sb_direction order[4]);
/* Like sb_reach_from, but stops as soon as `goal` is found; true if it is. */
bool sb_reach_goal(sb_reach *reach, const sb_episode *e, const sb_open *open, sb_xy start, sb_xy goal,
                   const sb_direction order[4]);
static inline bool sb_reached(const sb_reach *reach, const sb_episode *e, sb_xy p) {
    return reach->parent[sb_index(e, p)] >= 0;
}
/* Lists the cells from the start to a reached cell, both included; returns their number. */
int sb_chain(const sb_reach *reach, const sb_episode *e, sb_xy to, sb_xy path[SB_CELLS_MAX]);

#endif
