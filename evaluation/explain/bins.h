/* Episodes in bins of a measure, which are the same for all agents. */
#ifndef SB_EXPLAIN_BINS_H
#define SB_EXPLAIN_BINS_H

#include "evaluation/explain/outcome.h"

enum { SB_BINS = 5, SB_BIN_LEAST = 20 };

/* A bin for each value if there are no more than SB_BINS. Otherwise at most SB_BINS of about as many episodes; equal
 * values share a bin, and none has less than 1/SB_BIN_LEAST of all. Bounds are values that occur. */
typedef struct sb_bins {
    size_t n;
    double lowest[SB_BINS], highest[SB_BINS];
} sb_bins;

/* Makes the bins of values in ascending order. */
sb_bins sb_bins_of(const double *values, size_t n);
/* The bin of a value among those that the bins were made of. */
size_t sb_bin_find(const sb_bins *bins, double value);

/* The share that an agent won of some episodes. */
typedef struct sb_share {
    size_t n;
    double won;           /* 0 to 1 */
    sb_interval interval; /* Wilson's, of 95 % */
} sb_share;

/* Counts the share that was won of the episodes in each bin; the share at the end is of those without a value. */
void sb_bins_count(const sb_bins *bins, sb_measure measure, const sb_outcomes *outcomes, sb_share shares[SB_BINS + 1]);

#endif
