/* Sprites: models drawn for one size, as runs of pixels that are copied into a picture. Drawing uses integers only, so
 * the pixels are the same on every machine. */
#ifndef SB_BASE_PICTURES_SPRITE_H
#define SB_BASE_PICTURES_SPRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pictures/palette.h"

/* ---- Vector drawings that are written as text, and drawn for any size ----
 *
 *     colour gold f4c430              a name for red, green and blue
 *     model coin                      a drawing; its shapes are painted in order
 *      shade 0 5 25 12                an oval on the ground that darkens what is there: centre, half width, half height
 *      flat                           what follows lies on the ground
 *      stands                         what follows stands on it (so it begins)
 *      from 6                         what follows is drawn if half a tile is at least 6 pixels wide
 *      oval gold 0 -43 20 25
 *      poly ink -4 -57 4 -57 0 -28    an area by its corners, even-odd
 *      line ink 0 0 0 -90 6           from, to, width; never thinner than a pixel
 *      text white F 0 -26             a letter in dots, with its middle at this point
 *      like coin flip gold=red ...    the shapes of an earlier model, mirrored, with other colours
 *
 * 64 units are half a tile's width. The origin is the middle of the tile's ground, y points down. */

enum { SB_SHAPE_NUMBERS = 24, SB_SHAPES_MAX = 1100, SB_MODELS_MAX = 128, SB_NAME_LENGTH = 48 };

typedef enum sb_shape_kind { SB_SHAPE_POLY, SB_SHAPE_OVAL, SB_SHAPE_LINE, SB_SHAPE_TEXT, SB_SHAPE_SHADE } sb_shape_kind;

/* A picture has all shades first, then all that lies on the ground, and then all that stands. */
typedef enum sb_layer { SB_LAYER_SHADE, SB_LAYER_FLAT, SB_LAYER_STANDING, SB_N_LAYERS } sb_layer;

typedef struct sb_outline {
    uint8_t kind, layer;   /* sb_shape_kind, sb_layer */
    uint8_t colour, least; /* least: the shape is drawn if half a tile is at least so many pixels wide */
    char letter;
    uint8_t n; /* how many numbers */
    int16_t numbers[SB_SHAPE_NUMBERS];
} sb_outline;

typedef struct sb_sprite_model {
    char name[SB_NAME_LENGTH];
    int first, n; /* the shapes are sb_models.shapes[first .. first + n - 1] */
} sb_sprite_model;

typedef struct sb_models {
    sb_palette palette; /* colours are numbered in their order, from 1 */
    char colours[SB_COLOURS_MAX][SB_NAME_LENGTH];
    int n, n_shapes;
    sb_sprite_model of[SB_MODELS_MAX];
    sb_outline shapes[SB_SHAPES_MAX];
} sb_models;

/* Reads a text. Returns the number of the first line that is wrong, or 0. */
int sb_models_read(sb_models *models, const char *text);
/* Returns the model with this name; NULL if there is none. */
const sb_sprite_model *sb_model_find(const sb_models *models, const char *name);
/* Returns the number of a colour; 0 if no colour has the name. */
int sb_models_colour(const sb_models *models, const char *name);

/* Pixels that follow each other in a row, relative to the sprite's origin. */
typedef struct sb_run {
    int16_t x, y;
    uint16_t n;
    uint32_t pixels; /* index of the first pixel in sb_sprites.pixels; shades have none */
} sb_run;

typedef struct sb_sprite_runs {
    int first, n;                     /* the runs are sb_sprites.runs[first .. first + n - 1] */
    int16_t left, top, right, bottom; /* what the runs cover; right and bottom are just outside */
} sb_sprite_runs;

typedef struct sb_sprite {
    sb_sprite_runs of[SB_N_LAYERS];
} sb_sprite;

/* Sprites of one size. A zeroed struct is empty. */
typedef struct sb_sprites {
    int half;    /* half a tile's width in pixels */
    int up, per; /* `per` units are `up` pixels high: half, 64, or other numbers for flatter tiles */
    sb_run *runs;
    uint8_t *pixels; /* colour numbers */
    size_t n_runs, n_pixels, runs_room, pixels_room;
    void *board; /* the board on which sprites are drawn while they are made */
} sb_sprites;

/* Draws a model as a sprite, whose runs are added to `sprites`; false without memory. Half a tile is 1 to 128 pixels
 * wide, and no shape reaches farther than 128 units from the origin. */
bool sb_sprite_make(sb_sprites *sprites, const sb_models *models, const sb_sprite_model *model, sb_sprite *sprite);
/* Frees what is needed only while sprites are made. */
void sb_sprites_finish(sb_sprites *sprites);
void sb_sprites_free(sb_sprites *sprites);

#endif
