#include "oracles/kits/walk.h"

#include <string.h>

static sb_xy cell_of(const sb_episode *e, int pose) { return sb_xy_of(e, pose / 4); }

int sb_pose_after(const sb_episode *e, const sb_open *open, int pose, sb_direction ahead) {
    const sb_xy from = cell_of(e, pose), to = sb_beside(from, ahead);
    return sb_pose(e, sb_inside(e, to) && open->cell[sb_index(e, to)] ? to : from, ahead);
}

void sb_walk_from(sb_walk *walk, const sb_episode *e, const sb_open *open, int pose) {
    static const sb_direction moves[4] = {SB_NORTH, SB_SOUTH, SB_WEST, SB_EAST}; /* in the order of the actions */
    int n = 0;
    memset(walk->steps, -1, sizeof *walk->steps * 4 * (size_t)sb_n_cells(e));
    walk->steps[pose] = 0, walk->parent[pose] = (int16_t)pose;
    walk->queue[n++] = (int16_t)pose;
    for (int next = 0; next < n; next++) {
        const int here = walk->queue[next];
        for (int k = 0; k < 4; k++) {
            const int there = sb_pose_after(e, open, here, moves[k]);
            if (walk->steps[there] >= 0) continue;
            walk->steps[there] = (int16_t)(walk->steps[here] + 1), walk->parent[there] = (int16_t)here;
            walk->queue[n++] = (int16_t)there;
        }
    }
}

int sb_poses_facing(const sb_episode *e, const sb_open *open, sb_xy target, int poses[4]) {
    int n = 0;
    for (sb_direction side = SB_NORTH; side < SB_NOWHERE; side++) {
        const sb_xy stand = sb_beside(target, side);
        if (!sb_inside(e, stand) || !open->cell[sb_index(e, stand)]) continue;
        poses[n++] = sb_pose(e, stand, (sb_direction)(((int)side + 2) % 4));
    }
    return n;
}

void sb_walk_plan(const sb_walk *walk, int pose, sb_plan *plan) {
    sb_action actions[SB_CELLS_MAX * 4];
    int n = 0;
    for (int at = pose; walk->parent[at] != at; at = walk->parent[at])
        actions[n++] = sb_move_of((sb_direction)(at % 4));
    while (n > 0) sb_plan_add(plan, actions[--n]);
}
