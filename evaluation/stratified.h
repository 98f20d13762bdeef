/* Estimates a mean from a sample that was drawn from several lists, without replacement, so many from each: unbiased,
 * with an interval of 95 % that holds where plain ones do not, near 0 and 1 (docs/measured/budget.md). Only additions,
 * multiplications, divisions and square roots are used, so every system computes the same. */
#ifndef SB_STRATIFIED_H
#define SB_STRATIFIED_H

#include "evaluation/score.h"

/* A list, its share of the mean, and what was drawn of it: values of 0..1. */
typedef struct sb_stratum_sample {
    double weight; /* share of the mean; the shares of all lists add up to 1 */
    size_t of, drawn;
    double sum, squares; /* sums of the drawn values and of their squares */
} sb_stratum_sample;

typedef struct sb_estimate {
    double value, half; /* the estimate, and half the width of its interval before that is limited to 0..1 */
    sb_interval interval;
} sb_estimate;

/* Adds a value. */
static inline void sb_stratum_add(sb_stratum_sample *s, double value) {
    s->drawn++, s->sum += value, s->squares += value * value;
}
/* Whether enough of every list was drawn for an estimate: two values, or all. */
bool sb_can_estimate(const sb_stratum_sample *strata, size_t n);
sb_estimate sb_estimate_mean(const sb_stratum_sample *strata, size_t n);

#endif
