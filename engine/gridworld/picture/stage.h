/* A brush of the look `isometric`: sprites for every size of a grid, and the ground of pictures that were drawn last.
 */
#ifndef SB_GRIDWORLD_STAGE_H
#define SB_GRIDWORLD_STAGE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/pictures/sprite.h"
#include "base/pictures/surface.h"
#include "engine/gridworld/episode.h"
#include "engine/gridworld/picture/signs.h"
#include "engine/gridworld/tell.h"

/* The drawings of the look `isometric`, and the sprites that are made of them for each size of a tile. */

/* What stands on cells and in the panel: a figure for each sign (signs.h), and for some signs others that tell more. */
enum {
    SB_FIGURE_ACROSS = SB_N_SIGNS,           /* doors between walls above and below: four closed ones, four open */
    SB_FIGURE_LIT = SB_FIGURE_ACROSS + 8,    /* switches of which a task says that they are on */
    SB_FIGURE_DARK,                          /* switches of which a task says that they are off */
    SB_FIGURE_NODE,                          /* switches with the numbers 1 to 4 */
    SB_FIGURE_NPC_KIND = SB_FIGURE_NODE + 4, /* followers, fearful, mirrors, contrarians */
    SB_FIGURE_ENEMY_KIND = SB_FIGURE_NPC_KIND + 4, /* chasers, ambushers, flankers, trappers */
    SB_FIGURE_BUBBLE = SB_FIGURE_ENEMY_KIND + 4,
    SB_N_FIGURES
};
/* Ground like that of signs.h, and the wall at the edge of the grid, which is lower. SB_GROUND_PANEL is not drawn. */
enum { SB_GROUND_BORDER = SB_N_GROUNDS, SB_N_FLOORS };

/* Heights of walls in units, for what stands on them (sprites.txt). */
enum { SB_WALL_HEIGHT = 18, SB_BORDER_HEIGHT = 10 };

typedef struct sb_figures {
    sb_models models;
    sb_palette palette;
    uint8_t darker[SB_COLOURS_MAX];
    uint8_t background, words, light, ink, filled, empty; /* colours by their use in the picture */
    uint8_t digit;                                        /* the colour of 0's plate; those of 1 to F follow */
} sb_figures;

/* Reads the drawings. False if they are wrong, which the tests rule out. */
bool sb_figures_read(sb_figures *figures, sb_error *error);

/* The sprites of one size. */
typedef struct sb_stage {
    sb_sprites floors, things; /* floors are as flat as the tiles */
    sb_sprite floor[SB_N_FLOORS], thing[SB_N_FIGURES];
} sb_stage;

/* Draws all sprites for tiles that are 2 * half pixels wide and 2 * up high; up = 0: without ground. */
bool sb_stage_make(sb_stage *stage, const sb_figures *figures, int half, int up);
void sb_stage_free(sb_stage *stage);

/* Grounds of pictures that are kept, so that a picture with the same terrain as an earlier one begins with a copy.
 * Threads share them and never wait for each other: whoever finds a place in use draws the ground again. What is kept
 * changes how long a picture takes and nothing else. */

/* Everything that a ground depends on. What follows the cells is not compared. */
typedef struct sb_ground_key {
    uint8_t width, height;
    uint8_t cells[SB_CELLS_MAX]; /* sb_ground, and SB_GROUND_BORDER */
} sb_ground_key;

typedef struct sb_kept_ground {
    atomic_int users; /* how many read it; -1: it is being drawn */
    bool is_drawn;
    sb_ground_key key;
    uint8_t *indexed; /* pixels as colour numbers */
    uint8_t *rgb;     /* pixels as colours; NULL if pictures have one byte a pixel */
} sb_kept_ground;

enum { SB_KEPT_MAX = 64 };
typedef struct sb_kept_grounds {
    int n;
    uint8_t *block; /* the pixels of all kept grounds */
    sb_kept_ground of[SB_KEPT_MAX];
} sb_kept_grounds;

/* Makes room for grounds of this many pixels; false without memory. `depth`: bytes a pixel, 1 or 3. */
bool sb_kept_make(sb_kept_grounds *kept, size_t pixels, int depth);
void sb_kept_free(sb_kept_grounds *kept);

/* Returns the ground with this key for reading, or the place where it may be drawn (`is_drawn` is then false), or NULL
 * if that place is in use. The caller gives it back by sb_kept_release. */
sb_kept_ground *sb_kept_take(sb_kept_grounds *kept, const sb_ground_key *key);
/* Makes a ground that was just drawn readable; the caller goes on reading. */
void sb_kept_drawn(sb_kept_ground *ground, const sb_ground_key *key);
void sb_kept_release(sb_kept_ground *ground);

/* Where things are in a picture of the look `isometric`. All numbers are pixels. */

enum { SB_PICTURE_LEAST = 64, SB_PICTURE_MOST = 1024, SB_PICTURE_USUAL = 512 };

/* From this half width on every fact can be told from a picture: each changes eight pixels or more
 * (tests/isometric_test.c). */
enum { SB_HALF_READABLE = 11 };

/* A tile is a rhombus of 2 * half by 2 * up. Cell (x,y) has the middle of its ground at
 * (left + (x - y) * half, top + (x + y) * up). */
typedef struct sb_layout {
    int side;  /* side of the picture */
    int panel; /* height of the panel, at the top */
    int half, up;
    int left, top;
} sb_layout;

/* Returns the largest half width of a tile with which a grid fits whose width and height add up to `sides`. */
int sb_layout_half(int side, int sides);
/* Lays out a grid for tiles of this half width, which is at most that of sb_layout_half. */
sb_layout sb_layout_of(int side, int half, int width, int height);

static inline int sb_layout_up(int half) { return half > 1 ? half * 3 / 4 : 1; }
static inline int sb_layout_panel(int side) { return 3 * side / 32; }
static inline int sb_layout_x(const sb_layout *l, sb_xy at) { return l->left + (at.x - at.y) * l->half; }
static inline int sb_layout_y(const sb_layout *l, sb_xy at) { return l->top + (at.x + at.y) * l->up; }

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
    sb_stage icons;                    /* sprites of the panel */
    sb_kept_grounds kept;
} sb_isometric;

/* What is drawn of an episode, and with which sprites. */
typedef struct sb_scene {
    const sb_isometric *isometric;
    const sb_episode *episode;
    const sb_sizes *sizes;
    sb_layout layout;
    sb_told told;
    sb_ground_key ground; /* the ground of each cell */
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
