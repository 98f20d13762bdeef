/* Challenges that are kept apart: those of a pack, by their names and by what they ask. */
#ifndef SB_AUTUMN_APART_H
#define SB_AUTUMN_APART_H

#include "generators/autumn/challenges/challenge.h"

/* Zeroed: nothing is kept apart. */
typedef struct sb_autumn_apart {
    uint64_t (*keys)[2]; /* hashes of names, and of what is asked */
    size_t n, capacity;
    char sha256[SB_SHA256_HEX]; /* of the file of the pack's tasks, unpacked */
} sb_autumn_apart;

/* Keeps a challenge apart. sb_autumn_pack_keep_apart does so with a pack. */
bool sb_autumn_apart_add(sb_autumn_apart *apart, const sb_autumn_challenge *c, sb_error *error);
/* Whether the pack has a challenge of this name. */
bool sb_autumn_apart_has_name(const sb_autumn_apart *apart, const sb_autumn_challenge_name *name);
/* Sets `*has` if the pack has this challenge under the same name, or one that asks the same: the goal on the same
 * cells, the same course with the same mask, or the same change. False: out of memory. */
bool sb_autumn_apart_has(const sb_autumn_apart *apart, const sb_autumn_challenge *c, bool *has, sb_error *error);
void sb_autumn_apart_free(sb_autumn_apart *apart);

#endif
