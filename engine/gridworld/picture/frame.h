/* A picture that is being drawn by copying tiles. Positions are in pixels of drawings; the scale of the tiles widens
 * them.
 */
#ifndef SB_GRIDWORLD_FRAME_H
#define SB_GRIDWORLD_FRAME_H

#include "engine/gridworld/picture/tiles.h"

typedef struct sb_frame {
    const sb_flat_tiles *tiles;
    uint8_t *pixels;
    size_t stride; /* bytes of a row */
} sb_frame;

/* Returns the first byte of a tile, by its column and row. */
static inline uint8_t *sb_frame_at(const sb_frame *f, int column, int row) {
    const sb_atlas *cells = &f->tiles->cells;
    return f->pixels + (size_t)(row * cells->side) * f->stride + (size_t)column * cells->row;
}

/* Copies the strip of a number into a row of the tile at `to`: row 0 to 7. */
static inline void sb_frame_strip(const sb_frame *f, uint8_t *to, int row, int number) {
    const sb_atlas *strips = &f->tiles->strips;
    const uint8_t *from = sb_atlas_tile(strips, (size_t)number);
    const int scale = f->tiles->scale;
    to += (size_t)(row * scale) * f->stride;
    for (int y = 0; y < scale; y++, from += strips->row, to += f->stride) memcpy(to, from, strips->row);
}

/* Draws the panel below the grid: `row` and the next one, `columns` wide. */
void sb_draw_panel(const sb_frame *f, const sb_episode *e, int row, int columns);

#endif
