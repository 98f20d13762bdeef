/* A game of sprites: levels as they were made and as they are now, a camera and a display. What the game does is up to
 * its hooks; this gives them the world. */
#ifndef SB_ARC_STAGE_H
#define SB_ARC_STAGE_H

#include "engine/arc/camera.h"
#include "engine/arc/display.h"
#include "engine/arc/loop.h"

typedef struct sb_arc_stage_level {
    sb_arc_scene clean, live;
    int32_t width, height; /* of the grid; 0: none, the camera keeps its size */
} sb_arc_stage_level;

typedef struct sb_arc_stage {
    sb_arc_loop loop;
    sb_arc_camera camera;
    sb_arc_scene pairs; /* of the display */
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

sb_arc_scene *sb_arc_stage_scene(sb_arc_stage *stage); /* of the level that is set, as it is now */

/* For hooks: */
void sb_arc_stage_restore(sb_arc_stage *stage, int32_t level);
void sb_arc_stage_enter(sb_arc_stage *stage, int32_t level);
void sb_arc_stage_draw(sb_arc_stage *stage, uint8_t frame[SB_ARC_FRAME]);

#endif
