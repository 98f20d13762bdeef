/* Recordings of the engine of ARC-like games. They belong to no task; a line of JSON is one of
 *
 *   sprite      `sprite`; `expect`: `w`, `h`, `rows` of the image, or `error`: the sprite cannot be made
 *   camera      `camera`; `scale`, `x_offset`, `y_offset`, `column` and `row`: the world column (row) that each of the
 *               64 frame columns (rows) shows, null for none; or `error`
 *   scene       `camera`, `sprites`, `ui`; `expect`: `order` (names after merging), `sha256` of the frame
 *   collisions  `sprites`; `expect`: `collide`, `collide_ignoring_modes` (pairs of indices), `at`, `at_ignoring_modes`,
 *               `at_tag_k`: for rows y -2..15, the index of the sprite at x -2..19, or `.`
 *   game        `levels`, `camera`, `ui`, `win_score`, `available_actions`, `turns`
 *               (generators/conformance/arc_game.c) */
#ifndef SB_GENERATORS_CONFORMANCE_ARC_H
#define SB_GENERATORS_CONFORMANCE_ARC_H

#include "base/json.h"
#include "base/out.h"
#include "engine/arc/stage.h"
#include "generators/conformance/comparison.h"

extern const sb_conformer sb_arc_conformer;

/* Returns what a recording is of, such as `ARC games`; NULL: it is of nothing in this engine. */
const char *sb_arc_recording(const cJSON *recording);
/* Compares a recorded game. */
bool sb_compare_arc_game(const cJSON *recording, sb_conformity *found, sb_error *error);
/* The SHA-256 of a frame, as recordings write it. */
void sb_arc_frame_hash(const uint8_t *frame, char hex[SB_SHA256_HEX]);

/* Reads the parts of recordings of the engine of ARC-like games: sprites and cameras. Rows of pixels are text, a
 * character per cell: `0`..`9`, `a`..`f` colours, `.` a hole, `~` code -2. */

enum { SB_ARC_NAMES = 4096, SB_ARC_TAGS = 63 };

/* The texts of a recording; the engine knows their numbers. */
typedef struct sb_arc_texts {
    const char *names[SB_ARC_NAMES];
    const char *tags[SB_ARC_TAGS]; /* tag i is bit i + 1: bit 0 is `sys_static` */
    size_t n_names, n_tags;
} sb_arc_texts;

/* A sprite as it is recorded; the caller frees the pixels. */
typedef struct sb_arc_recorded_sprite {
    sb_arc_sprite sprite;
    int8_t *pixels;
    int32_t degrees, scale; /* degrees and scale as written; the sprite is not turned and has scale 1 */
} sb_arc_recorded_sprite;

/* Reads a sprite. Returns false for a malformed recording, with an error that names the key. */
bool sb_arc_read_sprite(const cJSON *item, sb_arc_texts *texts, sb_arc_recorded_sprite *read, sb_error *error);
/* Adds a recorded sprite to a scene; false: there is no such sprite (rotation, scale). */
bool sb_arc_make_sprite(sb_arc_scene *scene, const sb_arc_recorded_sprite *read);
/* Reads and adds the sprites of a list. */
bool sb_arc_read_sprites(const cJSON *list, sb_arc_texts *texts, sb_arc_scene *scene, sb_error *error);
/* Reads the pairs of a display: a list of lists of two sprites; NULL: none. */
bool sb_arc_read_pairs(const cJSON *list, sb_arc_texts *texts, sb_arc_scene *pairs, sb_error *error);
/* Reads a camera; `exists` is false if it would be too small or too large. */
bool sb_arc_read_camera(const cJSON *item, sb_arc_camera *camera, bool *exists, sb_error *error);

/* The number of a name or tag; false: there are too many. */
bool sb_arc_name(sb_arc_texts *texts, const char *name, uint32_t *number, sb_error *error);
bool sb_arc_tag(sb_arc_texts *texts, const char *tag, uint64_t *bit, sb_error *error);
/* Reads a whole number in -2^20..2^20; `fallback` if the key is left out. */
bool sb_arc_read_number(const cJSON *object, const char *key, int32_t fallback, int32_t *number, sb_error *error);
bool sb_arc_is_number(const cJSON *item, int32_t *number);
/* The index of a text in a list of n; -1: it is none of them. */
int sb_arc_choice(const cJSON *item, const char *const names[], int n);
void sb_arc_set_interaction(sb_arc_sprite *sprite, int interaction); /* interaction: a place in sb_arc_interactions */
extern const char *const sb_arc_interactions[4], *const sb_arc_blockings[3];
/* Returns the character of a pixel's code. */
char sb_arc_character(int8_t code);

/* The operations of recorded scripts (generators/conformance/arc_game.c), on a stage. */

typedef struct sb_arc_script {
    sb_arc_texts texts;
    sb_arc_stage stage;
    sb_out log;      /* what the operations of a turn told: items of a JSON list */
    sb_error *error; /* an operation that is malformed sets the error, with is_broken */
    bool is_broken;
} sb_arc_script;

extern const sb_arc_hooks sb_arc_script_stage; /* all hooks of a script but `step`; the game is an sb_arc_script */

/* Does one operation, a list whose first item is its name. */
void sb_arc_operate(sb_arc_script *script, const cJSON *operation);

#endif
