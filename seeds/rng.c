#include "seeds/rng.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(sb_rng) == 2 * sizeof(sb_uint128) + 8 + sizeof(uint64_t), "padding would tell equal ones apart");

/* ---- Seeding: numpy's SeedSequence ------------------------------------------------------------------------------- */

enum { POOL = 4 };

/* Each word that goes in or comes out is mixed with another constant of a running sequence. */
typedef struct hash_sequence {
    uint32_t constant, multiplier;
} hash_sequence;

static uint32_t hash_next(hash_sequence *sequence, uint32_t value) {
    value ^= sequence->constant;
    sequence->constant *= sequence->multiplier;
    value *= sequence->constant;
    return value ^ value >> 16;
}

static uint32_t mix(uint32_t x, uint32_t y) {
    uint32_t value = 0xca01f9dd * x - 0x4973f715 * y;
    return value ^ value >> 16;
}

/* The loops here are unrolled, so that the compiler computes the sequences of constants. */
static void fill_pool(const uint32_t *words, size_t n, uint32_t pool[POOL]) {
    hash_sequence in = {0x43b0d7e5, 0x931e8875};
#pragma GCC unroll 4
    for (size_t i = 0; i < POOL; i++) pool[i] = hash_next(&in, i < n ? words[i] : 0);
#pragma GCC unroll 4
    for (size_t from = 0; from < POOL; from++)
#pragma GCC unroll 4
        for (size_t to = 0; to < POOL; to++)
            if (to != from) pool[to] = mix(pool[to], hash_next(&in, pool[from]));
    for (size_t i = POOL; i < n; i++)
        for (size_t to = 0; to < POOL; to++) pool[to] = mix(pool[to], hash_next(&in, words[i]));
}

static uint64_t pool_next64(hash_sequence *out, const uint32_t pool[POOL], size_t i) {
    uint64_t low = hash_next(out, pool[2 * i % POOL]);
    return low | (uint64_t)hash_next(out, pool[(2 * i + 1) % POOL]) << 32;
}

static inline void advance(sb_rng *rng) {
    const sb_uint128 multiplier = sb_uint128_of(0x2360ED051FC65DA4, 0x4385DF649FCCF645);
    rng->state = rng->state * multiplier + rng->increment;
}

void sb_rng_seed_words(sb_rng *rng, const uint32_t *words, size_t n) {
    uint32_t pool[POOL];
    uint64_t from_pool[4];
    hash_sequence out = {0x8b51f9dd, 0x58f38ded};
    fill_pool(words, n, pool);
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) from_pool[i] = pool_next64(&out, pool, i);
    *rng = (sb_rng){.increment = sb_uint128_of(from_pool[2], from_pool[3]) << 1 | 1};
    advance(rng);
    rng->state += sb_uint128_of(from_pool[0], from_pool[1]);
    advance(rng);
}

void sb_rng_seed_sum(sb_rng *rng, uint64_t seed, uint64_t addend, sb_draw_log *log) {
    const uint64_t low = seed + addend;
    const uint32_t words[3] = {(uint32_t)low, (uint32_t)(low >> 32), low < seed /* the 65th bit */};
    sb_rng_seed_words(rng, words, words[2] ? 3 : words[1] ? 2 : 1);
    rng->log = log;
    if (log) rng->number = sb_log_seed(log, low);
}

void sb_rng_seed(sb_rng *rng, uint64_t seed, sb_draw_log *log) { sb_rng_seed_sum(rng, seed, 0, log); }

/* ---- Raw draws --------------------------------------------------------------------------------------------------- */

uint64_t sb_next64(sb_rng *rng) {
    advance(rng);
    uint64_t folded = sb_high64(rng->state) ^ sb_low64(rng->state);
    unsigned rotation = (unsigned)(sb_high64(rng->state) >> 58);
    return folded >> rotation | folded << (-rotation & 63);
}

uint32_t sb_next32(sb_rng *rng) {
    if (rng->buffered) {
        uint32_t high = rng->buffer;
        rng->buffer = 0, rng->buffered = 0;
        return high;
    }
    uint64_t both = sb_next64(rng);
    rng->buffer = (uint32_t)(both >> 32), rng->buffered = 1;
    return (uint32_t)both;
}

/* Lemire's method: takes the high half of draw * range, and draws again for the few low halves that would favour some
 * results. The remainder is computed only if it can matter. */
static uint32_t bounded32(sb_rng *rng, uint32_t r) {
    const uint32_t range = r + 1;
    uint64_t product = (uint64_t)sb_next32(rng) * range;
    if ((uint32_t)product < range) {
        const uint32_t threshold = (UINT32_MAX - r) % range;
        while ((uint32_t)product < threshold) product = (uint64_t)sb_next32(rng) * range;
    }
    return (uint32_t)(product >> 32);
}

static uint64_t bounded64(sb_rng *rng, uint64_t r) {
    const uint64_t range = r + 1;
    sb_uint128 product = (sb_uint128)sb_next64(rng) * range;
    if (sb_low64(product) < range) {
        const uint64_t threshold = (UINT64_MAX - r) % range;
        while (sb_low64(product) < threshold) product = (sb_uint128)sb_next64(rng) * range;
    }
    return sb_high64(product);
}

uint64_t sb_bounded(sb_rng *rng, uint64_t r) {
    if (r == 0) return 0;
    if (r < UINT32_MAX) return bounded32(rng, (uint32_t)r);
    if (r == UINT32_MAX) return sb_next32(rng);
    return r < UINT64_MAX ? bounded64(rng, r) : sb_next64(rng);
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

double sb_random(sb_rng *rng) {
    const double result = (double)(sb_next64(rng) >> 11) * 0x1p-53;
    if (rng->log) sb_log_random(rng->log, rng->number, result);
    return result;
}

int64_t sb_integers(sb_rng *rng, int64_t low, int64_t high) {
    const uint64_t from = (uint64_t)low; /* unsigned, because high - low may not fit */
    int64_t result = (int64_t)(from + sb_bounded(rng, (uint64_t)high - 1 - from));
    if (rng->log) sb_log_integer(rng->log, rng->number, "integers", 2, (int64_t[]){low, high}, result);
    return result;
}

static inline int64_t below(sb_rng *rng, int64_t n) { return (int64_t)sb_bounded(rng, (uint64_t)n - 1); }

int64_t sb_integer_below(sb_rng *rng, int64_t n) {
    int64_t result = below(rng, n);
    if (rng->log) sb_log_integer(rng->log, rng->number, "integers", 1, &n, result);
    return result;
}

/* ---- Choices ----------------------------------------------------------------------------------------------------- */

int64_t sb_choice(sb_rng *rng, int64_t n) {
    int64_t result = below(rng, n);
    if (rng->log) sb_log_integer(rng->log, rng->number, "choice", 1, &n, result);
    return result;
}

int32_t sb_choice_of(sb_rng *rng, const int32_t *items, size_t n) {
    int32_t result = items[below(rng, (int64_t)n)];
    if (rng->log) sb_log_choice_of(rng->log, rng->number, items, n, result);
    return result;
}

void sb_choices(sb_rng *rng, int64_t n, size_t k, int64_t *out) {
    for (size_t i = 0; i < k; i++) out[i] = below(rng, n);
    if (rng->log) sb_log_choices(rng->log, rng->number, n, k, true, out);
}

/* Draws the last k places of a shuffle of 0..n-1. */
static bool choose_from_tail(sb_rng *rng, int64_t n, size_t k, int64_t *out) {
    int64_t *all = malloc((size_t)n * sizeof *all);
    if (!all) return false;
    for (int64_t i = 0; i < n; i++) all[i] = i;
    const int64_t first = n - (int64_t)k;
    for (int64_t i = n - 1; i >= first && i >= 1; i--) {
        int64_t j = below(rng, i + 1), item = all[i];
        all[i] = all[j], all[j] = item;
    }
    memcpy(out, all + first, k * sizeof *out);
    free(all);
    return true;
}

static bool holds(const int64_t *items, size_t n, int64_t item) {
    for (size_t i = 0; i < n; i++)
        if (items[i] == item) return true;
    return false;
}

/* Floyd's method, followed by a shuffle with Lemire's draws. */
static void choose_by_floyd(sb_rng *rng, int64_t n, size_t k, int64_t *out) {
    for (size_t i = 0; i < k; i++) {
        const int64_t last = n - (int64_t)(k - i), drawn = below(rng, last + 1);
        out[i] = holds(out, i, drawn) ? last : drawn;
    }
    for (size_t i = k; i-- > 1;) {
        const size_t j = (size_t)sb_bounded(rng, i);
        int64_t item = out[i];
        out[i] = out[j], out[j] = item;
    }
}

bool sb_choices_distinct(sb_rng *rng, int64_t n, size_t k, int64_t *out) {
    if (n > 10000 && (int64_t)k > n / 50) {
        if (!choose_from_tail(rng, n, k, out)) return false;
    } else {
        choose_by_floyd(rng, n, k, out);
    }
    if (rng->log) sb_log_choices(rng->log, rng->number, n, k, false, out);
    return true;
}

/* ---- Shuffles ---------------------------------------------------------------------------------------------------- */

static inline void swap_words(char *a, char *b, size_t width) {
    for (size_t i = 0; i < width; i++, a += 4, b += 4) {
        uint32_t kept, moved;
        memcpy(&kept, a, 4), memcpy(&moved, b, 4);
        memcpy(a, &moved, 4), memcpy(b, &kept, 4);
    }
}

/* All shuffles are this one, by Fisher and Yates with masked rejection: a cell and an int are one 32-bit word, a row is
 * several. A rejected draw swaps an item with itself, because the processor cannot predict a branch here. The generator
 * is copied to a local variable, because the compiler must assume that `items` may overlap it. */
static inline void shuffle_words(sb_rng *rng, void *items, size_t n, size_t width) {
    char *bytes = items;
    const size_t size = 4 * width;
    sb_rng local = *rng;
    uint32_t mask = UINT32_MAX;
    for (size_t i = n - 1; i + 1 > 1;) {
        while (mask >> 1 >= i) mask >>= 1;
        const size_t drawn = sb_next32(&local) & mask;
        const bool taken = drawn <= i;
        swap_words(bytes + i * size, bytes + (taken ? drawn : i) * size, width);
        i -= taken;
    }
    *rng = local;
}

static_assert(sizeof(sb_xy) == 4, "cells are shuffled as 32-bit words");

void sb_shuffle_xy(sb_rng *rng, sb_xy *items, size_t n) {
    shuffle_words(rng, items, n, 1);
    if (rng->log) sb_log_shuffle_xy(rng->log, rng->number, items, n);
}

void sb_shuffle_ints(sb_rng *rng, int32_t *items, size_t n) {
    shuffle_words(rng, items, n, 1);
    if (rng->log) sb_log_shuffle_ints(rng->log, rng->number, items, n);
}

void sb_shuffle_rows(sb_rng *rng, sb_xy *items, size_t n, size_t width) {
    shuffle_words(rng, items, n, width);
    if (rng->log) sb_log_shuffle_rows(rng->log, rng->number, items, n, width);
}

void sb_permutation(sb_rng *rng, int32_t *out, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = (int32_t)i;
    shuffle_words(rng, out, n, 1);
    if (rng->log) sb_log_permutation(rng->log, rng->number, out, n);
}
