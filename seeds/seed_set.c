#include "seeds/seed_set.h"

#include <stdlib.h>

#include "base/error.h"

bool sb_seed_set_make(sb_seed_set *set, size_t n, sb_error *error) {
    size_t slots = 16;
    while (slots < 2 * n) slots *= 2;
    *set = (sb_seed_set){.slots = calloc(slots, sizeof *set->slots), .mask = slots - 1};
    return set->slots || sb_fail(error, SB_MEMORY, "out of memory for a set of %zu seeds", n);
}

void sb_seed_set_free(sb_seed_set *set) {
    free(set->slots);
    *set = (sb_seed_set){0};
}

/* Hashes a seed. User seeds may be 0, 1024, 2048 ... or differ only in their high halves, so all bits count. */
static size_t spread(uint64_t seed) { return (size_t)((seed ^ seed >> 32) * 0x9e3779b97f4a7c15 >> 32); }

/* Returns the seed's slot, or the empty slot where it would go. */
static uint64_t *find(const sb_seed_set *set, uint64_t seed) {
    size_t at = spread(seed);
    while (set->slots[at & set->mask] && set->slots[at & set->mask] != seed) at++;
    return &set->slots[at & set->mask];
}

bool sb_seed_set_add(sb_seed_set *set, uint64_t seed) {
    if (sb_seed_set_has(set, seed)) return false;
    if (seed == 0)
        set->has_zero = true;
    else
        *find(set, seed) = seed;
    return true;
}

bool sb_seed_set_has(const sb_seed_set *set, uint64_t seed) {
    return seed == 0 ? set->has_zero : *find(set, seed) == seed;
}
