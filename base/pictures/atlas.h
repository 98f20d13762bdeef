/* An atlas: square tiles of one size, ready to be copied into frames. A frame has `depth` bytes a pixel: 1, the number
 * of a colour, or 3, red, green and blue. */
#ifndef SB_BASE_PICTURES_ATLAS_H
#define SB_BASE_PICTURES_ATLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/pictures/canvas.h"
#include "base/pictures/palette.h"

typedef struct sb_atlas {
    int side, depth;
    size_t row, bytes; /* bytes of a tile's row, and of a tile */
    uint8_t *tiles;
} sb_atlas;

/* Makes room for n tiles, all zero; false without memory. */
bool sb_atlas_make(sb_atlas *atlas, size_t n, int side, int depth);
void sb_atlas_free(sb_atlas *atlas);

static inline uint8_t *sb_atlas_tile(const sb_atlas *atlas, size_t tile) { return atlas->tiles + tile * atlas->bytes; }
/* Stores a canvas of the tiles' size, through the palette if the depth is 3. */
void sb_atlas_store(const sb_atlas *atlas, size_t tile, const sb_canvas *canvas, const sb_palette *palette);

/* Copies a tile into a frame whose rows are `stride` bytes apart; `to` is the tile's first pixel. Nearly all tiles are
 * 8 pixels wide, and a copy of a constant number of bytes is a few instructions. No other side has as many bytes. */
static inline void sb_atlas_copy(const sb_atlas *atlas, size_t tile, uint8_t *to, size_t stride) {
    const uint8_t *from = sb_atlas_tile(atlas, tile);
    if (atlas->bytes == (size_t)8 * 8 * 3) {
        for (int y = 0; y < 8; y++, from += 24, to += stride) memcpy(to, from, 24);
    } else if (atlas->bytes == (size_t)8 * 8) {
        for (int y = 0; y < 8; y++, from += 8, to += stride) memcpy(to, from, 8);
    } else {
        for (int y = 0; y < atlas->side; y++, from += atlas->row, to += stride) memcpy(to, from, atlas->row);
    }
}

#endif
