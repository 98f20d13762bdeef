/* Lists of cells, for choosing places in generators. */
#ifndef SB_PARTS_CELLS_H
#define SB_PARTS_CELLS_H

#include "engine/gridworld/area.h"
#include "engine/gridworld/search.h"
#include "seeds/set_order.h"

typedef struct sb_cells {
    int n;
    sb_xy at[SB_CELLS_MAX];
} sb_cells;

static inline void sb_cells_add(sb_cells *cells, sb_xy p) { cells->at[cells->n++] = p; }

/* ---- Terrain ---- */

/* Gives every cell this terrain and removes its object. */
void sb_fill(sb_episode *e, sb_terrain terrain);
/* Makes the outermost ring WALL. */
void sb_wall_border(sb_episode *e);
/* Makes an empty room with a border; overwrites whatever was there. */
void sb_clear_room(sb_episode *e);
/* Makes the rectangle EMPTY, both corners included, where it lies inside the border, and lists its cells row-major,
 * including those that were already EMPTY. */
void sb_carve(sb_episode *e, sb_xy from, sb_xy to, sb_cells *cells);
/* Gives candidates this terrain, in order, until n have it; makes a cell EMPTY again if the grid would not be sound.
 * Returns how many it placed. */
int sb_scatter(sb_episode *e, const sb_cells *candidates, int n, sb_terrain terrain,
               bool (*is_sound)(const sb_episode *e));

/* Draws a cell inside the border `draws` times and makes it WALL; the same cell may be drawn again. */
void sb_draw_walls(sb_episode *e, int draws, sb_rng *rng);

/* ---- Lists ---- */

/* Lists the cells at least `margin` away from the edge of the grid (1: all inside the border). Published lists go along
 * rows (x in the inner loop) or down columns (y in the inner loop). */
void sb_cells_rows(sb_cells *cells, const sb_episode *e, int margin);
void sb_cells_columns(sb_cells *cells, const sb_episode *e, int margin);
/* Lists the EMPTY cells inside the border, row-major. */
void sb_cells_interior_empty(sb_cells *cells, const sb_episode *e);
/* Lists the cells that can be reached from `from`, which must not be a wall and comes first in the search (terrain
 * only; neighbours N, E, S, W). Published generators put these cells into a Python set. The first function lists them
 * in the order of that set; the second lists them without `from`, in the order of the difference `reached - {from}`
 * (seeds/set_order.h). */
void sb_cells_reached(sb_cells *cells, const sb_episode *e, sb_xy from);
void sb_cells_reached_without(sb_cells *cells, const sb_episode *e, sb_xy from);
/* Gives the set of the cells that can be reached, through cells that `open` allows and in any order of neighbours. */
void sb_reached_set(sb_set *set, const sb_episode *e, const sb_open *open, sb_xy from, const sb_direction order[4]);
/* Keeps the cells for which `passes` is true, in their order. */
void sb_cells_keep(sb_cells *cells, const sb_episode *e, bool (*passes)(const sb_episode *e, sb_xy p));
/* Lists those of the cells that are members of the area, in their order. `members` may be `cells`. */
void sb_cells_within(sb_cells *members, const sb_cells *cells, const sb_area *area);
/* Removes a cell if it is in the list; the others stay in order. */
void sb_cells_remove(sb_cells *cells, sb_xy p);

/* Sorts cells row by row, for keys: the order of a list that is a set decides nothing. `values` go with their cells;
 * NULL: the cells have none. */
void sb_sort_cells(sb_xy *cells, int32_t *values, int n);

static inline void sb_cells_shuffle(sb_cells *cells, sb_rng *rng) { sb_shuffle_xy(rng, cells->at, (size_t)cells->n); }

/* Lists the cells inside the border for which `passes` is true, down the columns, and shuffles the list. */
void sb_cells_draw(sb_cells *cells, const sb_episode *e, bool (*passes)(const sb_episode *e, sb_xy p), sb_rng *rng);

/* ---- Places ---- */

/* Puts the object onto the first n cells, and copies these cells to `placed`. */
void sb_place(sb_episode *e, const sb_xy *cells, int n, sb_object object, sb_xy *placed);

/* Returns a corner of the interior, in the published order: top left, top right, bottom left, bottom right. */
static inline sb_xy sb_corner(const sb_episode *e, int64_t k) {
    return sb_at(k & 1 ? e->width - 2 : 1, k & 2 ? e->height - 2 : 1);
}
/* Gives all four corners in random order. */
void sb_shuffle_corners(const sb_episode *e, sb_rng *rng, sb_xy corners[4]);
/* Draws a corner: the first of the shuffled four. */
sb_xy sb_draw_corner(const sb_episode *e, sb_rng *rng);

#endif
