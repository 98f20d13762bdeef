/* The display that the engine brings: pairs of sprites, on and off, drawn over the frame (engine 4). The sprites of
 * pair i are number 2 i (on) and 2 i + 1 (off) of a scene. Pairs that were just made show both. */
#ifndef SB_ARC_DISPLAY_H
#define SB_ARC_DISPLAY_H

#include "engine/arc/scene.h"

/* Turns a pair on or off; false: there is no such pair. */
bool sb_arc_display_turn(sb_arc_scene *pairs, size_t pair, bool on);
/* The same for all pairs whose first sprite has the tag. */
void sb_arc_display_turn_all(sb_arc_scene *pairs, uint64_t tag, bool on);
/* The same for the first of them that is off (to turn on) or that was turned on (to turn off); whether there is one. */
bool sb_arc_display_turn_first(sb_arc_scene *pairs, uint64_t tag, bool on);
/* A pair is on if its first sprite is seen or can be touched; false: no such pair. */
bool sb_arc_display_is_on(const sb_arc_scene *pairs, size_t pair);
void sb_arc_display_draw(const sb_arc_scene *pairs, uint8_t frame[SB_ARC_FRAME]);

#endif
