/* Fewest actions from one pose (cell and direction) to all others, if a move into a closed cell only turns the agent:
 * for tasks with interaction. */
#ifndef SB_ORACLES_WALK_H
#define SB_ORACLES_WALK_H

#include "engine/gridworld/search.h"
#include "oracles/kits/plan.h"

typedef struct sb_walk {
    int16_t steps[SB_CELLS_MAX * 4];  /* steps to each pose; -1: it cannot be reached */
    int16_t parent[SB_CELLS_MAX * 4]; /* the pose before this one; the start is its own parent */
    int16_t queue[SB_CELLS_MAX * 4];
} sb_walk;

static inline int sb_pose(const sb_episode *e, sb_xy at, sb_direction facing) {
    return sb_index(e, at) * 4 + (int)facing;
}

/* Returns the pose after a move in this direction. */
int sb_pose_after(const sb_episode *e, const sb_open *open, int pose, sb_direction ahead);
/* Searches from a pose. Its own cell may be closed in `open`. */
void sb_walk_from(sb_walk *walk, const sb_episode *e, const sb_open *open, int pose);
/* Lists the poses from which an interaction reaches the target; returns how many (at most 4). */
int sb_poses_facing(const sb_episode *e, const sb_open *open, sb_xy target, int poses[4]);
/* Appends the actions from the start to a pose that can be reached. */
void sb_walk_plan(const sb_walk *walk, int pose, sb_plan *plan);

#endif
