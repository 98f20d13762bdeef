/* Sprites: models drawn for one size, as runs of pixels that are copied into a picture. Drawing uses integers only, so
 * the pixels are the same on every machine. */
#ifndef SB_BASE_PICTURES_SPRITE_H
#define SB_BASE_PICTURES_SPRITE_H

#include <stddef.h>

#include "base/pictures/shapes.h"

/* Pixels that follow each other in a row, relative to the sprite's origin. */
typedef struct sb_run {
    int16_t x, y;
    uint16_t n;
    uint32_t pixels; /* where they begin in sb_sprites.pixels; shades have none */
} sb_run;

typedef struct sb_runs {
    int first, n;                     /* in sb_sprites.runs */
    int16_t left, top, right, bottom; /* what the runs cover; right and bottom are just outside */
} sb_runs;

typedef struct sb_sprite {
    sb_runs of[SB_N_LAYERS];
} sb_sprite;

/* The sprites of one size. Zeroed, it is empty. */
typedef struct sb_sprites {
    int half;        /* half a tile's width in pixels */
    int up, per;     /* `per` units are `up` pixels high: half, 64, or other numbers for flatter tiles */
    sb_run *runs;    /* n_runs of them */
    uint8_t *pixels; /* colour numbers */
    size_t n_runs, n_pixels, runs_room, pixels_room;
    void *board; /* on which they are drawn */
} sb_sprites;

/* Draws a model as a sprite, whose runs are added to `sprites`; false without memory. Half a tile is 1 to 128 pixels
 * wide, and no shape reaches farther than 128 units from the origin. */
bool sb_sprite_make(sb_sprites *sprites, const sb_models *models, const sb_model *model, sb_sprite *sprite);
/* Frees what is needed only while sprites are made. */
void sb_sprites_finish(sb_sprites *sprites);
void sb_sprites_free(sb_sprites *sprites);

#endif
