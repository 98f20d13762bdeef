/* Reads drawings that are written as text, a letter a pixel.
 *
 *     # a comment
 *     colour g 8a4fd0         the letter and its red, green and blue
 *     drawing gem 6 6         name, width and height, then the rows
 *     ..gg..
 *
 * A dot is colour 0, which is transparent. Colours are numbered in their order, from 1. */
#ifndef SB_BASE_PICTURES_ART_H
#define SB_BASE_PICTURES_ART_H

#include <stdbool.h>

#include "base/pictures/canvas.h"
#include "base/pictures/palette.h"

enum { SB_DRAWINGS_MAX = 96, SB_ART_PIXELS = 8192, SB_DRAWING_NAME = 16 };

typedef struct sb_drawing {
    char name[SB_DRAWING_NAME];
    sb_canvas canvas;
} sb_drawing;

typedef struct sb_art {
    sb_palette palette;
    uint8_t colour_of[128]; /* the number of each letter's colour; 0: no colour has the letter */
    int n;
    sb_drawing drawings[SB_DRAWINGS_MAX];
    int n_pixels;
    uint8_t pixels[SB_ART_PIXELS];
} sb_art;

/* Reads a text. Returns the number of the first line that is wrong, or 0. The drawings point into `art`, so it must not
 * move. */
int sb_art_read(sb_art *art, const char *text);
/* Returns the drawing with this name; NULL if there is none. */
const sb_canvas *sb_art_find(const sb_art *art, const char *name);

#endif
