/* Sets of cells as bits, one word per row. They answer which cells can be reached, but give no path, and are several
 * times as fast as breadth-first search. */
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

/* The cells with walkable terrain, whatever objects they hold. */
void sb_area_walkable(sb_area *area, const sb_episode *e);
/* Finds all cells that can be reached from `start` within `open`. The start is a member even if it is not in `open`. */
void sb_area_flood(sb_area *reached, const sb_area *open, int height, sb_xy start);
/* Finds all cells that walkable terrain connects with `start`. */
void sb_area_reached(sb_area *reached, const sb_episode *e, sb_xy start);
/* Counts the cells that walkable terrain connects with `start`, including the start. */
int sb_count_reached(const sb_episode *e, sb_xy start);
/* Tells whether sb_area_flood would reach the goal; stops as soon as it does. */
bool sb_area_connects(const sb_area *open, int height, sb_xy start, sb_xy goal);

/* Adds the open cells next to members, in rows `top` to `bottom`; returns whether there were any. No row above `top`
 * may hold members, and the border must not be open. */
static inline bool sb_area_grow(sb_area *area, const sb_area *open, int top, int bottom) {
    uint32_t above = 0, gained = 0; /* above: the row above before it grew */
    for (int y = top; y <= bottom; y++) {
        const uint32_t row = area->row[y];
        area->row[y] |= (row << 1 | row >> 1 | above | area->row[y + 1]) & open->row[y];
        gained |= area->row[y] ^ row;
        above = row;
    }
    return gained;
}
/* Adds the cells next to members, whatever is there. */
void sb_area_widen(sb_area *area, int height);
/* Adds the members of another area. */
static inline void sb_area_unite(sb_area *area, const sb_area *other, int height) {
    for (int y = 0; y < height; y++) area->row[y] |= other->row[y];
}
/* Tells whether two areas have a member in common. */
static inline bool sb_areas_overlap(const sb_area *a, const sb_area *b, int height) {
    uint32_t common = 0;
    for (int y = 0; y < height; y++) common |= a->row[y] & b->row[y];
    return common;
}
/* Returns the first step of a shortest path to another cell, which need not be open; among several, the first in the
 * order east, west, south, north. SB_NOWHERE if there is no path. The border must not be open. */
sb_direction sb_area_lead(const sb_area *open, int height, sb_xy from, sb_xy to);
/* Computes sb_area_lead for all cells inside the border: way[i] gets those, open or not, from which it returns
 * sb_ewsn[i]. */
void sb_area_leads(const sb_area *open, int height, sb_xy to, sb_area way[4]);

/* Tells whether walkable terrain connects two walkable cells: the published default validation. */
bool sb_connected(const sb_episode *e, sb_xy from, sb_xy to);
/* Tells whether walkable terrain connects a cell with all of several cells. */
bool sb_connected_all(const sb_episode *e, sb_xy from, const sb_xy *cells, int n);

#endif
