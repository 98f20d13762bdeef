/* Comparing a recorded episode of a gridworld with the engine (format: docs/compatibility.md, "Recordings"). */
#ifndef SB_GRIDWORLD_RECORDING_H
#define SB_GRIDWORLD_RECORDING_H

#include "engine/environment.h"

/* Plays what was recorded and compares everything that the recording has: reset hash, layers, draws, structured, ASCII
 * plain and coloured, and of every step hash, position, inventory, changed cells, draws, ASCII and both rewards, and
 * the end. Stops at the first difference. False for a malformed recording, with the key in question. */
bool sb_recording_conform(const sb_family *family, const cJSON *recording, sb_conformity *found, sb_error *error);

#endif
