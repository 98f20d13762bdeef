/* Whether success goes with a measure: Spearman's rank correlation, with equal values at the mean of their ranks. */
#ifndef SB_EXPLAIN_CORRELATION_H
#define SB_EXPLAIN_CORRELATION_H

#include "evaluation/explain/outcome.h"

typedef struct sb_correlation {
    bool known; /* there are enough values, and neither they nor the outcomes are all equal */
    size_t n;   /* outcomes that have a value */
    double value;
    sb_interval interval; /* 95 %, percentile bootstrap over outcomes: 1000 samples of a new default_rng(42) */
} sb_correlation;

enum { SB_CORRELATED_LEAST = 10 /* outcomes that a correlation needs */ };

/* Computes the correlations of all measures that explain. Only ranks are used, so every system computes the same. */
bool sb_correlate(const sb_outcome *outcomes, size_t n, sb_correlation correlations[SB_N_MEASURES], sb_error *error);

#endif
