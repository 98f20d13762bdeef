/* Where things are in a picture of the look `isometric`. All numbers are pixels. */
#ifndef SB_GRIDWORLD_LAYOUT_H
#define SB_GRIDWORLD_LAYOUT_H

#include "engine/gridworld/episode.h"

enum { SB_PICTURE_LEAST = 64, SB_PICTURE_MOST = 1024, SB_PICTURE_USUAL = 512 };

/* From this half width on every fact can be told from a picture: each changes eight pixels or more
 * (tests/isometric_test.c). */
enum { SB_HALF_READABLE = 11 };

/* A tile is a rhombus of 2 * half by 2 * up. Cell (x,y) has the middle of its ground at
 * (left + (x - y) * half, top + (x + y) * up). */
typedef struct sb_layout {
    int side;  /* of the picture */
    int panel; /* height of the panel, at the top */
    int half, up;
    int left, top;
} sb_layout;

/* Returns the largest half width of a tile with which a grid fits whose width and height add up to `sides`. */
int sb_layout_half(int side, int sides);
/* Lays out a grid for tiles of this half width, which is at most that of sb_layout_half. */
sb_layout sb_layout_of(int side, int half, int width, int height);

static inline int sb_layout_up(int half) { return half > 1 ? half * 3 / 4 : 1; }
static inline int sb_layout_panel(int side) { return 3 * side / 32; }
static inline int sb_layout_x(const sb_layout *l, sb_xy at) { return l->left + (at.x - at.y) * l->half; }
static inline int sb_layout_y(const sb_layout *l, sb_xy at) { return l->top + (at.x + at.y) * l->up; }

#endif
