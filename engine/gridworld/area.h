/* Sets of cells as bits, a word a row: for questions of membership and of whether there is a way, where none is asked
 * for. Several times as fast as breadth-first search. */
#ifndef SB_GRIDWORLD_AREA_H
#define SB_GRIDWORLD_AREA_H

#include "engine/gridworld/episode.h"

typedef struct sb_area {
    uint32_t row[SB_SIDE_MAX];
} sb_area;

static inline void sb_area_set(sb_area *area, sb_xy p, bool member) {
    area->row[p.y] = (area->row[p.y] & ~(UINT32_C(1) << p.x)) | (uint32_t)member << p.x;
}
static inline void sb_area_add(sb_area *area, sb_xy p) { area->row[p.y] |= UINT32_C(1) << p.x; }
static inline bool sb_area_has(const sb_area *area, sb_xy p) { return area->row[p.y] >> p.x & 1; }
int sb_area_count(const sb_area *area, int height);

/* The cells with walkable terrain; objects do not matter. */
void sb_area_walkable(sb_area *area, const sb_episode *e);
/* Everything that can be reached from `start` within `open`; the start itself is a member whatever `open` says. */
void sb_area_flood(sb_area *reached, const sb_area *open, int height, sb_xy start);
/* Everything that walkable terrain connects with `start`. */
void sb_area_reached(sb_area *reached, const sb_episode *e, sb_xy start);
/* How many cells that are, the start included. */
int sb_count_reached(const sb_episode *e, sb_xy start);
/* Whether sb_area_flood would reach the goal; stops as soon as it does. */
bool sb_area_connects(const sb_area *open, int height, sb_xy start, sb_xy goal);

/* Adds the open cells of these rows that are beside members; true if there were any. No row
 * above `top` holds members, and the border is never open. */
static inline bool sb_area_grow(sb_area *area, const sb_area *open, int top, int bottom) {
    uint32_t above = 0, gained = 0; /* above: the row above as it was before */
    for (int y = top; y <= bottom; y++) {
        const uint32_t row = area->row[y];
        area->row[y] |= (row << 1 | row >> 1 | above | area->row[y + 1]) & open->row[y];
        gained |= area->row[y] ^ row;
        above = row;
    }
    return gained;
}
/* The first step of a shortest way to another cell, which need not be open: of several the first in the order east,
 * west, south, north. SB_NOWHERE if there is none. The border is never open. */
sb_direction sb_area_lead(const sb_area *open, int height, sb_xy from, sb_xy to);

/* Whether walkable terrain leads from a walkable cell to another: the published default validation. */
bool sb_connected(const sb_episode *e, sb_xy from, sb_xy to);
/* The same for several cells at once. */
bool sb_connected_all(const sb_episode *e, sb_xy from, const sb_xy *cells, int n);

#endif
