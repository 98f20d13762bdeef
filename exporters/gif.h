/* Films: pictures of one size, one after another, as an animated GIF file, by giflib. Every frame after the first holds
 * only the rectangle that has changed. */
#ifndef SB_EXPORTERS_GIF_H
#define SB_EXPORTERS_GIF_H

#include "base/out.h"

typedef struct sb_gif sb_gif;

/* Begins a film, which is appended to `out`; it repeats for ever. Each frame is shown for `delay` milliseconds, rounded
 * to hundredths of a second. The bytes depend on the version of the library. NULL on failure. */
sb_gif *sb_gif_make(sb_out *out, int width, int height, uint64_t delay, sb_error *error);
/* Adds a frame of width x height x 3 bytes. Fails if what has changed has more than 256 colours. */
bool sb_gif_add(sb_gif *gif, const uint8_t *rgb, sb_error *error);
/* Ends the film and frees it; NULL: does nothing. `ok` false: the film is given up. */
bool sb_gif_end(sb_gif *gif, bool ok, sb_error *error);

#endif
