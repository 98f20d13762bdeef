/* The look `screen`: the last frame in the published colours, a square for each pixel. */
#include "generators/arc/family.h"

#include "engine/squares.h"
#include "generators/arc/observe.h"

enum { TILE_MAX = 32, SIDE = SB_ARC_FRAME_SIDE, COLOURS = 16 };

static const sb_look looks[] = {
    {.name = "screen",
     .summary = "the last frame in the published colours, a square for each pixel",
     .version = "1",
     .display_tile = 8,
     .indexed = true},
};

/* The published colours by the engine's numbers (engine 1). */
static const uint32_t published[COLOURS] = {0xFFFFFF, 0xCCCCCC, 0x999999, 0x666666, 0x333333, 0x000000,
                                            0xE53AA3, 0xFF7BCC, 0xF93C31, 0x1E93FF, 0x88D8F1, 0xFFDC00,
                                            0xFF851B, 0x921231, 0x4FCC30, 0xA356D6};

static bool make(sb_brush *brush, sb_error *error) {
    return sb_squares_make(brush, published, COLOURS, TILE_MAX, error);
}

static void size(const sb_brush *brush, const sb_task_info *task, size_t difficulty, int32_t size[2]) {
    (void)task, (void)difficulty;
    size[0] = size[1] = SIDE * brush->options.tile;
}

static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    const sb_atlas *atlas = sb_squares_atlas(brush);
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
    .clear = sb_squares_clear,
    .size = size,
    .paint = paint,
};
