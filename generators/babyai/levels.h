/* BabyAI's levels: 96 registered ones and 16 large rooms of BabyBench's Plan task (docs/babyai.md). */
#ifndef SB_BABYAI_LEVELS_H
#define SB_BABYAI_LEVELS_H

#include "engine/minigrid/world.h"

enum { SB_BABYAI_N_LEVELS = 112 };

/* The level's constant, by its index in the table; its first part is an sb_mg_level, which is what environments hold
 * as their task. The 16 levels of BabyBench come first, in its order from easy to hard and in its groups `easy`,
 * `medium`, `hard`, `very_hard`; then the registered rest, grouped by what is to be done, and the large rooms as
 * `plan`. Names are the published ids (their aliases) without `BabyAI-` or `CustomBabyAI-` and version. */
const sb_mg_level *sb_babyai_level(size_t index);

#endif
