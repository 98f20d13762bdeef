#include "evaluation/explain/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* What is fitted: a row of numbers for each outcome. */
typedef struct fitting {
    sb_outcome *outcomes;
    size_t n;
    sb_model *model;
    double *rows, *targets, *losses, *gains;
    bool *left_out;
    size_t width; /* of rows: the constant and the features */
} fitting;

/* ---- Columns ---- */

/* Large and small values of a measure may be far apart. */
static double scaled(double value) { return copysign(log1p(fabs(value)), value); }

static double raw_value(const sb_outcome *outcome, const sb_feature *feature) {
    const double value = sb_outcome_value(outcome, feature->measure);
    return feature->missing ? isnan(value) : scaled(value);
}

/* Standardises the numbers that are not NaN, and puts 0, their mean, for the others; false if all are equal. */
static bool standardise(double *values, size_t stride, size_t n) {
    double sum = 0, squares = 0, lowest = INFINITY, highest = -INFINITY;
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        const double value = values[i * stride];
        if (isnan(value)) continue;
        known++, sum += value;
        lowest = fmin(lowest, value), highest = fmax(highest, value);
    }
    if (!(lowest < highest)) return false;
    const double mean = sum / (double)known;
    for (size_t i = 0; i < n; i++) {
        double *value = &values[i * stride];
        *value = isnan(*value) ? 0 : *value - mean;
        squares += *value * *value;
    }
    const double deviation = sqrt(squares / (double)known);
    for (size_t i = 0; i < n; i++) values[i * stride] /= deviation;
    return true;
}

/* Whether the same outcomes miss both measures. */
static bool miss_alike(const fitting *f, sb_measure a, sb_measure b) {
    bool alike = true;
    for (size_t i = 0; i < f->n; i++)
        alike &= isnan(sb_outcome_value(&f->outcomes[i], a)) == isnan(sb_outcome_value(&f->outcomes[i], b));
    return alike;
}

/* Whether an earlier feature tells that a measure is missing, and so that this one is. */
static bool is_told(const fitting *f, const sb_feature *feature) {
    for (size_t k = 0; feature->missing && k < f->model->n; k++)
        if (f->model->features[k].missing && miss_alike(f, f->model->features[k].measure, feature->measure))
            return true;
    return false;
}

/* Adds a column for the feature, unless it tells nothing. */
static void add_feature(fitting *f, sb_feature feature) {
    double *column = f->rows + f->model->n + 1;
    if (is_told(f, &feature)) return;
    for (size_t i = 0; i < f->n; i++) column[i * f->width] = raw_value(&f->outcomes[i], &feature);
    if (standardise(column, f->width, f->n)) f->model->features[f->model->n++] = feature;
}

/* Closes the gaps that are left by features which told nothing. */
static void narrow(fitting *f) {
    const size_t width = f->model->n + 1;
    for (size_t i = 0; i < f->n; i++) memmove(&f->rows[i * width], &f->rows[i * f->width], width * sizeof *f->rows);
    f->width = width;
}

static void make_columns(fitting *f) {
    for (size_t i = 0; i < f->n; i++) f->rows[i * f->width] = 1, f->targets[i] = f->outcomes[i].won;
    for (int missing = 0; missing < 2; missing++)
        for (sb_measure m = 0; m < SB_N_MEASURES; m++)
            if (sb_explains(m)) add_feature(f, (sb_feature){m, missing});
    narrow(f);
}

/* ---- Fitting ---- */

static sb_logistic_data data_of(const fitting *f) {
    return (sb_logistic_data){
        .rows = f->rows, .targets = f->targets, .left_out = f->left_out, .n_rows = f->n, .n = f->width};
}

/* The success rate of the episodes that are not left out, away from 0 and 1. */
static double base_rate(const fitting *f) {
    double won = 0.5, n = 1;
    for (size_t i = 0; i < f->n; i++)
        if (!f->left_out[i]) won += f->targets[i], n++;
    return won / n;
}

/* Gives the episodes of a fold the chances of a model that is fitted to the others. */
static void hold_out(fitting *f, unsigned fold) {
    sb_logistic fitted;
    for (size_t i = 0; i < f->n; i++) f->left_out[i] = f->outcomes[i].fold == fold;
    const sb_logistic_data data = data_of(f);
    const double base = base_rate(f);
    sb_logistic_fit(&data, &fitted);
    for (size_t i = 0; i < f->n; i++) {
        if (!f->left_out[i]) continue;
        f->outcomes[i].chance = sb_logistic_chance(&fitted, &f->rows[i * f->width]);
        f->losses[i] = sb_log_loss(f->outcomes[i].chance, f->targets[i]);
        f->gains[i] = sb_log_loss(base, f->targets[i]) - f->losses[i];
    }
}

static void fit_all(fitting *f) {
    sb_logistic fitted;
    memset(f->left_out, 0, f->n * sizeof *f->left_out);
    const sb_logistic_data data = data_of(f);
    sb_logistic_fit(&data, &fitted);
    memcpy(f->model->weights, fitted.weights + 1, f->model->n * sizeof *fitted.weights);
}

/* ---- Judging ---- */

static int by_chance(const void *a, const void *b) {
    const sb_outcome *const *x = a, *const *y = b;
    return ((*x)->chance > (*y)->chance) - ((*x)->chance < (*y)->chance);
}

/* Counts pairs of a won and a lost episode; equal chances count half. Part of an episode may be won. */
static double auc_of(const sb_outcome **sorted, size_t n) {
    double won = 0, lost = 0, pairs = 0;
    for (size_t i = 0, end; i < n; i = end) {
        double won_here = 0, lost_here = 0;
        for (end = i; end < n && sorted[end]->chance == sorted[i]->chance; end++)
            won_here += sorted[end]->won, lost_here += 1 - sorted[end]->won;
        pairs += won_here * (lost + lost_here / 2);
        won += won_here, lost += lost_here;
    }
    return pairs / (won * lost);
}

static bool judge(fitting *f, sb_error *error) {
    const sb_outcome **sorted = malloc(f->n * sizeof *sorted);
    if (!sorted) return sb_fail(error, SB_MEMORY, "out of memory for a model");
    for (size_t i = 0; i < f->n; i++) sorted[i] = &f->outcomes[i];
    qsort((void *)sorted, f->n, sizeof *sorted, by_chance);
    f->model->auc = auc_of(sorted, f->n);
    free((void *)sorted);
    f->model->loss = sb_mean(f->losses, f->n), f->model->gain = sb_mean(f->gains, f->n);
    f->model->base_loss = f->model->loss + f->model->gain;
    return sb_bootstrap_interval(&sb_usual_bootstrap, f->gains, f->n, &f->model->gain_interval, error);
}

static bool begin(fitting *f, sb_error *error) {
    f->width = SB_LOGISTIC_MAX;
    f->rows = malloc(f->n * f->width * sizeof *f->rows);
    f->targets = malloc(f->n * sizeof *f->targets);
    f->losses = malloc(f->n * sizeof *f->losses);
    f->gains = malloc(f->n * sizeof *f->gains);
    f->left_out = malloc(f->n * sizeof *f->left_out);
    return (f->rows && f->targets && f->losses && f->gains && f->left_out) ||
           sb_fail(error, SB_MEMORY, "out of memory for a model of %zu outcomes", f->n);
}

static void end(fitting *f) { free(f->rows), free(f->targets), free(f->losses), free(f->gains), free(f->left_out); }

static bool are_enough(const sb_outcome *outcomes, size_t n) {
    double won = 0;
    for (size_t i = 0; i < n; i++) won += outcomes[i].won;
    return won >= SB_MODEL_LEAST && (double)n - won >= SB_MODEL_LEAST;
}

bool sb_model_fit(sb_outcome *outcomes, size_t n, sb_model *model, sb_error *error) {
    fitting f = {.outcomes = outcomes, .n = n, .model = model};
    *model = (sb_model){.known = are_enough(outcomes, n)};
    if (!model->known) return true;
    bool ok = begin(&f, error);
    if (ok) {
        make_columns(&f);
        fit_all(&f);
        for (unsigned fold = 0; fold < SB_FOLDS; fold++) hold_out(&f, fold);
        ok = judge(&f, error);
    }
    end(&f);
    return ok;
}
