/* The tiles of the look `flat`, drawn once for a brush. */
#ifndef SB_GRIDWORLD_TILES_H
#define SB_GRIDWORLD_TILES_H

#include "base/pictures/atlas.h"
#include "base/pictures/palette.h"
#include "engine/gridworld/picture/signs.h"

/* Tiles are drawn for 8 x 8 pixels; larger ones repeat every pixel. A sign stands in the middle, a pixel from the
 * edges.
 */
enum { SB_TILE_SIDE = 8, SB_SIGN_SIDE = 6, SB_SIGN_AT = 1 };

/* A number is two hexadecimal digits, each a colour: the left half of a strip and the right half. So two numbers differ
 * in at least four pixels. */
enum { SB_N_STRIPS = 256, SB_DIGIT_COLOUR = 1 /* colour of the digit 0; the others follow */ };

/* With tiles of 16 pixels there is room for people: a number in decimal digits, and the sign of what is under the
 * agent.
 */
enum { SB_PLATE_SIDE = 16, SB_PLATE_WIDTH = 9, SB_PLATE_HEIGHT = 7, SB_N_PLATES = 101 };

typedef struct sb_flat_tiles {
    int scale; /* pixels that each pixel of a drawing takes, in both directions */
    sb_palette palette;
    sb_atlas cells;  /* SB_N_GROUNDS rows of SB_N_SIGNS tiles, then one that is black */
    sb_atlas strips; /* for each number, a tile whose first `scale` rows are its strip */
    sb_atlas plates; /* for each decimal number, a plate; empty unless tiles are SB_PLATE_SIDE pixels wide */
    /* for each sign, 6 x 6 pixels on panel colour; empty unless tiles are SB_PLATE_SIDE pixels wide */
    sb_atlas small;
    uint8_t panel, filled; /* colours of the panel, and of the bar in it */
    /* The tile of a cell with metadata 0, by object, terrain and parity; SB_NOT_PLAIN if such a cell has a number. */
    uint16_t plain[SB_N_OBJECTS][SB_N_TERRAINS][2];
} sb_flat_tiles;

static inline size_t sb_flat_tile(int ground, int sign) { return (size_t)(ground * SB_N_SIGNS + sign); }
enum { SB_OUTSIDE_TILE = SB_N_GROUNDS * SB_N_SIGNS, SB_NOT_PLAIN = UINT16_MAX };

/* Draws all tiles of this side, 8 or 16 pixels; `depth` is that of the atlases. */
sb_flat_tiles *sb_flat_tiles_make(int side, int depth, sb_error *error);
void sb_flat_tiles_free(sb_flat_tiles *tiles);

#endif
