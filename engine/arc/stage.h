/* A game of sprites: levels as they were made and as they are now, a camera and a display. What the game does is up to
 * its hooks; this gives them the world. */
#ifndef SB_ARC_STAGE_H
#define SB_ARC_STAGE_H

#include "engine/arc/loop.h"
#include "engine/arc/scene.h"

/* Cameras: from the part of a world that is seen to a frame of 64 x 64 colours, and from a click back to the world
 * (engine 3). */

typedef struct sb_arc_camera {
    int64_t x, y;                   /* place in the world of the view's top left corner */
    int32_t width, height;          /* size of the view, 1..64 */
    uint8_t background, letter_box; /* colours of empty cells and of the margin */
} sb_arc_camera;

/* Every cell of the view is drawn scale x scale pixels large, from (x, y) of the frame on. */
typedef struct sb_arc_fit {
    int32_t scale, x, y;
} sb_arc_fit;

/* Whether a view may be that large; the published engine says nothing of views without cells, ours refuses them. */
bool sb_arc_is_view(int64_t width, int64_t height);
sb_arc_fit sb_arc_camera_fit(const sb_arc_camera *camera);
/* Draws a view, row by row, into a frame. */
void sb_arc_camera_show(const sb_arc_camera *camera, const uint8_t *view, uint8_t frame[SB_ARC_FRAME]);
/* Gives the cell of the world that a pixel of the frame shows; false: none. */
bool sb_arc_camera_cell(const sb_arc_camera *camera, int32_t pixel_x, int32_t pixel_y, int64_t *x, int64_t *y);

/* The display that the engine brings: pairs of sprites, on and off, drawn over the frame (engine 4). The sprites of
 * pair i are number 2 i (on) and 2 i + 1 (off) of a scene. Pairs that were just made show both. */

/* Turns a pair on or off; false: there is no such pair. */
bool sb_arc_display_turn(sb_arc_scene *pairs, size_t pair, bool on);
/* Turns on or off all pairs whose first sprite has the tag. */
void sb_arc_display_turn_all(sb_arc_scene *pairs, uint64_t tag, bool on);
/* Turns on the first pair with the tag that is off, or turns off the first one that was turned on; whether there is
 * one. */
bool sb_arc_display_turn_first(sb_arc_scene *pairs, uint64_t tag, bool on);
/* A pair is on if its first sprite is seen or can be touched; false: no such pair. */
bool sb_arc_display_is_on(const sb_arc_scene *pairs, size_t pair);
void sb_arc_display_draw(const sb_arc_scene *pairs, uint8_t frame[SB_ARC_FRAME]);

typedef struct sb_arc_stage_level {
    sb_arc_scene clean, live;
    int32_t width, height; /* size of the level's grid; 0: it has none, the camera keeps its size */
} sb_arc_stage_level;

typedef struct sb_arc_stage {
    sb_arc_loop loop;
    sb_arc_camera camera;
    sb_arc_scene pairs; /* pairs of sprites of the display */
    sb_arc_stage_level *levels;
    int32_t n_levels;
} sb_arc_stage;

/* A zeroed stage with room for n levels, which the caller fills: the clean scene and the grid of each. */
bool sb_arc_stage_new(sb_arc_stage *stage, int32_t n_levels);
void sb_arc_stage_free(sb_arc_stage *stage);
/* Merges what is static, copies the clean levels into the live ones and sets level 0. False: out of memory. */
bool sb_arc_stage_begin(sb_arc_stage *stage, const sb_arc_hooks *hooks, void *game);
/* Makes `to` equal to `from`, of the same game. False: out of memory; free `to` or copy to it again. */
bool sb_arc_stage_copy(sb_arc_stage *to, const sb_arc_stage *from);

sb_arc_scene *sb_arc_stage_scene(sb_arc_stage *stage); /* the scene of the level that is set, as it is now */

/* What the hooks of a game do to its stage: */
void sb_arc_stage_restore(sb_arc_stage *stage, int32_t level);
void sb_arc_stage_enter(sb_arc_stage *stage, int32_t level);
void sb_arc_stage_draw(sb_arc_stage *stage, uint8_t frame[SB_ARC_FRAME]);

#endif
