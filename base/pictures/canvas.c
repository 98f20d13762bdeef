#include "base/pictures/canvas.h"

#include <string.h>

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

void sb_canvas_fill(const sb_canvas *canvas, int x, int y, int width, int height, uint8_t colour) {
    const int left = larger(x, 0), right = smaller(x + width, canvas->width), end = smaller(y + height, canvas->height);
    for (int row = larger(y, 0); row < end && left < right; row++)
        memset(sb_pixel(canvas, left, row), colour, (size_t)(right - left));
}

void sb_canvas_draw(const sb_canvas *canvas, int x, int y, const sb_canvas *what, int scale) {
    for (int j = 0; j < what->height; j++)
        for (int i = 0; i < what->width; i++) {
            const uint8_t colour = *sb_pixel(what, i, j);
            if (colour) sb_canvas_fill(canvas, x + i * scale, y + j * scale, scale, scale, colour);
        }
}

void sb_canvas_turn(const sb_canvas *canvas, const sb_canvas *from, int quarters) {
    const int last = canvas->width - 1;
    for (int y = 0; y <= last; y++)
        for (int x = 0; x <= last; x++) {
            const int to_x[4] = {x, last - y, last - x, y}, to_y[4] = {y, x, last - y, last - x};
            *sb_pixel(canvas, to_x[quarters & 3], to_y[quarters & 3]) = *sb_pixel(from, x, y);
        }
}

void sb_canvas_glyph(const sb_canvas *canvas, int x, int y, int glyph, uint8_t colour) {
    /* each glyph's rows from the top, three bits each, the left dot is the highest */
    static const uint16_t dots[SB_N_GLYPHS] = {075557, 026227, 071747, 071717, 055711, 074717,
                                               074757, 071111, 075757, 075717, 074447};
    for (int j = 0; j < SB_GLYPH_HEIGHT; j++)
        for (int i = 0; i < SB_GLYPH_WIDTH; i++) {
            const int bit = (SB_GLYPH_HEIGHT - 1 - j) * SB_GLYPH_WIDTH + SB_GLYPH_WIDTH - 1 - i;
            if (dots[glyph] >> bit & 1) sb_canvas_fill(canvas, x + i, y + j, 1, 1, colour);
        }
}
