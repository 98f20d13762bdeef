#include "datasets/key_set.h"

#include <stdlib.h>

#include "base/error.h"

bool sb_key_set_make(sb_key_set *set, size_t n, sb_error *error) {
    size_t slots = 16;
    while (slots / 3 * 2 < n) slots *= 2;
    *set = (sb_key_set){.mask = slots - 1, .slots = calloc(slots, sizeof *set->slots)};
    return set->slots || sb_fail(error, SB_MEMORY, "out of memory for %zu keys", n);
}

void sb_key_set_free(sb_key_set *set) {
    free(set->slots);
    *set = (sb_key_set){0};
}

/* Returns the key's slot, or the empty slot where it belongs. */
static uint64_t *slot_of(const sb_key_set *set, const uint64_t key[2]) {
    size_t at = key[0] & set->mask;
    while ((set->slots[at][0] | set->slots[at][1]) && (set->slots[at][0] != key[0] || set->slots[at][1] != key[1]))
        at = (at + 1) & set->mask;
    return set->slots[at];
}

/* Gives the form in which a key is stored: no key is stored as an empty slot. */
static void stored(const uint64_t key[2], uint64_t to[2]) { to[0] = key[0], to[1] = key[0] | key[1] ? key[1] : 1; }

bool sb_key_set_has(const sb_key_set *set, const uint64_t key[2]) {
    uint64_t is[2];
    if (!set->slots) return false;
    stored(key, is);
    const uint64_t *slot = slot_of(set, is);
    return (slot[0] | slot[1]) != 0;
}

bool sb_key_set_add(sb_key_set *set, const uint64_t key[2]) {
    uint64_t is[2];
    stored(key, is);
    uint64_t *slot = slot_of(set, is);
    if (slot[0] | slot[1]) return false;
    slot[0] = is[0], slot[1] = is[1];
    set->n++;
    return true;
}

bool sb_key_set_grow(sb_key_set *set, sb_error *error) {
    sb_key_set larger;
    if (set->slots && (set->mask + 1) / 3 * 2 > set->n) return true;
    if (!sb_key_set_make(&larger, 2 * set->n + 1, error)) return false;
    for (size_t i = 0; set->slots && i <= set->mask; i++)
        if (set->slots[i][0] | set->slots[i][1]) sb_key_set_add(&larger, set->slots[i]);
    free(set->slots);
    *set = larger;
    return true;
}
