/* Cameras: from the part of a world that is seen to a frame of 64 x 64 colours, and from a click back to the world
 * (engine 3). */
#ifndef SB_ARC_CAMERA_H
#define SB_ARC_CAMERA_H

#include "engine/arc/scene.h"

typedef struct sb_arc_camera {
    int64_t x, y;                   /* of the view's top left corner in the world */
    int32_t width, height;          /* of the view, 1..64 */
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

#endif
