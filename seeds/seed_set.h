/* A set of seeds, for finding repeated seeds and evaluation seeds: open addressing, at most half full. */
#ifndef SB_SEEDS_SEED_SET_H
#define SB_SEEDS_SEED_SET_H

#include "seedbed.h"

typedef struct sb_seed_set {
    uint64_t *slots; /* the seeds; 0: an empty slot */
    size_t mask;
    bool has_zero; /* the seed 0, which the slots cannot store */
} sb_seed_set;

/* Makes an empty set with room for n seeds; the caller must not add more. sb_seed_set_free frees it, and also accepts a
 * zeroed or failed set. */
bool sb_seed_set_make(sb_seed_set *set, size_t n, sb_error *error);
void sb_seed_set_free(sb_seed_set *set);
/* Adds the seed; returns whether it is new. */
bool sb_seed_set_add(sb_seed_set *set, uint64_t seed);
bool sb_seed_set_has(const sb_seed_set *set, uint64_t seed);

#endif
