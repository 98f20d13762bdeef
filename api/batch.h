/* Batches, for those who work on them in their threads (players). */
#ifndef SB_API_BATCH_H
#define SB_API_BATCH_H

#include "base/team.h"
#include "engine/environment.h"

size_t sb_batch_size(const sb_batch *batch);
/* A number that changes when another episode begins in this environment, or is copied into it. */
uint64_t sb_batch_episode(const sb_batch *batch, size_t index);
/* The batch's threads, for work of one's own between two steps. */
sb_team *sb_batch_team(const sb_batch *batch);

#endif
