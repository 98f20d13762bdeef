/* A picture that sprites and texts are drawn on: a byte a pixel, the number of a colour, or three, red, green and blue.
 * Nothing is drawn outside of it. */
#ifndef SB_BASE_PICTURES_SURFACE_H
#define SB_BASE_PICTURES_SURFACE_H

#include "base/pictures/font.h"
#include "base/pictures/palette.h"
#include "base/pictures/sprite.h"

typedef struct sb_surface {
    uint8_t *pixels;
    int width, height, depth; /* depth: bytes a pixel, 1 or 3 */
    const sb_palette *palette;
    const uint8_t *darker; /* for each colour the number of its shade */
    const uint8_t *ground; /* what shades darken: colour numbers, a byte a pixel; `pixels` itself if depth is 1 */
} sb_surface;

/* Draws runs of sprites; (x,y) is their origin. */
void sb_surface_put(const sb_surface *surface, const sb_sprites *sprites, const sb_sprite_runs *runs, int x, int y);
/* Draws runs of shade. */
void sb_surface_shade(const sb_surface *surface, const sb_sprites *sprites, const sb_sprite_runs *runs, int x, int y);
void sb_surface_fill(const sb_surface *surface, int x, int y, int width, int height, uint8_t colour);
/* Writes a text; (x,y) is its upper left corner, and every dot `scale` pixels wide. */
void sb_surface_write(const sb_surface *surface, sb_font font, int scale, int x, int y, const char *text,
                      uint8_t colour);
/* Makes red, green and blue of n colour numbers. They may be the last third of the room that is written to. */
void sb_surface_colour(const sb_palette *palette, const uint8_t *from, size_t n, uint8_t *rgb);

#endif
