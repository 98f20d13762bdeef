/* Lists of cells: how generators speak of candidates. */
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

/* Every cell gets this terrain and loses what it held. */
void sb_fill(sb_episode *e, sb_terrain terrain);
/* The outermost ring becomes WALL. */
void sb_wall_border(sb_episode *e);
/* A bordered empty room, whatever was there before. */
void sb_clear_room(sb_episode *e);
/* Makes the rectangle EMPTY, both corners included, as far as it lies within the border, and lists its cells
 * row-major, those that were EMPTY already too. */
void sb_carve(sb_episode *e, sb_xy from, sb_xy to, sb_cells *cells);
/* Goes through the candidates in order and gives them this terrain until n of them have it; takes it back (EMPTY) where
 * the grid is not sound with it. Returns how many it placed. */
int sb_scatter(sb_episode *e, const sb_cells *candidates, int n, sb_terrain terrain,
               bool (*is_sound)(const sb_episode *e));

/* Draws a cell within the border so many times and makes it WALL, though it may have been drawn before. */
void sb_draw_walls(sb_episode *e, int draws, sb_rng *rng);

/* ---- Lists ---- */

/* The cells at least `margin` away from the edge of the grid (1: all within the border). Published lists run along the
 * rows (x inside) or down the columns (y inside). */
void sb_cells_rows(sb_cells *cells, const sb_episode *e, int margin);
void sb_cells_columns(sb_cells *cells, const sb_episode *e, int margin);
/* The EMPTY cells within the border, row-major. */
void sb_cells_interior_empty(sb_cells *cells, const sb_episode *e);
/* The cells that can be reached from one that is no wall, which is the first to be found (terrain only; neighbours N,
 * E, S, W). Published generators make a Python set of them: listed in the order of that set, or, without the one cell,
 * in that of the difference `reached - {from}` (seeds/set_order.h). */
void sb_cells_reached(sb_cells *cells, const sb_episode *e, sb_xy from);
void sb_cells_reached_without(sb_cells *cells, const sb_episode *e, sb_xy from);
/* The set itself, of what is open, the neighbours in any order. */
void sb_reached_set(sb_set *set, const sb_episode *e, const sb_open *open, sb_xy from, const sb_direction order[4]);
/* Keeps those that pass, in their order. */
void sb_cells_keep(sb_cells *cells, const sb_episode *e, bool (*passes)(const sb_episode *e, sb_xy p));
/* Lists the cells that are members of the area, in their order. `members` may be `cells`. */
void sb_cells_within(sb_cells *members, const sb_cells *cells, const sb_area *area);
/* Takes a cell out, if it is there; the others stay in order. */
void sb_cells_remove(sb_cells *cells, sb_xy p);

static inline void sb_cells_shuffle(sb_cells *cells, sb_rng *rng) { sb_shuffle_xy(rng, cells->at, (size_t)cells->n); }

/* The cells within the border that pass, listed down the columns and then shuffled. */
void sb_cells_draw(sb_cells *cells, const sb_episode *e, bool (*passes)(const sb_episode *e, sb_xy p), sb_rng *rng);

/* ---- Places ---- */

/* Puts so many of the object onto the first cells, and notes which these are. */
void sb_place(sb_episode *e, const sb_xy *cells, int n, sb_object object, sb_xy *placed);

/* Corners of the interior in the published order: top left, top right, bottom left, bottom right. */
static inline sb_xy sb_corner(const sb_episode *e, int64_t k) {
    return sb_at(k & 1 ? e->width - 2 : 1, k & 2 ? e->height - 2 : 1);
}
/* All four in random order. */
void sb_shuffle_corners(const sb_episode *e, sb_rng *rng, sb_xy corners[4]);
/* The first of them. */
sb_xy sb_draw_corner(const sb_episode *e, sb_rng *rng);

#endif
