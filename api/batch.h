/* Batches, for code that works in their threads (players), or that saves and restores them. */
#ifndef SB_API_BATCH_H
#define SB_API_BATCH_H

#include "base/pool.h"
#include "engine/environment.h"

/* Makes a batch like sb_batch_make, but begins nothing: every environment is idle without an episode, until one is
 * copied into it or all are reset. */
sb_batch *sb_batch_make_idle(const sb_batch_plan *plan, const sb_batch_arrays *arrays, sb_error *error);
/* Makes an environment idle, which keeps its episode, or no longer idle. */
void sb_batch_set_idle(sb_batch *batch, size_t index, bool idle);
size_t sb_batch_size(const sb_batch *batch);
/* Returns a number that changes when another episode begins in this environment or is copied into it. */
uint64_t sb_batch_episode(const sb_batch *batch, size_t index);
/* Is called whenever an environment's state is shown, in any of the batch's threads, after the caller's arrays were
 * filled in: for code that shows it in its own way. `final`: the last state of an episode that another one
 * follows in the same step (SB_SAME_STEP). NULL: nobody watches. */
typedef void sb_batch_watch(void *context, size_t index, const sb_env *env, bool final);
void sb_batch_set_watch(sb_batch *batch, sb_batch_watch *watch, void *context);
/* Returns the batch's threads, for other work between two steps. */
sb_team *sb_batch_team(const sb_batch *batch);

#endif
