/* Stills: one picture as a PNG file, by libpng. */
#ifndef SB_EXPORTERS_PNG_H
#define SB_EXPORTERS_PNG_H

#include "base/out.h"
#include "seedbed/picture.h"

/* Appends a PNG file of width x height pixels, rows from the top without gaps. With a palette of n colours a pixel is
 * the number of a colour; palette = NULL: red, green and blue. The bytes depend on the version of the library. */
bool sb_put_png(sb_out *out, const uint8_t *pixels, int width, int height, const sb_rgb *palette, size_t n,
                sb_error *error);

#endif
