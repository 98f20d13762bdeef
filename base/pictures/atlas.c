#include "base/pictures/atlas.h"

#include <stdlib.h>

bool sb_atlas_make(sb_atlas *atlas, size_t n, int side, int depth) {
    const size_t row = (size_t)side * (size_t)depth, bytes = row * (size_t)side;
    *atlas = (sb_atlas){.side = side, .depth = depth, .row = row, .bytes = bytes, .tiles = calloc(n, bytes)};
    return atlas->tiles != NULL;
}

void sb_atlas_free(sb_atlas *atlas) { free(atlas->tiles); }

void sb_atlas_store(const sb_atlas *atlas, size_t tile, const sb_canvas *canvas, const sb_palette *palette) {
    const size_t n = (size_t)(atlas->side * atlas->side);
    uint8_t *to = sb_atlas_tile(atlas, tile);
    if (atlas->depth == 1) memcpy(to, canvas->pixels, n);
    for (size_t i = 0; atlas->depth == 3 && i < n; i++) memcpy(to + 3 * i, palette->rgb[canvas->pixels[i]], 3);
}
