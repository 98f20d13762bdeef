#include "exporters/mosaic.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "exporters/image.h"

static const uint8_t *tile_at(const sb_mosaic *m, size_t i) { return m->tiles + i * sb_mosaic_bytes(m); }

/* Returns the slot of a tile, or the free one where it belongs. */
static uint32_t *slot_of(const sb_mosaic *m, const uint8_t *tile) {
    uint64_t key[2];
    sb_hash128(tile, sb_mosaic_bytes(m), key);
    size_t at = key[0] & (m->n_slots - 1);
    while (m->slots[at] && memcmp(tile_at(m, m->slots[at] - 1), tile, sb_mosaic_bytes(m)) != 0)
        at = (at + 1) & (m->n_slots - 1);
    return &m->slots[at];
}

/* Makes the table twice as large, and room for half as many tiles as it has slots. */
static bool grow(sb_mosaic *m) {
    const size_t n_slots = m->n_slots ? 2 * m->n_slots : 1024;
    uint8_t *tiles = realloc(m->tiles, n_slots / 2 * sb_mosaic_bytes(m));
    if (!tiles) return false;
    m->tiles = tiles, m->room = n_slots / 2;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (!slots) return false;
    free(m->slots);
    m->slots = slots, m->n_slots = n_slots;
    for (size_t i = 0; i < m->n; i++) *slot_of(m, tile_at(m, i)) = (uint32_t)i + 1;
    return true;
}

bool sb_mosaic_number(sb_mosaic *m, const uint8_t *tile, uint32_t *number, sb_error *error) {
    if (2 * m->n >= m->n_slots && !grow(m)) return sb_fail(error, SB_MEMORY, "out of memory for tiles");
    uint32_t *slot = slot_of(m, tile);
    if (!*slot) {
        if (m->n == SB_MOSAIC_MOST)
            return sb_fail(error, SB_INVALID, "the pictures have more than %d different tiles: draw smaller ones",
                           SB_MOSAIC_MOST);
        memcpy(m->tiles + m->n * sb_mosaic_bytes(m), tile, sb_mosaic_bytes(m));
        *slot = (uint32_t)++m->n;
    }
    *number = *slot - 1;
    return true;
}

void sb_mosaic_cut(const sb_mosaic *m, const uint8_t *pixels, int width, int height, int column, int row,
                   uint8_t *tile) {
    const int left = column * m->side, top = row * m->side;
    const int columns = width - left < m->side ? width - left : m->side;
    const size_t stride = (size_t)(m->side * m->depth), used = (size_t)(columns * m->depth);
    for (int y = 0; y < m->side; y++, tile += stride) {
        const size_t n = top + y < height ? used : 0;
        if (n) memcpy(tile, pixels + (ptrdiff_t)((top + y) * width + left) * m->depth, n);
        memset(tile + n, 0, stride - n);
    }
}

bool sb_mosaic_put_png(const sb_mosaic *m, const sb_rgb *palette, size_t n, sb_out *out, sb_error *error) {
    const int rows = m->n ? (int)((m->n + SB_MOSAIC_COLUMNS - 1) / SB_MOSAIC_COLUMNS) : 1;
    const int width = SB_MOSAIC_COLUMNS * m->side, height = rows * m->side;
    const size_t row = (size_t)(m->side * m->depth);
    uint8_t *pixels = calloc((size_t)height, SB_MOSAIC_COLUMNS * row);
    if (!pixels) return sb_fail(error, SB_MEMORY, "out of memory for the picture of all tiles");
    for (size_t i = 0; i < m->n; i++) {
        uint8_t *to = pixels + i / SB_MOSAIC_COLUMNS * (size_t)m->side * SB_MOSAIC_COLUMNS * row +
                      i % SB_MOSAIC_COLUMNS * row;
        for (int y = 0; y < m->side; y++, to += SB_MOSAIC_COLUMNS * row)
            memcpy(to, tile_at(m, i) + (size_t)y * row, row);
    }
    const bool ok = sb_put_png(out, pixels, width, height, palette, n, error);
    free(pixels);
    return ok;
}

void sb_mosaic_clear(sb_mosaic *m) {
    m->n = 0;
    if (m->slots) memset(m->slots, 0, m->n_slots * sizeof *m->slots);
}

void sb_mosaic_free(sb_mosaic *m) {
    free(m->tiles);
    free(m->slots);
}
