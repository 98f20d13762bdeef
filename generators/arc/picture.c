/* The look `screen`: the last frame in the published colours, a square for each pixel. */
#include "generators/arc/picture.h"

#include <stdlib.h>

#include "base/error.h"
#include "generators/arc/observe.h"
#include "pictures/atlas.h"

enum { TILE_MAX = 32, SIDE = SB_ARC_FRAME_SIDE, COLOURS = 16 };

static const sb_look looks[] = {
    {.name = "screen",
     .summary = "the last frame in the published colours, a square for each pixel",
     .version = "1",
     .display_tile = 8,
     .indexed = true},
};

/* ---- Tiles ------------------------------------------------------------------------------------------------------- */

typedef struct tiles {
    sb_palette palette;
    sb_atlas atlas;
} tiles;

/* By the engine's numbers of colours (engine 1). */
static const uint32_t published[COLOURS] = {0xFFFFFF, 0xCCCCCC, 0x999999, 0x666666, 0x333333, 0x000000,
                                            0xE53AA3, 0xFF7BCC, 0xF93C31, 0x1E93FF, 0x88D8F1, 0xFFDC00,
                                            0xFF851B, 0x921231, 0x4FCC30, 0xA356D6};

static void fill_palette(sb_palette *palette) {
    palette->n = COLOURS;
    for (int i = 0; i < COLOURS; i++) {
        palette->rgb[i][0] = (uint8_t)(published[i] >> 16);
        palette->rgb[i][1] = (uint8_t)(published[i] >> 8);
        palette->rgb[i][2] = (uint8_t)published[i];
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
    if (!t || !sb_atlas_make(&t->atlas, COLOURS, brush->options.tile, sb_brush_depth(brush)))
        return sb_fail(error, SB_MEMORY, "out of memory for tiles");
    fill_palette(&t->palette);
    for (int i = 0; i < COLOURS; i++) draw_tile(t, (uint8_t)i);
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
    (void)task, (void)difficulty;
    size[0] = size[1] = SIDE * brush->options.tile;
}

static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    const sb_atlas *atlas = &((const tiles *)brush->tiles)->atlas;
    const size_t stride = SIDE * atlas->row, down = stride * (size_t)atlas->side;
    uint8_t frame[SB_ARC_FRAME];
    sb_arc_shown(env->state, frame);
    for (size_t y = 0; y < SIDE; y++, pixels += down)
        for (size_t x = 0; x < SIDE; x++) sb_atlas_copy(atlas, frame[y * SIDE + x], pixels + x * atlas->row, stride);
}

const sb_picture_source sb_arc_pictures = {
    .looks = looks,
    .n_looks = sizeof looks / sizeof *looks,
    .make = make,
    .clear = clear,
    .size = size,
    .paint = paint,
};
