/* Drawing (render.md). */
#ifndef SB_AUTUMN_DRAW_H
#define SB_AUTUMN_DRAW_H

#include "engine/autumn/state.h"

/* Draws the globals and marks the occupied places; false: a fault was noted, and the last drawing stays. */
bool sb_au_draw_frame(sb_autumn_state *m);

#endif
