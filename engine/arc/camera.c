#include "engine/arc/stage.h"

#include <string.h>

enum { SIDE = SB_ARC_FRAME_SIDE };

bool sb_arc_is_view(int64_t width, int64_t height) {
    return width > 0 && height > 0 && width <= SIDE && height <= SIDE;
}

sb_arc_fit sb_arc_camera_fit(const sb_arc_camera *c) {
    const int32_t across = SIDE / c->width, down = SIDE / c->height, scale = across < down ? across : down;
    return (sb_arc_fit){.scale = scale, .x = (SIDE - scale * c->width) / 2, .y = (SIDE - scale * c->height) / 2};
}

/* Writes one row of the frame: margin, every cell `scale` times, margin. */
static void show_row(const uint8_t *cells, int32_t width, int32_t scale, uint8_t *to) {
    if (scale == 1) {
        memcpy(to, cells, (size_t)width);
        return;
    }
    for (int32_t i = 0; i < width; i++, to += scale)
        for (int32_t k = 0; k < scale; k++) to[k] = cells[i];
}

void sb_arc_camera_show(const sb_arc_camera *c, const uint8_t *view, uint8_t frame[SB_ARC_FRAME]) {
    const sb_arc_fit fit = sb_arc_camera_fit(c);
    const int32_t last = fit.y + fit.scale * c->height;
    memset(frame, c->letter_box, (size_t)fit.y * SIDE);
    memset(frame + (size_t)last * SIDE, c->letter_box, (size_t)(SIDE - last) * SIDE);
    for (int32_t j = 0; j < c->height; j++) {
        uint8_t *const row = frame + (size_t)(fit.y + j * fit.scale) * SIDE;
        memset(row, c->letter_box, SIDE);
        show_row(view + (size_t)j * (size_t)c->width, c->width, fit.scale, row + fit.x);
        for (int32_t k = 1; k < fit.scale; k++) memcpy(row + (size_t)k * SIDE, row, SIDE);
    }
}

bool sb_arc_camera_cell(const sb_arc_camera *c, int32_t pixel_x, int32_t pixel_y, int64_t *x, int64_t *y) {
    const sb_arc_fit fit = sb_arc_camera_fit(c);
    if (pixel_x < fit.x || pixel_y < fit.y) return false;
    const int32_t u = (pixel_x - fit.x) / fit.scale, v = (pixel_y - fit.y) / fit.scale;
    if (u >= c->width || v >= c->height) return false;
    *x = c->x + u, *y = c->y + v;
    return true;
}
