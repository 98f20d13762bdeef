/* Cells of a grid: x counts columns to the right, y rows downwards, (0,0) is the top left. */
#ifndef SB_ENGINE_XY_H
#define SB_ENGINE_XY_H

#include "seedbed.h"

static inline sb_xy sb_at(int x, int y) { return (sb_xy){(int16_t)x, (int16_t)y}; }
static inline bool sb_same(sb_xy a, sb_xy b) { return a.x == b.x && a.y == b.y; }
/* Tells whether cell `a` comes before cell `b` row by row. */
static inline bool sb_comes_before(sb_xy a, sb_xy b) { return a.y != b.y ? a.y < b.y : a.x < b.x; }
static inline int sb_manhattan(sb_xy a, sb_xy b) {
    int dx = a.x - b.x, dy = a.y - b.y;
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

#endif
