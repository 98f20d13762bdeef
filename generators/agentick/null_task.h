/* The null task, for its test; see null_task.c. */
#ifndef SB_AGENTICK_NULL_TASK_H
#define SB_AGENTICK_NULL_TASK_H

#include "engine/gridworld/episode.h"

extern const sb_task sb_null_task;

#endif
