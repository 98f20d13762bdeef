/* The challenge that an episode poses: taken from the catalogue, or derived from its name. */
#ifndef SB_AUTUMN_POSED_H
#define SB_AUTUMN_POSED_H

#include "engine/environment.h"
#include "generators/autumn/programs.h"
#include "generators/autumn/variants.h"

/* Copies of an episode share it. */
typedef struct sb_autumn_posed {
    sb_autumn_challenge challenge;
    uint32_t left, top, width, height; /* the smallest rectangle that holds the mask */
    _Atomic size_t users;
} sb_autumn_posed;

/* Poses the challenge that env->name names. Deriving it takes seconds, and up to a minute; a catalogue that has it
 * saves that. Both give the same challenge. NULL with an error: it cannot be derived, or the document of the catalogue
 * is none of this program. */
sb_autumn_posed *sb_autumn_pose(const sb_env *env, sb_error *error);
sb_autumn_posed *sb_autumn_posed_share(sb_autumn_posed *posed);
void sb_autumn_posed_release(sb_autumn_posed *posed);

#endif
