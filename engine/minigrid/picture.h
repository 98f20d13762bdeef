/* MiniGrid's pictures, equal to the published ones (Farama MiniGrid) to the byte: docs/pictures.md, "BabyAI". */
#ifndef SB_MINIGRID_PICTURE_H
#define SB_MINIGRID_PICTURE_H

#include "engine/brush.h"

enum { SB_MG_TILE_MAX = 64 /* with larger tiles, equality is not claimed */, SB_MG_NO_AGENT = -1 };

/* Draws one tile, side x side x 3 bytes. `code`: (type, colour, state), as in observations; the published renderer's
 * floor (3), goal (8) and lava (9) are drawn too. `agent`: the agent's direction, or SB_MG_NO_AGENT. */
void sb_mg_draw_tile(const uint8_t code[3], int agent, bool highlight, int side, uint8_t *rgb);

extern const sb_picture_source sb_mg_pictures;

#endif
