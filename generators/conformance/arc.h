/* Recordings of the engine of ARC-like games. They belong to no task; a line of JSON is one of
 *
 *   sprite      `sprite`, `expect`: `w`, `h`, `rows` of the image, or `error`: the sprite cannot be made
 *   camera      `camera`; `scale`, `x_offset`, `y_offset`, `column` and `row`: the world column (row) that each of the
 * 64 frame columns (rows) shows, null for none; or `error` scene       `camera`, `sprites`, `ui`; `expect`: `order`
 * (names after merging), `sha256` of the frame collisions  `sprites`; `expect`: `collide`, `collide_ignoring_modes`
 * (pairs of indices), `at`, `at_ignoring_modes`, `at_tag_k`: for rows y -2..15, the index of the sprite at x -2..19, or
 * `.` game        `levels`, `camera`, `ui`, `win_score`, `available_actions`, `turns`
 * (generators/conformance/arc_game.c) */
#ifndef SB_GENERATORS_CONFORMANCE_ARC_H
#define SB_GENERATORS_CONFORMANCE_ARC_H

#include "generators/conformance/comparison.h"

extern const sb_conformer sb_arc_conformer;

/* What the recording is of, such as `ARC games`; NULL: it is none of this engine. */
const char *sb_arc_recording(const cJSON *recording);
/* Compares a recorded game. */
bool sb_compare_arc_game(const cJSON *recording, sb_conformity *found, sb_error *error);
/* The SHA-256 of a frame, as recordings write it. */
void sb_arc_frame_hash(const uint8_t *frame, char hex[SB_SHA256_HEX]);

#endif
