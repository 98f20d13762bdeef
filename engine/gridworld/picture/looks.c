#include "engine/gridworld/picture/looks.h"

#include "engine/gridworld/picture/tiles.h"

enum { FLAT, ISOMETRIC };

static const sb_look looks[] = {{.name = "flat",
                                 .summary = "square tiles, one for each cell, from which every fact can be read",
                                 .version = "1",
                                 .code = FLAT,
                                 .display_tile = SB_PLATE_SIDE,
                                 .indexed = true},
                                {.name = "isometric",
                                 .summary = "the grid seen from above at an angle, for people and vision models",
                                 .version = "1",
                                 .code = ISOMETRIC,
                                 .is_sized = true,
                                 .indexed = true}};

static const sb_picture_source *source_of(const sb_brush *brush) {
    return brush->look->code == FLAT ? &sb_flat_pictures : &sb_isometric_pictures;
}

static bool make(sb_brush *brush, sb_error *error) { return source_of(brush)->make(brush, error); }

static void clear(sb_brush *brush) { source_of(brush)->clear(brush); }

static void size(const sb_brush *brush, const sb_task_info *task, size_t difficulty, int32_t size[2]) {
    source_of(brush)->size(brush, task, difficulty, size);
}

static bool is_small(const sb_brush *brush, const sb_task_info *task, size_t difficulty) {
    const sb_picture_source *source = source_of(brush);
    return source->is_small && source->is_small(brush, task, difficulty);
}

static void paint(const sb_brush *brush, const sb_env *env, uint8_t *pixels) {
    source_of(brush)->paint(brush, env, pixels);
}

const sb_picture_source sb_gridworld_pictures = {
    .looks = looks,
    .n_looks = sizeof looks / sizeof *looks,
    .make = make,
    .clear = clear,
    .size = size,
    .is_small = is_small,
    .paint = paint,
};
