/* Pictures cut into square tiles, of which each different one is kept once. A web page needs the tiles as one picture,
 * the atlas, and for each frame of an episode the numbers of the tiles that have changed. That is exact for every look;
 * it is small where pictures are made of tiles, or change little from step to step. */
#ifndef SB_EXPORTERS_MOSAIC_H
#define SB_EXPORTERS_MOSAIC_H

#include "base/out.h"
#include "seedbed/picture.h"

/* A mosaic. With `side` and `depth` set and all else zero, it is empty. */
typedef struct sb_mosaic {
    int side, depth; /* a tile's side in pixels, and bytes of a pixel: 1 (a colour number) or 3 */
    size_t n;        /* how many tiles there are */
    uint8_t *tiles;  /* the tiles, side * side * depth bytes each */
    size_t room;
    uint32_t *slots; /* a table by hash: a tile's number + 1, or 0 */
    size_t n_slots;
} sb_mosaic;

/* Atlases have so many columns, which browsers can take, and no more tiles than fit on a picture that browsers can
 * take. */
enum { SB_MOSAIC_COLUMNS = 128, SB_MOSAIC_MOST = 128 * 1000 };

static inline size_t sb_mosaic_bytes(const sb_mosaic *m) { return (size_t)(m->side * m->side * m->depth); }
/* Gives the number of a tile, the next one if it is new. */
bool sb_mosaic_number(sb_mosaic *mosaic, const uint8_t *tile, uint32_t *number, sb_error *error);
/* Copies the tile in this column and row of a picture; what lies outside of the picture is zero. */
void sb_mosaic_cut(const sb_mosaic *mosaic, const uint8_t *pixels, int width, int height, int column, int row,
                   uint8_t *tile);
/* Appends the atlas as a PNG file: tile i is in column i % SB_MOSAIC_COLUMNS and row i / SB_MOSAIC_COLUMNS. `palette`
 * has the n colours of colour numbers. */
bool sb_mosaic_put_png(const sb_mosaic *mosaic, const sb_rgb *palette, size_t n, sb_out *out, sb_error *error);
/* Forgets all tiles and keeps the memory. */
void sb_mosaic_clear(sb_mosaic *mosaic);
void sb_mosaic_free(sb_mosaic *mosaic);

#endif
