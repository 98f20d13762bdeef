/* Indexed canvases: every pixel is the number of a colour. Nothing is blended, and only integers are used, so the same
 * calls give the same bytes on every machine. Colour 0 is transparent in what is drawn onto another canvas. */
#ifndef SB_BASE_PICTURES_CANVAS_H
#define SB_BASE_PICTURES_CANVAS_H

#include <stdint.h>

/* The pixels belong to whoever made the canvas: height rows of `width` bytes. */
typedef struct sb_canvas {
    int width, height;
    uint8_t *pixels;
} sb_canvas;

static inline uint8_t *sb_pixel(const sb_canvas *canvas, int x, int y) {
    return canvas->pixels + y * canvas->width + x;
}

/* The functions of this file write only inside the canvas. */
void sb_canvas_fill(const sb_canvas *canvas, int x, int y, int width, int height, uint8_t colour);
/* Draws a canvas with its upper left corner at (x,y), every pixel as a square of `scale` x `scale`. */
void sb_canvas_draw(const sb_canvas *canvas, int x, int y, const sb_canvas *what, int scale);
/* Makes a square canvas a copy of another one of the same size, turned clockwise by `quarters` of a full turn. */
void sb_canvas_turn(const sb_canvas *canvas, const sb_canvas *from, int quarters);

/* Glyphs of 3 x 5 dots: the digits 0 to 9, and the Roman C for a hundred. */
enum { SB_GLYPH_WIDTH = 3, SB_GLYPH_HEIGHT = 5, SB_GLYPH_HUNDRED = 10, SB_N_GLYPHS };
/* Draws a glyph; only its dots are written. */
void sb_canvas_glyph(const sb_canvas *canvas, int x, int y, int glyph, uint8_t colour);

#endif
