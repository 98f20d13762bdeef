#include "engine/gridworld/search.h"

#include <string.h>

const sb_direction sb_nesw[4] = {SB_NORTH, SB_EAST, SB_SOUTH, SB_WEST};
const sb_direction sb_nswe[4] = {SB_NORTH, SB_SOUTH, SB_WEST, SB_EAST};
const sb_direction sb_ewsn[4] = {SB_EAST, SB_WEST, SB_SOUTH, SB_NORTH};

void sb_open_walkable(sb_open *open, const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++) open->cell[i] = sb_terrain_walkable(e->cells[i].terrain);
}

void sb_open_passable(sb_open *open, const sb_episode *e) {
    for (int i = 0; i < sb_n_cells(e); i++) open->cell[i] = sb_cell_passable(&e->cells[i]);
}

static bool search(sb_reach *reach, const sb_episode *e, const sb_open *open, sb_xy start, int goal,
                   const sb_direction order[4]) {
    const int from = sb_index(e, start);
    memset(reach->parent, -1, sizeof *reach->parent * (size_t)sb_n_cells(e));
    reach->parent[from] = (int16_t)from, reach->distance[from] = 0;
    reach->order[0] = start, reach->n = 1;
    if (from == goal) return true;
    for (int next = 0; next < reach->n; next++) {
        const sb_xy at = reach->order[next];
        const int here = sb_index(e, at);
        for (int k = 0; k < 4; k++) {
            const sb_xy to = sb_beside(at, order[k]);
            if (!sb_inside(e, to)) continue;
            const int there = sb_index(e, to);
            if (reach->parent[there] >= 0 || !open->cell[there]) continue;
            reach->parent[there] = (int16_t)here;
            reach->distance[there] = (int16_t)(reach->distance[here] + 1);
            reach->order[reach->n++] = to;
            if (there == goal) return true;
        }
    }
    return false;
}

void sb_reach_from(sb_reach *reach, const sb_episode *e, const sb_open *open, sb_xy start,
                   const sb_direction order[4]) {
    search(reach, e, open, start, -1, order);
}

bool sb_reach_goal(sb_reach *reach, const sb_episode *e, const sb_open *open, sb_xy start, sb_xy goal,
                   const sb_direction order[4]) {
    return search(reach, e, open, start, sb_index(e, goal), order);
}

int sb_chain(const sb_reach *reach, const sb_episode *e, sb_xy to, sb_xy path[SB_CELLS_MAX]) {
    const int n = reach->distance[sb_index(e, to)] + 1;
    int at = sb_index(e, to);
    for (int i = n - 1; i >= 0; i--) {
        path[i] = sb_xy_of(e, at);
        at = reach->parent[at];
    }
    return n;
}
