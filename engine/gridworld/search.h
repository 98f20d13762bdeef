/* Breadth-first search over the cells of a grid, on flat arrays. */
#ifndef SB_GRIDWORLD_SEARCH_H
#define SB_GRIDWORLD_SEARCH_H

#include "engine/gridworld/episode.h"
#include "seedbed/gridworld.h"

/* Which cells a search may enter: one flag a cell, row-major. */
typedef struct sb_open {
    bool cell[SB_CELLS_MAX];
} sb_open;

/* What a search found. */
typedef struct sb_reach {
    sb_xy order[SB_CELLS_MAX];      /* cells in the order of their discovery, the start first */
    int n;                          /* how many */
    int16_t parent[SB_CELLS_MAX];   /* index of the cell that discovered this one; the start's is its own; -1: none */
    int16_t distance[SB_CELLS_MAX]; /* moves from the start; only where parent is not -1 */
} sb_reach;

/* Orders in which neighbours are tried: which of several shortest paths is found depends on it. */
extern const sb_direction sb_nesw[4];             /* the engine's */
extern const sb_direction sb_nswe[4], sb_ewsn[4]; /* some tasks' */

void sb_open_walkable(sb_open *open, const sb_episode *e); /* terrain only */
void sb_open_passable(sb_open *open, const sb_episode *e); /* terrain and blocking objects */

/* Everything that can be reached from `start`, which is entered whatever `open` says. */
void sb_reach_from(sb_reach *reach, const sb_episode *e, const sb_open *open, sb_xy start, const sb_direction order[4]);
/* The same, but stops as soon as `goal` is discovered; true if it is. */
bool sb_reach_goal(sb_reach *reach, const sb_episode *e, const sb_open *open, sb_xy start, sb_xy goal,
                   const sb_direction order[4]);
static inline bool sb_reached(const sb_reach *reach, const sb_episode *e, sb_xy p) {
    return reach->parent[sb_index(e, p)] >= 0;
}
/* The cells from the start to a reached cell, both included; returns their number. */
int sb_chain(const sb_reach *reach, const sb_episode *e, sb_xy to, sb_xy path[SB_CELLS_MAX]);

#endif
