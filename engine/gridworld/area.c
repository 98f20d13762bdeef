#include "engine/gridworld/area.h"

#include <string.h>

#include "engine/gridworld/search.h"

int sb_area_count(const sb_area *area, int height) {
    int n = 0;
    for (int y = 0; y < height; y++)
        for (uint32_t row = area->row[y]; row; row &= row - 1) n++;
    return n;
}

void sb_area_walkable(sb_area *area, const sb_episode *e) {
    const sb_cell *cell = e->cells;
    for (int y = 0; y < e->height; y++) {
        uint32_t row = 0;
        for (int x = 0; x < e->width; x++, cell++) row |= (uint32_t)sb_terrain_walkable(cell->terrain) << x;
        area->row[y] = row;
    }
}

/* Returns all cells of those runs of open cells in the row that contain a reached cell. */
static inline uint32_t spread(uint32_t reached, uint32_t open) {
    for (uint32_t before = 0; reached != before;) {
        before = reached;
        reached |= (reached << 1 | reached >> 1) & open;
    }
    return reached;
}

/* Sweeps down through the rows and up again until nothing is added, or the goal is reached (goal = 0: no goal). `rows`
 * has an empty row above and below. */
static void flood(uint32_t *rows, const sb_area *open, int height, int goal_y, uint32_t goal) {
    for (bool gained = true; gained && !(rows[goal_y] & goal);) {
        gained = false;
        for (int i = 0; i < 2 * height; i++) {
            const int y = i < height ? i : 2 * height - 1 - i;
            const uint32_t before = rows[y];
            rows[y] = spread(before | ((rows[y - 1] | rows[y + 1]) & open->row[y]), open->row[y]);
            gained |= rows[y] != before;
        }
    }
}

void sb_area_flood(sb_area *reached, const sb_area *open, int height, sb_xy start) {
    uint32_t padded[SB_SIDE_MAX + 2] = {0}, *rows = padded + 1;
    rows[start.y] = UINT32_C(1) << start.x;
    flood(rows, open, height, 0, 0);
    memcpy(reached->row, rows, sizeof reached->row);
}

void sb_area_reached(sb_area *reached, const sb_episode *e, sb_xy start) {
    sb_area open = {{0}}; /* for gcc, which cannot see that all rows that are used are written */
    sb_area_walkable(&open, e);
    sb_area_flood(reached, &open, e->height, start);
}

bool sb_area_connects(const sb_area *open, int height, sb_xy start, sb_xy goal) {
    uint32_t padded[SB_SIDE_MAX + 2] = {0}, *rows = padded + 1;
    const uint32_t at_goal = UINT32_C(1) << goal.x;
    rows[start.y] = UINT32_C(1) << start.x;
    flood(rows, open, height, goal.y, at_goal);
    return rows[goal.y] & at_goal;
}

void sb_area_widen(sb_area *area, int height) {
    sb_area every;
    memset(&every, 0xff, sizeof every);
    sb_area_grow(area, &every, 0, height - 1);
}

/* Among shortest paths, breadth-first search finds the first in the order of directions. Its first step leads to the
 * first neighbour that is as near to the goal as any. An area that grows from the goal touches that neighbour before
 * the others, or together with them. */
sb_direction sb_area_lead(const sb_area *open, int height, sb_xy from, sb_xy to) {
    sb_area near = {{0}};
    int top = to.y, bottom = to.y; /* rows that hold members, and those that get some next */
    sb_area_add(&near, to);
    do {
        for (int i = 0; i < 4; i++)
            if (sb_area_has(&near, sb_beside(from, sb_ewsn[i]))) return sb_ewsn[i];
        top -= top > 1, bottom += bottom < height - 2;
    } while (sb_area_grow(&near, open, top, bottom));
    return SB_NOWHERE;
}

void sb_area_leads(const sb_area *open, int height, sb_xy to, sb_area way[4]) {
    sb_area near = {{0}}, led = {{0}}; /* led: the goal, and cells with a way */
    int top = to.y, bottom = to.y;
    sb_area_add(&near, to);
    sb_area_add(&led, to);
    memset(way, 0, sizeof *way * 4);
    do {
        for (int y = top > 1 ? top - 1 : 1; y <= bottom + 1 && y < height - 1; y++) {
            const uint32_t row = near.row[y];
            /* the cells beside members, in the order of sb_ewsn */
            const uint32_t beside[4] = {row >> 1, row << 1, near.row[y + 1], near.row[y - 1]};
            for (int i = 0; i < 4; i++) {
                way[i].row[y] |= beside[i] & ~led.row[y];
                led.row[y] |= beside[i];
            }
        }
        top -= top > 1, bottom += bottom < height - 2;
    } while (sb_area_grow(&near, open, top, bottom));
}

bool sb_connected(const sb_episode *e, sb_xy from, sb_xy to) {
    sb_area open;
    sb_area_walkable(&open, e);
    return sb_walkable(e, from) && sb_area_connects(&open, e->height, from, to);
}

int sb_count_reached(const sb_episode *e, sb_xy start) {
    sb_area reached;
    sb_area_reached(&reached, e, start);
    return sb_area_count(&reached, e->height);
}

bool sb_connected_all(const sb_episode *e, sb_xy from, const sb_xy *cells, int n) {
    sb_area reached;
    if (!sb_walkable(e, from)) return n == 0;
    sb_area_reached(&reached, e, from);
    for (int i = 0; i < n; i++)
        if (!sb_area_has(&reached, cells[i])) return false;
    return true;
}
