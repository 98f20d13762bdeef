#include "engine/gridworld/parts/cells.h"

void sb_fill(sb_episode *e, sb_terrain terrain) {
    for (int i = 0; i < sb_n_cells(e); i++) e->cells[i] = (sb_cell){.terrain = (int8_t)terrain};
}

void sb_wall_border(sb_episode *e) {
    const int w = e->width, h = e->height;
    for (int x = 0; x < w; x++) e->cells[x].terrain = e->cells[(h - 1) * w + x].terrain = SB_WALL;
    for (int y = 0; y < h; y++) e->cells[y * w].terrain = e->cells[y * w + w - 1].terrain = SB_WALL;
}

void sb_cells_interior_empty(sb_cells *cells, const sb_episode *e) {
    cells->n = 0;
    for (int y = 1; y < e->height - 1; y++)
        for (int x = 1; x < e->width - 1; x++)
            if (sb_peek(e, sb_at(x, y))->terrain == SB_EMPTY) sb_cells_add(cells, sb_at(x, y));
}

void sb_carve(sb_episode *e, sb_xy from, sb_xy to, sb_cells *cells) {
    const int x1 = from.x > 1 ? from.x : 1, x2 = to.x < e->width - 2 ? to.x : e->width - 2;
    const int y1 = from.y > 1 ? from.y : 1, y2 = to.y < e->height - 2 ? to.y : e->height - 2;
    cells->n = 0;
    for (int y = y1; y <= y2; y++)
        for (int x = x1; x <= x2; x++) {
            sb_cell_at(e, sb_at(x, y))->terrain = SB_EMPTY;
            sb_cells_add(cells, sb_at(x, y));
        }
}
