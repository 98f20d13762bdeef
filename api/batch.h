/* Batches, for those who work on them in their threads (players). */
#ifndef SB_API_BATCH_H
#define SB_API_BATCH_H

#include "base/team.h"
#include "engine/environment.h"

size_t sb_batch_size(const sb_batch *batch);
/* A number that changes when another episode begins in this environment, or is copied into it. */
uint64_t sb_batch_episode(const sb_batch *batch, size_t index);
/* Is called whenever an environment's state is shown, in any of the batch's threads, after the caller's arrays were
 * filled in: for those who show it in a way of their own. `final`: the last state of an episode that another one
 * follows in the same step (SB_SAME_STEP). NULL: nobody watches. */
typedef void sb_batch_watch(void *context, size_t index, const sb_env *env, bool final);
void sb_batch_set_watch(sb_batch *batch, sb_batch_watch *watch, void *context);
/* The batch's threads, for work of one's own between two steps. */
sb_team *sb_batch_team(const sb_batch *batch);

#endif
