/* Batches, for code that works in their threads (players). */
#ifndef SB_API_BATCH_H
#define SB_API_BATCH_H

#include "base/team.h"
#include "engine/environment.h"

size_t sb_batch_size(const sb_batch *batch);
/* Returns a number that changes when another episode begins in this environment or is copied into it. */
uint64_t sb_batch_episode(const sb_batch *batch, size_t index);
/* Returns the batch's threads, for other work between two steps. */
sb_team *sb_batch_team(const sb_batch *batch);

#endif
