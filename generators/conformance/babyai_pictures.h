/* Recorded pictures of MiniGrid: frames of episodes, and single tiles. */
#ifndef SB_GENERATORS_CONFORMANCE_BABYAI_PICTURES_H
#define SB_GENERATORS_CONFORMANCE_BABYAI_PICTURES_H

#include "generators/conformance/comparison.h"

/* A recording has `frames` or is of a tile (`code`). */
bool sb_has_frames(const cJSON *recording);
bool sb_is_tile(const cJSON *recording);

/* Compare everything that such a recording holds; false and an error if it is malformed. */
bool sb_compare_frames(const cJSON *recording, sb_comparison *c, sb_error *error);
bool sb_compare_tile(const cJSON *recording, sb_comparison *c, sb_error *error);

#endif
