/* BabyAI's levels: 96 registered ones and 16 large rooms of BabyBench's Plan task (docs/babyai.md). */
#ifndef SB_BABYAI_LEVELS_H
#define SB_BABYAI_LEVELS_H

#include "engine/minigrid/world.h"

enum { SB_BABYAI_N_LEVELS = 112 };

/* Returns a level by its index in the table. It is the first member of a larger struct; environments hold its `info` as
 * their task. The 16 levels of BabyBench come first, in its order from easy to hard and in its groups `easy`, `medium`,
 * `hard`, `very_hard`. The other registered levels follow, grouped by what the agent has to do, then the large rooms as
 * `plan`. Names are the published ids (kept as aliases) without `BabyAI-` or `CustomBabyAI-` and the version. */
const sb_mg_level *sb_babyai_level(size_t index);
/* Puts what a solver should know of a level: the text of its recipe (generators/babyai/texts), what its numbers mean,
 * and what all levels have in common. */
void sb_babyai_describe(const sb_task_info *task, sb_out *out);

#endif
