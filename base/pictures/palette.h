/* A palette: the colours that the numbers of an indexed picture stand for. */
#ifndef SB_BASE_PICTURES_PALETTE_H
#define SB_BASE_PICTURES_PALETTE_H

#include <stdint.h>

enum { SB_COLOURS_MAX = 256 };

/* Colour 0 is black and stands for what lies outside of a picture's contents. */
typedef struct sb_palette {
    int n;
    uint8_t rgb[SB_COLOURS_MAX][3];
} sb_palette;

#endif
