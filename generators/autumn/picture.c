/* The look `grid`: the frame, a square for each cell. */
#include "generators/autumn/family.h"

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

/* The colours are first written into the squares themselves, each into the first byte of its square, so that a cell
 * which covers others costs no square of its own. */
static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    const sb_atlas *atlas = sb_squares_atlas(brush);
    const size_t side = (size_t)env->shape.click_width, stride = side * atlas->row;
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
    .clear = sb_squares_clear,
    .size = size,
    .paint = paint,
};
