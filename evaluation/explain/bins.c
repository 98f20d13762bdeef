#include "evaluation/explain/bins.h"

#include <math.h>

/* How many values at the beginning are equal. */
static size_t count_equal(const double *values, size_t n) {
    size_t same = 1;
    while (same < n && values[same] == values[0]) same++;
    return same;
}

static bool are_few(const double *values, size_t n) {
    size_t distinct = 0;
    for (size_t i = 0; i < n && distinct <= SB_BINS; i += count_equal(values + i, n - i)) distinct++;
    return distinct <= SB_BINS;
}

/* How many values the next bin takes at least: its share of what those before it left, but not too few. */
static size_t due(const sb_bins *bins, size_t left, size_t least) {
    const size_t bins_left = SB_BINS - bins->n, share = (left + bins_left - 1) / bins_left;
    return share > least ? share : least;
}

sb_bins sb_bins_of(const double *values, size_t n) {
    const bool few = are_few(values, n);
    const size_t least = few ? 1 : (n + SB_BIN_LEAST - 1) / SB_BIN_LEAST;
    sb_bins bins = {0};
    for (size_t at = 0; at < n; bins.n++) {
        const size_t left = n - at, wanted = few ? 1 : due(&bins, left, least);
        size_t taken = 0;
        while (taken < left && (taken < wanted || left - taken < least))
            taken += count_equal(values + at + taken, left - taken);
        bins.lowest[bins.n] = values[at], bins.highest[bins.n] = values[at + taken - 1];
        at += taken;
    }
    return bins;
}

size_t sb_bin_find(const sb_bins *bins, double value) {
    size_t bin = 0;
    while (bin + 1 < bins->n && value > bins->highest[bin]) bin++;
    return bin;
}

void sb_bins_count(const sb_bins *bins, sb_measure measure, const sb_outcomes *outcomes, sb_share shares[SB_BINS + 1]) {
    for (size_t i = 0; i <= SB_BINS; i++) shares[i] = (sb_share){0};
    for (size_t i = 0; i < outcomes->n; i++) {
        const double value = sb_outcome_value(&outcomes->all[i], measure);
        sb_share *share = &shares[isnan(value) ? SB_BINS : sb_bin_find(bins, value)];
        share->n++, share->won += outcomes->all[i].won;
    }
    for (size_t i = 0; i <= SB_BINS; i++) {
        if (shares[i].n) shares[i].won /= (double)shares[i].n;
        shares[i].interval = sb_wilson(shares[i].won, shares[i].n);
    }
}
