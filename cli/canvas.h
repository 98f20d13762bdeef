/* Pictures on a terminal: how it can draw pixels, and drawing them. */
#ifndef SB_CLI_CANVAS_H
#define SB_CLI_CANVAS_H

#include "base/out.h"
#include "exporters/image.h"

typedef enum cli_pixels {
    CLI_NO_PIXELS,
    CLI_HALF_BLOCKS, /* two pixels a character, one above the other */
    CLI_BLANKS,      /* two blanks a pixel, where the locale has no half blocks */
    CLI_KITTY        /* real pixels, by kitty's graphics protocol */
} cli_pixels;

typedef struct cli_canvas {
    cli_pixels pixels;
    bool has_all_colours; /* 24 bits a colour; else the 256 of xterm */
    bool keeps;           /* kitty: a picture stays when the next one is drawn */
} cli_canvas;

/* What a command may ask of the terminal. */
typedef struct cli_wish {
    const char *how; /* `kitty`, `blocks`, or `auto` and NULL: find out */
    bool is_asked;   /* the user wants pictures. Else they are drawn only where nothing speaks against it */
    bool color, always_color;
} cli_wish;

/* Finds out what standard output can draw, from the environment. A terminal is asked for kitty's protocol where
 * pictures are wanted, else only if its name says that it may know it. */
cli_canvas cli_canvas_find(const cli_wish *wish);

/* How many pixels stand beside each other in so many columns, and below each other in so many lines. */
int cli_canvas_across(const cli_canvas *canvas, int columns);
int cli_canvas_down(const cli_canvas *canvas, int lines);

/* Draws the picture. With kitty's protocol a line shows `line_pixels` pixels, and half as many are beside each other in
 * a column. */
bool cli_canvas_put(sb_out *out, const cli_canvas *canvas, const sb_image *image, int line_pixels, sb_error *error);

enum { CLI_KITTY_LINE = 16 /* pixels a line, unless a tile is to take one */ };

/* Makes a picture smaller: a square of `by` x `by` pixels becomes one, in that of its colours which is the rarest in
 * the picture, so that small things stay. */
void cli_shrink(sb_image *image, int by);

#endif
