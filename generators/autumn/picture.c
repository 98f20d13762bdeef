/* The look `grid`: the frame, a square for each cell. */
#include "generators/autumn/picture.h"

#include <stdlib.h>

#include "base/error.h"
#include "generators/autumn/colours.h"
#include "generators/autumn/observe.h"
#include "pictures/atlas.h"

enum { TILE_MAX = 64 };

static const sb_look looks[] = {
    {.name = "grid",
     .summary = "the frame, a square for each cell in its colour",
     .version = "1",
     .display_tile = 16,
     .indexed = true},
};

/* ---- Tiles ------------------------------------------------------------------------------------------------------- */

/* Colours are numbered as in the list; number 0, what is off the grid, is black. */
typedef struct tiles {
    sb_palette palette;
    sb_atlas atlas;
} tiles;

_Static_assert((int)SB_N_COLOURS <= SB_COLOURS_MAX, "every colour needs a number of one byte");

static void fill_palette(sb_palette *palette) {
    palette->n = SB_N_COLOURS;
    for (int i = 0; i < SB_N_COLOURS; i++) {
        const uint32_t rgb = sb_colour_rgb((uint8_t)i);
        palette->rgb[i][0] = (uint8_t)(rgb >> 16);
        palette->rgb[i][1] = (uint8_t)(rgb >> 8);
        palette->rgb[i][2] = (uint8_t)rgb;
    }
}

static void draw_tile(const tiles *t, uint8_t colour) {
    uint8_t *pixel = sb_atlas_tile(&t->atlas, colour);
    const size_t depth = (size_t)t->atlas.depth;
    for (const uint8_t *end = pixel + t->atlas.bytes; pixel < end; pixel += depth)
        memcpy(pixel, depth == 1 ? &colour : t->palette.rgb[colour], depth);
}

static bool make(sb_brush *brush, sb_error *error) {
    if (!sb_brush_check_tile(brush, TILE_MAX, error) || !sb_brush_check_options(brush, 0, error)) return false;
    tiles *t = brush->tiles = calloc(1, sizeof *t);
    if (!t || !sb_atlas_make(&t->atlas, SB_N_COLOURS, brush->options.tile, sb_brush_depth(brush)))
        return sb_fail(error, SB_MEMORY, "out of memory for tiles");
    fill_palette(&t->palette);
    for (int i = 0; i < SB_N_COLOURS; i++) draw_tile(t, (uint8_t)i);
    brush->palette = &t->palette;
    return true;
}

static void clear(sb_brush *brush) {
    tiles *t = brush->tiles;
    if (t) sb_atlas_free(&t->atlas);
    free(t);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static void size(const sb_brush *brush, const sb_task_info *task, size_t difficulty, int32_t size[2]) {
    (void)difficulty;
    size[0] = size[1] = sb_autumn_task_of(task)->side * brush->options.tile;
}

/* The colours are first written into the squares themselves, each into the first byte of its square, so that a cell
 * which covers others costs no square of its own. */
static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    const sb_atlas *atlas = &((const tiles *)brush->tiles)->atlas;
    const size_t side = (size_t)sb_autumn_task_of(env->task)->side, stride = side * atlas->row;
    const size_t down = stride * (size_t)atlas->side;
    sb_autumn_colours(env, pixels, atlas->row, down);
    for (size_t y = 0; y < side; y++, pixels += down)
        for (size_t x = 0; x < side; x++) {
            uint8_t *square = pixels + x * atlas->row;
            sb_atlas_copy(atlas, *square, square, stride);
        }
}

const sb_picture_source sb_autumn_pictures = {
    .looks = looks,
    .n_looks = sizeof looks / sizeof *looks,
    .make = make,
    .clear = clear,
    .size = size,
    .paint = paint,
};
