/* Lists of cells: how generators speak of candidates. */
#ifndef SB_PARTS_CELLS_H
#define SB_PARTS_CELLS_H

#include "engine/gridworld/episode.h"

typedef struct sb_cells {
    int n;
    sb_xy at[SB_CELLS_MAX];
} sb_cells;

static inline void sb_cells_add(sb_cells *cells, sb_xy p) { cells->at[cells->n++] = p; }

/* Every cell gets this terrain and loses what it held. */
void sb_fill(sb_episode *e, sb_terrain terrain);
/* The outermost ring becomes WALL. */
void sb_wall_border(sb_episode *e);
/* The EMPTY cells within the border, row-major. */
void sb_cells_interior_empty(sb_cells *cells, const sb_episode *e);
/* Makes the rectangle EMPTY, both corners included, as far as it lies within the border, and lists its cells
 * row-major, those that were EMPTY already too. */
void sb_carve(sb_episode *e, sb_xy from, sb_xy to, sb_cells *cells);

static inline void sb_cells_shuffle(sb_cells *cells, sb_rng *rng) { sb_shuffle_xy(rng, cells->at, (size_t)cells->n); }

#endif
