/* The drawings of the look `isometric`, and the sprites that are made of them for each size of a tile. */
#ifndef SB_GRIDWORLD_FIGURES_H
#define SB_GRIDWORLD_FIGURES_H

#include "base/pictures/sprite.h"
#include "engine/gridworld/picture/signs.h"

/* What stands on cells and in the panel: a figure for each sign (signs.h), and for some signs others that tell more. */
enum {
    SB_FIGURE_ACROSS = SB_N_SIGNS,           /* doors between walls above and below: four closed ones, four open */
    SB_FIGURE_LIT = SB_FIGURE_ACROSS + 8,    /* switches that a task calls on, */
    SB_FIGURE_DARK,                          /* and off */
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

#endif
