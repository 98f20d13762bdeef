#include "engine/squares.h"

#include <stdlib.h>

#include "base/error.h"

typedef struct squares {
    sb_palette palette;
    sb_atlas atlas;
} squares;

static void fill_palette(sb_palette *palette, const uint32_t *colours, int n) {
    palette->n = n;
    for (int i = 0; i < n; i++)
        for (int part = 0; part < 3; part++) palette->rgb[i][part] = (uint8_t)(colours[i] >> (16 - 8 * part));
}

static void draw_square(const squares *s, uint8_t colour) {
    uint8_t *pixel = sb_atlas_tile(&s->atlas, colour);
    const size_t depth = (size_t)s->atlas.depth;
    for (const uint8_t *end = pixel + s->atlas.bytes; pixel < end; pixel += depth)
        memcpy(pixel, depth == 1 ? &colour : s->palette.rgb[colour], depth);
}

bool sb_squares_make(sb_brush *brush, const uint32_t *colours, int n, int32_t most, sb_error *error) {
    if (!sb_brush_check_tile(brush, most, error) || !sb_brush_check_options(brush, 0, error)) return false;
    squares *s = brush->tiles = calloc(1, sizeof *s);
    if (!s || !sb_atlas_make(&s->atlas, (size_t)n, brush->options.tile, sb_brush_depth(brush)))
        return sb_fail(error, SB_MEMORY, "out of memory for tiles");
    fill_palette(&s->palette, colours, n);
    for (int i = 0; i < n; i++) draw_square(s, (uint8_t)i);
    brush->palette = &s->palette;
    return true;
}

void sb_squares_clear(sb_brush *brush) {
    squares *s = brush->tiles;
    if (s) sb_atlas_free(&s->atlas);
    free(s);
}

const sb_atlas *sb_squares_atlas(const sb_brush *brush) { return &((const squares *)brush->tiles)->atlas; }
