/* Means of bootstrap samples of long lists, drawn by how many values come from each part of the sorted list instead of
 * value by value. Such a sample has exactly the distribution of n independent draws, but equal values cost next to
 * nothing, and memory is read in order. Only integers are drawn, so every system draws the same. */
#ifndef SB_RESAMPLE_H
#define SB_RESAMPLE_H

#include "seeds/rng.h"

/* Draws how many of n independent trials succeed, each with the chance numerator/denominator <= 1. It is exact: every
 * trial compares as many binary digits of its chance as it takes. Expects to use n/32 numbers of 64 bits.
 * denominator < 2^63. */
size_t sb_draw_binomial(sb_rng *rng, size_t n, uint64_t numerator, uint64_t denominator);

/* Draws n values from n values in ascending order, with replacement, and returns their mean; n > 0. */
double sb_resampled_mean(sb_rng *rng, const double *sorted, size_t n);

#endif
