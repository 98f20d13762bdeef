#include "evaluation/explain/correlation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/score.h"

enum { SAMPLES = 1000, SEED = 42 };

/* Outcomes in the order of each measure, and what is drawn of them. */
typedef struct correlating {
    sb_ordered *ordered[SB_N_MEASURES];
    size_t n_ordered[SB_N_MEASURES];
    size_t n;
    uint32_t *class_of; /* class of each outcome: outcomes that won as often are of one class */
    size_t n_classes;   /* number of classes, which ascend by their share */
    uint32_t *drawn;    /* how often each outcome was drawn */
    double *totals;     /* how many outcomes of each class were drawn */
    double *centred;    /* rank of each class, less the mean rank */
    double *samples;    /* correlations of all samples, measure by measure */
} correlating;

/* ---- Preparing ---- */

/* Numbers the classes; `totals` serves as the list of their shares meanwhile. */
static void classify(correlating *c, const sb_outcome *outcomes) {
    double *shares = c->totals;
    for (size_t i = 0; i < c->n; i++) shares[i] = outcomes[i].won;
    qsort(shares, c->n, sizeof *shares, sb_by_value);
    for (size_t i = 0; i < c->n; i++)
        if (i == 0 || shares[i] != shares[c->n_classes - 1]) shares[c->n_classes++] = shares[i];
    for (size_t i = 0; i < c->n; i++) {
        const double *found = bsearch(&outcomes[i].won, shares, c->n_classes, sizeof *shares, sb_by_value);
        c->class_of[i] = (uint32_t)(found - shares);
    }
}

static bool make_room(correlating *c, sb_error *error) {
    bool ok = true;
    c->class_of = malloc((c->n + 1) * sizeof *c->class_of);
    c->drawn = malloc((c->n + 1) * sizeof *c->drawn);
    c->totals = malloc((c->n + 1) * sizeof *c->totals);
    c->centred = malloc((c->n + 1) * sizeof *c->centred);
    c->samples = malloc(SB_N_MEASURES * SAMPLES * sizeof *c->samples);
    for (sb_measure m = 0; m < SB_N_MEASURES; m++) {
        if (!sb_explains(m)) continue;
        c->ordered[m] = malloc((c->n + 1) * sizeof *c->ordered[m]);
        ok = ok && c->ordered[m];
    }
    return (ok && c->class_of && c->drawn && c->totals && c->centred && c->samples) ||
           sb_fail(error, SB_MEMORY, "out of memory for the correlations of %zu outcomes", c->n);
}

static void end(correlating *c) {
    for (sb_measure m = 0; m < SB_N_MEASURES; m++) free(c->ordered[m]);
    free(c->class_of), free(c->drawn), free(c->totals), free(c->centred), free(c->samples);
}

/* ---- One correlation ---- */

/* Ranks the classes among the outcomes that have a value; returns the mean rank of all. `squares` receives the sum of
 * the squares of ranks less that mean. */
static double rank_classes(correlating *c, sb_measure m, double *squares) {
    const sb_ordered *ordered = c->ordered[m];
    double total = 0, below = 0;
    memset(c->totals, 0, c->n_classes * sizeof *c->totals);
    for (size_t i = 0; i < c->n_ordered[m]; i++) c->totals[c->class_of[ordered[i].index]] += c->drawn[ordered[i].index];
    for (size_t k = 0; k < c->n_classes; k++) total += c->totals[k];
    *squares = 0;
    for (size_t k = 0; k < c->n_classes; k++) {
        c->centred[k] = below + (c->totals[k] + 1) / 2 - (total + 1) / 2;
        below += c->totals[k];
        *squares += c->totals[k] * c->centred[k] * c->centred[k];
    }
    return (total + 1) / 2;
}

/* Correlates the outcomes that were drawn; 0 if all their values are equal, or all outcomes. */
static double correlation(correlating *c, sb_measure m) {
    const sb_ordered *ordered = c->ordered[m];
    double squares, products = 0, own_squares = 0, below = 0;
    const double mean = rank_classes(c, m, &squares);
    for (size_t i = 0, end; i < c->n_ordered[m]; i = end) {
        double total = 0, sum = 0;
        for (end = i; end < c->n_ordered[m] && ordered[end].value == ordered[i].value; end++) {
            const double drawn = c->drawn[ordered[end].index];
            total += drawn, sum += drawn * c->centred[c->class_of[ordered[end].index]];
        }
        const double centred = below + (total + 1) / 2 - mean;
        products += centred * sum, own_squares += total * centred * centred;
        below += total;
    }
    return squares > 0 && own_squares > 0 ? products / sqrt(squares * own_squares) : 0;
}

/* ---- All of them ---- */

static bool is_known(const correlating *c, sb_measure m) {
    const sb_ordered *ordered = c->ordered[m];
    const size_t n = c->n_ordered[m];
    bool differ = false;
    if (n < SB_CORRELATED_LEAST || ordered[0].value == ordered[n - 1].value) return false;
    for (size_t i = 1; i < n; i++) differ |= c->class_of[ordered[i].index] != c->class_of[ordered[0].index];
    return differ;
}

static void sample(correlating *c, const sb_correlation correlations[SB_N_MEASURES]) {
    sb_rng rng;
    sb_rng_seed(&rng, SEED, NULL);
    for (size_t s = 0; s < SAMPLES; s++) {
        memset(c->drawn, 0, c->n * sizeof *c->drawn);
        for (size_t i = 0; i < c->n; i++) c->drawn[sb_bounded(&rng, c->n - 1)]++;
        for (sb_measure m = 0; m < SB_N_MEASURES; m++)
            if (correlations[m].known) c->samples[m * SAMPLES + s] = correlation(c, m);
    }
}

static sb_interval interval_of(correlating *c, sb_measure m) {
    double *samples = &c->samples[m * SAMPLES];
    qsort(samples, SAMPLES, sizeof *samples, sb_by_value);
    return (sb_interval){sb_percentile(samples, SAMPLES, 2.5), sb_percentile(samples, SAMPLES, 97.5)};
}

static void correlate(correlating *c, const sb_outcome *outcomes, sb_correlation correlations[SB_N_MEASURES]) {
    classify(c, outcomes);
    for (size_t i = 0; i < c->n; i++) c->drawn[i] = 1;
    for (sb_measure m = 0; m < SB_N_MEASURES; m++) {
        if (!sb_explains(m)) continue;
        c->n_ordered[m] = sb_order_outcomes(outcomes, c->n, m, c->ordered[m]);
        correlations[m] = (sb_correlation){.n = c->n_ordered[m], .known = is_known(c, m)};
        if (correlations[m].known) correlations[m].value = correlation(c, m);
    }
    sample(c, correlations);
    for (sb_measure m = 0; m < SB_N_MEASURES; m++)
        if (correlations[m].known) correlations[m].interval = interval_of(c, m);
}

bool sb_correlate(const sb_outcome *outcomes, size_t n, sb_correlation correlations[SB_N_MEASURES], sb_error *error) {
    correlating c = {.n = n};
    memset(correlations, 0, SB_N_MEASURES * sizeof *correlations);
    if (!n) return true;
    const bool ok = make_room(&c, error);
    if (ok) correlate(&c, outcomes, correlations);
    end(&c);
    return ok;
}
