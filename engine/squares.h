/* Looks that show a grid of colours, a square in one colour for each cell. */
#ifndef SB_ENGINE_SQUARES_H
#define SB_ENGINE_SQUARES_H

#include "base/pictures/atlas.h"
#include "engine/brush.h"

/* Makes brush->tiles and the palette for `n` colours, given as 0xRRGGBB by number; squares have at most `most` pixels a
 * side. For sb_picture_source.make, with sb_squares_clear as its `clear`. */
bool sb_squares_make(sb_brush *brush, const uint32_t *colours, int n, int32_t most, sb_error *error);
void sb_squares_clear(sb_brush *brush);

/* The squares, one for each colour. */
const sb_atlas *sb_squares_atlas(const sb_brush *brush);

#endif
