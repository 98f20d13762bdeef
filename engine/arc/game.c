#include "engine/arc/game.h"

bool sb_arc_offers(const sb_arc_game *game, int action) {
    return action > SB_ARC_RESET && action < SB_ARC_ACTIONS && strchr(game->actions, '0' + action);
}

void sb_arc_canvas_clear(sb_arc_canvas *canvas, int width, int height, uint8_t colour) {
    canvas->width = width, canvas->height = height;
    memset(canvas->pixels, colour, (size_t)width * (size_t)height);
}

void sb_arc_put(sb_arc_canvas *canvas, const sb_arc_level *level, int cell, sb_arc_glyph glyph, uint8_t colour) {
    uint8_t *row = canvas->pixels + SB_ARC_CELL_SIDE * (sb_arc_y(level, cell) * canvas->width + sb_arc_x(level, cell));
    for (int bit = 9; bit > 0; row += canvas->width)
        for (int i = 0; i < SB_ARC_CELL_SIDE; i++)
            if (glyph >> --bit & 1) row[i] = colour;
}

void sb_arc_fill(sb_arc_canvas *canvas, int x, int y, int width, int height, uint8_t colour) {
    const int right = x + width < canvas->width ? x + width : canvas->width;
    const int below = y + height < canvas->height ? y + height : canvas->height;
    for (int v = y < 0 ? 0 : y; v < below; v++)
        for (int u = x < 0 ? 0 : x; u < right; u++) canvas->pixels[v * canvas->width + u] = colour;
}

void sb_arc_paint_board(const sb_arc_level *level, sb_arc_canvas *canvas) {
    const int n = level->width * level->height;
    sb_arc_canvas_clear(canvas, SB_ARC_CELL_SIDE * level->width, SB_ARC_CELL_SIDE * level->height, SB_ARC_OFF_BLACK);
    for (int cell = 0; cell < n; cell++) {
        if (level->cells[cell] == SB_ARC_WALL) sb_arc_put(canvas, level, cell, SB_ARC_FULL, SB_ARC_LIGHT_GREY);
        if (level->cells[cell] == SB_ARC_EXIT) sb_arc_put(canvas, level, cell, SB_ARC_RING, SB_ARC_GREEN);
    }
}
