/* States of worlds as few bytes, for searches: the values of what a step may change, written so that equal states have
 * equal bytes. Everything else is taken from a state of the same episode. */
#ifndef SB_AUTUMN_PACKED_H
#define SB_AUTUMN_PACKED_H

#include "engine/autumn/world.h"

/* Whether states of the program can be packed. If not (it changes things in place, asks for identities or for the order
 * of variables, or draws what it no longer remembers), sb_autumn_save and sb_autumn_restore do as well. */
bool sb_autumn_packs(const sb_autumn_program *program);

/* Prepares a state for packing and unpacking: from now on it must only be changed by sb_autumn_unpack, by steps, and by
 * sb_autumn_undo. Its memory is never tidied, and grows with every step until it is unpacked again. */
void sb_autumn_begin_packing(sb_autumn_state *state);
/* Writes the state, which was prepared. False: memory is out, or a variable was defined that the start had not. */
bool sb_autumn_pack(sb_autumn_state *state, sb_out *out);
/* Turns the state into one that was packed from it or from its copy; draws it. False: out of memory. */
bool sb_autumn_unpack(sb_autumn_state *state, const char *bytes, size_t n);
/* Takes the last step back, which must not be taken back twice. */
void sb_autumn_undo(sb_autumn_state *state);

/* Whether the last step, which went well, has left the state as it was before. False may mean that nobody knows. */
bool sb_autumn_has_stayed(const sb_autumn_state *state);

/* Finds out which clicks do the same, of a program that packs: the next step, which takes a click, leaves in `cells` a
 * bit for each place of a grid of this size, row by row, on which a click has the same effect. NULL: no step does. */
void sb_autumn_watch_clicks(sb_autumn_state *state, uint64_t *cells, uint32_t size);

#endif
