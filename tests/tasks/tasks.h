/* What the tests of tasks share: replaying recordings, and checking every instance and every step. */
#ifndef SB_TESTS_TASKS_H
#define SB_TESTS_TASKS_H

#include "tests/support.h"

#include "engine/gridworld/episode.h"
#include "rollout/worker.h"

/* Replays the task's recordings (tests/golden/<Task>.jsonl.gz). Asserts that nothing differs and that the file holds
 * this number of recordings and steps. */
void assert_conforms(const sb_task *task, size_t recordings, size_t steps);

/* Starts every difficulty with the seeds 0..seeds-1 and checks each instance. */
typedef void instance_check(const sb_episode *e);
void each_instance(const sb_task *task, uint64_t seeds, instance_check *check);

/* Plays random actions (illegal and useless ones as often as others) to the end of the episode in every difficulty with
 * the seeds 0..seeds-1, and checks each step. */
typedef void step_check(const sb_episode *before, const sb_episode *after, const sb_result *result);
void each_step(const sb_task *task, uint64_t seeds, step_check *check);

/* Steps onto a cell from this side of it, whatever is there, and asserts that the agent gets there. */
sb_result enter_from(sb_episode *e, sb_direction side, sb_xy to);
/* Do the same from the west, and from the first side (N, E, S, W) with walkable ground. */
sb_result enter(sb_episode *e, sb_xy to);
sb_result walk_in(sb_episode *e, sb_xy to);

/* Lets the task's expert play on from the episode's state. Returns its steps to success, or -1. */
int expert_steps(sb_env *env, sb_player *player);

/* Asserts that the outermost ring is WALL and that the agent starts on walkable ground, facing north, with nothing in
 * hand. */
void check_walled(const sb_episode *e);
int count_objects(const sb_episode *e, int object);
int count_terrain(const sb_episode *e, int terrain);

/* ---- Distances measured independently, by igraph ---- */

/* `open` has one flag for each cell, row by row: whether one may be there. */
void open_terrain(const sb_episode *e, int terrain, bool *open); /* cells with exactly this terrain */
void open_walkable(const sb_episode *e, bool *open);             /* neither WALL nor HOLE */
/* Returns the number of moves between two open cells over open cells, or -1. */
int igraph_distance(const sb_episode *e, const bool *open, sb_xy from, sb_xy to);

/* Takes n noops and n interacts in turn. Asserts that they change nothing but the clock (and what the key leaves
 * out). */
void assert_idling_changes_nothing(const sb_task *task, uint64_t seed, int n);

#endif
