/* Hashing and comparing states that are blocks of bytes, for the tables of this folder. */
#ifndef SB_BASE_SEARCH_STATES_H
#define SB_BASE_SEARCH_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t sb_state_mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static inline uint64_t sb_state_hash(const uint8_t *state, size_t size) {
    uint64_t hash = size, word;
    for (; size >= sizeof word; size -= sizeof word, state += sizeof word) {
        memcpy(&word, state, sizeof word);
        hash = sb_state_mix(hash, word);
    }
    if (size == 0) return sb_state_mix(hash, 0);
    word = 0;
    memcpy(&word, state, size);
    return sb_state_mix(sb_state_mix(hash, word), 0);
}

/* Many states are one word, which is compared at once. */
static inline bool sb_states_are_equal(const void *a, const void *b, size_t size) {
    uint64_t left, right;
    if (size != sizeof left) return memcmp(a, b, size) == 0;
    memcpy(&left, a, sizeof left), memcpy(&right, b, sizeof right);
    return left == right;
}

#endif
