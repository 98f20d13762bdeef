/* A brush of the look `isometric`: sprites for every size of a grid, and the ground of pictures that were drawn last.
 */
#ifndef SB_GRIDWORLD_STAGE_H
#define SB_GRIDWORLD_STAGE_H

#include "base/pictures/surface.h"
#include "engine/gridworld/picture/figures.h"
#include "engine/gridworld/picture/kept.h"
#include "engine/gridworld/picture/layout.h"
#include "engine/gridworld/tell.h"

enum { SB_STAGES_MAX = 32, SB_SIDES_MAX = 2 * SB_SIDE_MAX };

/* The sprites of one size: for cells, and for the bubble that tells what is below the agent. */
typedef struct sb_sizes {
    int half;
    sb_stage cells, bubble;
} sb_sizes;

typedef struct sb_isometric {
    int side;
    sb_figures figures;
    sb_sizes sizes[SB_STAGES_MAX];
    int n_sizes;
    uint8_t size_of[SB_SIDES_MAX + 1]; /* by width + height of the grid: the index in `sizes` */
    sb_stage icons;                    /* of the panel */
    sb_kept_grounds kept;
} sb_isometric;

/* What is drawn of an episode, and with which sprites. */
typedef struct sb_scene {
    const sb_isometric *isometric;
    const sb_episode *episode;
    const sb_sizes *sizes;
    sb_layout layout;
    sb_told told;
    sb_ground_key ground; /* of each cell */
} sb_scene;

/* Draws the background and the terrain: all of the picture. It depends on the scene's ground only. */
void sb_draw_ground(const sb_surface *surface, const sb_scene *scene);
/* Draws what is on the cells, and the agent. */
void sb_draw_things(const sb_surface *surface, const sb_scene *scene);
/* Draws the clock, what is carried and the facts beside the grid. */
void sb_draw_head(const sb_surface *surface, const sb_scene *scene);

/* Writes digits and capitals, each on a plate of its own colour, so that no two numbers are told apart by a few dots
 * only. (x,y) is the upper left corner of the first one; its plate begins `scale` pixels before. */
void sb_write_number(const sb_surface *surface, const sb_figures *figures, sb_font font, int scale, int x, int y,
                     const char *text);

/* Returns the figure of a cell's sign in this scene. `at` tells how a door stands. */
int sb_figure_of(const sb_scene *scene, const sb_appearance *looks, sb_xy at);

#endif
