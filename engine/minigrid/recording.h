/* Comparing a recorded BabyAI episode with the engine (format: docs/babyai.md, "Recordings"). */
#ifndef SB_MINIGRID_RECORDING_H
#define SB_MINIGRID_RECORDING_H

#include "engine/environment.h"

/* Compares everything that the recording has: of the reset mission text, instruction with tracked positions, sizes,
 * step limit, agent, hands, every cell, boxes, state hash, abandoned attempts, generator and views; of every rollout
 * the state hash and view after each step, rewards, and the end. Stops at the first difference. False for a malformed
 * recording, with the key in question. */
bool sb_minigrid_conform(const sb_family *family, const cJSON *recording, sb_conformity *found, sb_error *error);

#endif
