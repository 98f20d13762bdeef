/* A set of seeds, for "was this one there already" and "is this an evaluation seed": open addressing, at most half
 * full. */
#ifndef SB_SEEDS_SEED_SET_H
#define SB_SEEDS_SEED_SET_H

#include "seedbed.h"

typedef struct sb_seed_set {
    uint64_t *slots; /* 0: empty */
    size_t mask;
    bool has_zero; /* the one seed that the slots cannot tell from nothing */
} sb_seed_set;

/* An empty set with room for n seeds; adding more is the caller's error. Freed with sb_seed_set_free, which a zeroed or
 * failed set allows too. */
bool sb_seed_set_make(sb_seed_set *set, size_t n, sb_error *error);
void sb_seed_set_free(sb_seed_set *set);
/* Whether the seed is new. */
bool sb_seed_set_add(sb_seed_set *set, uint64_t seed);
bool sb_seed_set_has(const sb_seed_set *set, uint64_t seed);

#endif
