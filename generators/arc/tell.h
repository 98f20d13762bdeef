/* Helpers of games for the privileged mode: what is where, and variables, as members of a JSON object. */
#ifndef SB_ARC_TELL_H
#define SB_ARC_TELL_H

#include "engine/arc/game.h"

/* Puts an item of a list: a thing by its name, in a cell of the board. SB_ARC_NOWHERE: nothing is put. */
void sb_arc_tell_thing(sb_out *out, const sb_arc_level *level, const char *name, int cell, int layer);
/* Puts a member: a list of so many bits, the lowest first, as booleans; or of numbers. */
void sb_arc_tell_bits(sb_out *out, const char *key, unsigned bits, int n);
void sb_arc_tell_numbers(sb_out *out, const char *key, const uint8_t *numbers, int n);
/* Puts a member: rows as texts, a digit for each cell; cells are 0 to 9, row by row. */
void sb_arc_tell_rows(sb_out *out, const char *key, const uint8_t *cells, int width, int height);

#endif
