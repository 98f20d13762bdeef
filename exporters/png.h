/* Stills: one picture as a PNG file, by libpng, and back. */
#ifndef SB_EXPORTERS_PNG_H
#define SB_EXPORTERS_PNG_H

#include "base/out.h"
#include "seedbed/picture.h"

/* Appends a PNG file of width x height pixels, rows from the top without gaps. With a palette of n colours a pixel is
 * the number of a colour; palette = NULL: red, green and blue. The bytes depend on the version of the library. */
bool sb_put_png(sb_out *out, const uint8_t *pixels, int width, int height, const sb_rgb *palette, size_t n,
                sb_error *error);
/* Reads a PNG file of exactly that size as width x height x 3 bytes. Fails on any other file. */
bool sb_get_png(const void *bytes, size_t n, int width, int height, uint8_t *rgb, sb_error *error);

#endif
