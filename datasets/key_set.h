/* A set of 128-bit keys: slots of 16 bytes, of which at most two thirds are used, so 24 to 48 bytes for each key. */
#ifndef SB_DATASETS_KEY_SET_H
#define SB_DATASETS_KEY_SET_H

#include "seedbed.h"

typedef struct sb_key_set {
    uint64_t (*slots)[2]; /* {0,0}: empty; the key that is all zeros is stored as {0,1}. NULL: the set has no slots */
    size_t mask, n;
} sb_key_set;

/* Makes a set in which n keys have room. */
bool sb_key_set_make(sb_key_set *set, size_t n, sb_error *error);
/* Makes room for one key more. The set starts zeroed. */
bool sb_key_set_grow(sb_key_set *set, sb_error *error);
void sb_key_set_free(sb_key_set *set);

bool sb_key_set_has(const sb_key_set *set, const uint64_t key[2]);
/* Adds a key, for which there has to be room; false if it was in the set already. */
bool sb_key_set_add(sb_key_set *set, const uint64_t key[2]);

#endif
