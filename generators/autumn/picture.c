/* The look `grid`: the frame, a square for each cell. */
#include "generators/autumn/family.h"

#include <string.h>

#include "engine/autumn/scene.h"
#include "engine/squares.h"
#include "generators/autumn/colours.h"
#include "generators/autumn/observe.h"

enum { TILE_MAX = 64 };

static const sb_look looks[] = {
    {.name = "grid",
     .summary = "the frame, a square for each cell in its colour",
     .version = "1",
     .display_tile = 16,
     .indexed = true},
};

_Static_assert((int)SB_N_COLOURS <= SB_COLOURS_MAX, "every colour needs a number of one byte");

/* Colours are numbered as in the list; number 0, what is off the grid, is black. */
static bool make(sb_brush *brush, sb_error *error) {
    uint32_t colours[SB_N_COLOURS];
    for (int i = 0; i < SB_N_COLOURS; i++) colours[i] = sb_colour_rgb((uint8_t)i);
    return sb_squares_make(brush, colours, SB_N_COLOURS, TILE_MAX, error);
}

static void size(const sb_brush *brush, const sb_task_info *task, size_t difficulty, int32_t size[2]) {
    size[0] = size[1] = sb_autumn_side_of(task, difficulty) * brush->options.tile;
}

/* ---- Sprites ----------------------------------------------------------------------------------------------------- */

typedef struct painting {
    const sb_atlas *atlas;
    const sb_autumn_episode *e;
    uint8_t *pixels;
    size_t stride; /* bytes from one row of pixels to the next */
    size_t side;   /* side of the picture, in cells */
} painting;

/* The sprite's points become larger or are repeated with the tile; `square`: the first pixel of the cell. */
static void paint_sprite(const painting *p, const char *sprite, uint8_t colour, uint8_t *square) {
    const size_t side = (size_t)p->atlas->side, depth = (size_t)p->atlas->depth;
    const uint8_t ground = p->e->compiled->exact[sb_autumn_background(p->e->state)];
    const uint8_t lighter = sb_colour_shade(colour, true), darker = sb_colour_shade(colour, false);
    for (size_t y = 0; y < side; y++, square += p->stride)
        for (size_t x = 0; x < side; x++) {
            const char sign = sprite[y * SB_AUTUMN_SPRITE / side * SB_AUTUMN_SPRITE + x * SB_AUTUMN_SPRITE / side];
            const uint8_t point = sign == '.' ? ground : sign == '#' ? colour : sign == '+' ? lighter : darker;
            memcpy(square + x * depth, sb_atlas_tile(p->atlas, point), depth);
        }
}

static void paint_cell(void *context, const sb_autumn_drawn *drawn) {
    const painting *p = context;
    const size_t x = (size_t)drawn->cell->x, y = (size_t)drawn->cell->y, down = p->stride * (size_t)p->atlas->side;
    const size_t size = sb_autumn_size(p->e->state);
    const char *sprite = sb_autumn_sprite(p->e->compiled->program, drawn->type);
    const uint8_t colour = p->e->compiled->lower[drawn->cell->colour];
    if (x >= p->side || y >= p->side || x >= size || y >= size) return;
    uint8_t *square = p->pixels + y * down + x * p->atlas->row;
    if (sprite)
        paint_sprite(p, sprite, colour, square);
    else
        sb_atlas_copy(p->atlas, colour, square, p->stride);
}

/* Squares too small for a sprite keep their colour. */
static bool has_sprites(const sb_atlas *atlas, const sb_autumn_episode *e) {
    return !e->test && atlas->side >= SB_AUTUMN_SPRITE && sb_autumn_has_sprites(e->compiled->program);
}

/* ---- The picture ------------------------------------------------------------------------------------------------- */

/* The colours are first written into the squares themselves, each into the first byte of its square, so that a cell
 * which covers others costs no square of its own. */
static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    const sb_atlas *atlas = sb_squares_atlas(brush);
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    const size_t side = (size_t)env->shape.click_width, stride = side * atlas->row;
    const size_t down = stride * (size_t)atlas->side;
    sb_autumn_colours(env, pixels, atlas->row, down);
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            uint8_t *square = pixels + y * down + x * atlas->row;
            sb_atlas_copy(atlas, *square, square, stride);
        }
    painting p = {.atlas = atlas, .e = e, .pixels = pixels, .stride = stride, .side = side};
    if (has_sprites(atlas, e)) sb_autumn_visit(e->state, paint_cell, &p);
}

const sb_picture_source sb_autumn_pictures = {
    .looks = looks,
    .n_looks = sizeof looks / sizeof *looks,
    .make = make,
    .clear = sb_squares_clear,
    .size = size,
    .paint = paint,
};
