/* The clean part of a program: what chance cannot touch (challenges 1). A static analysis marks variables as touched by
 * chance; the course of all others is the same in every realisation with the same actions. So some cells of a frame are
 * certain even where nobody can enumerate the draws. */
#ifndef SB_AUTUMN_CLEAN_H
#define SB_AUTUMN_CLEAN_H

#include "engine/autumn/autumn.h"

typedef struct sb_autumn_clean {
    const sb_autumn_program *program;
    bool *touched; /* by variable */
    bool *paints;  /* by string: a touched variable may paint with it; in lower case */
    bool nothing;  /* chance may touch the grid or the background, so no cell is certain */
} sb_autumn_clean;

/* The caller frees it. The program must outlive it. False: out of memory. */
bool sb_autumn_clean_find(const sb_autumn_program *program, sb_autumn_clean *clean);
void sb_autumn_clean_free(sb_autumn_clean *clean);

/* Finds out what the cells of a state's frame can show in any realisation of its course. `base` and `open` have room
 * for size * size items: what the clean variables make of a cell, the background if they leave it alone, and whether
 * touched variables may paint over that. */
void sb_autumn_clean_frame(const sb_autumn_clean *clean, const sb_autumn_state *state, uint32_t *base, bool *open);
/* Whether a frame of this size contradicts the clean part of a state with the same course of actions. `base` and `open`
 * are scratch memory as above. */
bool sb_autumn_clean_contradicts(const sb_autumn_clean *clean, const sb_autumn_state *state, const uint32_t *frame,
                                 uint32_t size, uint32_t *base, bool *open);

#endif
