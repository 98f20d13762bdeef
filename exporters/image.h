/* Pictures of episodes, and the files that hold them: stills and films. */
#ifndef SB_EXPORTERS_IMAGE_H
#define SB_EXPORTERS_IMAGE_H

#include "base/out.h"
#include "engine/environment.h"
#include "seedbed/picture.h"

/* A picture of an episode in memory of its own, which the next picture uses again. Zeroed, it is empty. */
typedef struct sb_image {
    int width, height;
    uint8_t *pixels; /* on the heap */
    size_t capacity;
} sb_image;

/* Draws the environment's state. Allocates only if the picture is larger than those before it. */
bool sb_image_draw(sb_image *image, const sb_brush *brush, const sb_env *env, sb_error *error);
void sb_image_free(sb_image *image);

/* Stills: one picture as a PNG file, by libpng, and back. */

/* Appends a PNG file of width x height pixels, rows from the top without gaps. With a palette of n colours a pixel is
 * the number of a colour; palette = NULL: red, green and blue. The bytes depend on the version of the library. */
bool sb_put_png(sb_out *out, const uint8_t *pixels, int width, int height, const sb_rgb *palette, size_t n,
                sb_error *error);
/* Reads a PNG file of exactly that size as width x height x 3 bytes. Fails on any other file. */
bool sb_get_png(const void *bytes, size_t n, int width, int height, uint8_t *rgb, sb_error *error);

/* Films: pictures of one size, one after another, as an animated GIF file, by giflib. Every frame after the first holds
 * only the rectangle that has changed. */

typedef struct sb_gif sb_gif;

/* Begins a film, which is appended to `out`; it repeats for ever. Each frame is shown for `delay` milliseconds, rounded
 * to hundredths of a second. The bytes depend on the version of the library. NULL on failure. */
sb_gif *sb_gif_make(sb_out *out, int width, int height, uint64_t delay, sb_error *error);
/* Adds a frame of width x height x 3 bytes. Fails if what has changed has more than 256 colours. */
bool sb_gif_add(sb_gif *gif, const uint8_t *rgb, sb_error *error);
/* Ends the film and frees it; NULL: does nothing. `ok` false: the film is given up. */
bool sb_gif_end(sb_gif *gif, bool ok, sb_error *error);

#endif
