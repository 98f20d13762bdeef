#include "evaluation/score.h"

/* ---- Binomial numbers ---- */

static unsigned count_ones(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns how many of n fair coins show heads. */
static size_t toss(sb_rng *rng, size_t n) {
    size_t heads = 0;
    for (; n >= 64; n -= 64) heads += count_ones(sb_next64(rng));
    return n ? heads + count_ones(sb_next64(rng) >> (64 - n)) : heads;
}

/* A trial succeeds if a random number in [0,1) is below the chance. The first binary digit in which the two differ
 * decides; trials without such a digit so far are open, and half of them are decided by each digit. */
size_t sb_draw_binomial(sb_rng *rng, size_t n, uint64_t numerator, uint64_t denominator) {
    size_t successes = 0;
    if (numerator == denominator) return n;
    for (size_t open = n; open && numerator;) {
        const size_t zeros = toss(rng, open);
        numerator *= 2;
        if (numerator >= denominator) { /* the digit of the chance is 1: a 0 is below it, a 1 leaves the trial open */
            numerator -= denominator;
            successes += zeros;
            open -= zeros;
        } else {
            open = zeros;
        }
    }
    return successes;
}

/* ---- Samples ---- */

enum { LEAF = 64, LEAF_BITS = 6, PER_DRAW = 64 / LEAF_BITS };

/* Sums m values drawn from LEAF values: every number of 64 bits gives ten indices. */
static double sum_of_leaf(sb_rng *rng, const double *values, size_t m) {
    double sum = 0;
    for (size_t left; m; m -= left) {
        uint64_t bits = sb_next64(rng);
        left = m < PER_DRAW ? m : PER_DRAW;
        for (size_t i = 0; i < left; i++, bits >>= LEAF_BITS) sum += values[bits % LEAF];
    }
    return sum;
}

/* Sums m values drawn from n values. Longer lists are halved, at a multiple of LEAF: a binomial number says how many
 * values come from the first half. */
static double sum_of(sb_rng *rng, const double *sorted, size_t n, size_t m) {
    double sum = 0;
    if (m == 0) return 0;
    if (sorted[0] == sorted[n - 1]) return (double)m * sorted[0];
    if (n == LEAF) return sum_of_leaf(rng, sorted, m);
    if (n < LEAF) {
        for (size_t i = 0; i < m; i++) sum += sorted[sb_bounded(rng, n - 1)];
        return sum;
    }
    const size_t half = (n + LEAF) / (2 * LEAF) * LEAF;
    const size_t first = sb_draw_binomial(rng, m, half, n);
    sum = sum_of(rng, sorted, half, first);
    return sum + sum_of(rng, sorted + half, n - half, m - first);
}

double sb_resampled_mean(sb_rng *rng, const double *sorted, size_t n) {
    if (sorted[0] == sorted[n - 1]) return sorted[0];
    return sum_of(rng, sorted, n, n) / (double)n;
}
