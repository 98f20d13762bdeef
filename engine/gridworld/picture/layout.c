#include "engine/gridworld/picture/stage.h"

static int margin(int side) { return side / 64; }

static bool fits(int side, int half, int sides) {
    const int up = sb_layout_up(half);
    return sides * half <= side - 2 * margin(side) &&
           sides * up + half / 4 + 3 * half / 2 + 2 <= side - sb_layout_panel(side) - margin(side);
}

int sb_layout_half(int side, int sides) {
    int half = side / sides + 1;
    while (half > 1 && !fits(side, half, sides)) half--;
    return half;
}

/* Half of a difference, rounded down. */
static int half_of(int n) { return n >= 0 ? n / 2 : -((1 - n) / 2); }

sb_layout sb_layout_of(int side, int half, int width, int height) {
    const int up = sb_layout_up(half), panel = sb_layout_panel(side), above = panel + 5 * half / 4;
    const int rows = (width + height) * up;
    sb_layout l = {.side = side, .panel = panel, .half = half, .up = up};
    l.left = side / 2 + half_of((height - width) * half);
    l.top = above + half_of(side - above - rows - half / 4) + up;
    /* In the smallest pictures, the largest grid takes some of the panel's room. */
    if (l.top - up + rows > side - 1) l.top = side - 1 - rows + up;
    return l;
}
