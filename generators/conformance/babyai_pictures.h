/* Recorded pictures of MiniGrid: frames of episodes, and single tiles. */
#ifndef SB_GENERATORS_CONFORMANCE_BABYAI_PICTURES_H
#define SB_GENERATORS_CONFORMANCE_BABYAI_PICTURES_H

#include "generators/conformance/comparison.h"

/* A recording has `frames` or is of a tile (`code`):
 *       `actions`     a digit a step; then `frames`, of each `agent_pov` (true: the look `view`, false: `grid`),
 *                     `highlight`, `tile_size`, `height`, `width` and the SHA-256 of the pixels
 *       `code`        of a tile: type, colour, state; with `agent_dir` (null: the agent is not there), `highlight`,
 *                     `tile_size` and SHA-256 */
bool sb_has_frames(const cJSON *recording);
bool sb_is_tile(const cJSON *recording);

/* Compare everything that such a recording holds; false and an error if it is malformed. */
bool sb_compare_frames(const cJSON *recording, sb_comparison *c, sb_error *error);
bool sb_compare_tile(const cJSON *recording, sb_comparison *c, sb_error *error);

#endif
