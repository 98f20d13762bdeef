/* numpy's `default_rng`: SeedSequence and PCG64, bit for bit (docs/compatibility.md, "Random numbers").
 *
 * There are two ways to draw a bounded integer, and the published stream depends on which operation uses which:
 * shuffles and permutations use masked rejection, everything else uses Lemire's multiplication.
 *
 * A generator is a value: a copy draws the same numbers, and equal generators are equal bytes. Only sb_choices_distinct
 * allocates. Without a log, operations change only the generator and their output. */
#ifndef SB_SEEDS_RNG_H
#define SB_SEEDS_RNG_H

#include <stdint.h>

#include "seedbed.h"
#include "seeds/draw_log.h"

/* 128-bit arithmetic. Only this file uses the compiler extension (gcc and clang have it on 64-bit machines). */

__extension__ typedef unsigned __int128 sb_uint128;

static inline sb_uint128 sb_uint128_of(uint64_t high, uint64_t low) { return (sb_uint128)high << 64 | low; }
static inline uint64_t sb_high64(sb_uint128 value) { return (uint64_t)(value >> 64); }
static inline uint64_t sb_low64(sb_uint128 value) { return (uint64_t)value; }

typedef struct sb_rng {
    sb_uint128 state, increment;
    uint32_t buffer;   /* the high half of a 64-bit draw whose low half was used; 0 if nothing is buffered */
    uint16_t buffered; /* 1 if a half draw is buffered, else 0 */
    uint16_t number;   /* number of the generator in the log; 0 without a log */
    union {
        uint64_t room;    /* a pointer takes 8 bytes on every machine: keys of states are made of these bytes */
        sb_draw_log *log; /* NULL except while a recording is compared */
    };
} sb_rng;

/* Seeds from any 64-bit number; `log` may be NULL. */
void sb_rng_seed(sb_rng *rng, uint64_t seed, sb_draw_log *log);
/* Seeds from a sum that may need 65 bits: repeated attempts add to the seed. */
void sb_rng_seed_sum(sb_rng *rng, uint64_t seed, uint64_t addend, sb_draw_log *log);
/* Seeds from entropy of any length, not logged: 32-bit words, least significant first, without leading zero words (0 is
 * one word). */
void sb_rng_seed_words(sb_rng *rng, const uint32_t *words, size_t n);

/* Raw draws, not logged. */
uint64_t sb_next64(sb_rng *rng);
uint32_t sb_next32(sb_rng *rng);
/* Draws uniformly from 0..r by Lemire's method (`bounded`), not logged. r = 0 draws nothing. */
uint64_t sb_bounded(sb_rng *rng, uint64_t r);

double sb_random(sb_rng *rng);                               /* in [0,1) */
int64_t sb_integers(sb_rng *rng, int64_t low, int64_t high); /* low <= result < high; high > low */
int64_t sb_integer_below(sb_rng *rng, int64_t n);            /* integers(n), logged with one argument; n >= 1 */
int64_t sb_choice(sb_rng *rng, int64_t n);                   /* choice(n): an index; n >= 1 */
/* choice(sequence): returns one of the items; logged with all of them; n >= 1. */
int32_t sb_choice_of(sb_rng *rng, const int32_t *items, size_t n);
/* choice(n, size=k): k independent indices. */
void sb_choices(sb_rng *rng, int64_t n, size_t k, int64_t *out);
/* choice(n, size=k, replace=False): k <= n different indices, in O(k^2). For n > 10000 and k > n/50 it allocates n
 * numbers (no task does that); if memory runs out, it returns false and has drawn nothing. */
bool sb_choices_distinct(sb_rng *rng, int64_t n, size_t k, int64_t *out);

/* Shuffles in place; n < 2^32. Fewer than two items draw nothing. */
void sb_shuffle_xy(sb_rng *rng, sb_xy *items, size_t n);
void sb_shuffle_ints(sb_rng *rng, int32_t *items, size_t n);
/* Shuffles a list of n rows; each row of `width` cells moves as a whole. */
void sb_shuffle_rows(sb_rng *rng, sb_xy *items, size_t n, size_t width);
/* Gives 0..n-1 in random order; n < 2^31. */
void sb_permutation(sb_rng *rng, int32_t *out, size_t n);

#endif
