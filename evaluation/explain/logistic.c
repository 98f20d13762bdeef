#include "evaluation/explain/logistic.h"

#include <math.h>
#include <string.h>

enum { STEPS = 50, HALVINGS = 30 };
static const double close_enough = 1e-9;

static double penalty_of(size_t weight) { return weight ? 1 : 1e-6; }

static double logit_of(const sb_logistic *f, const double *row) {
    double sum = 0;
    for (size_t k = 0; k < f->n; k++) sum += f->weights[k] * row[k];
    return sum;
}

static double chance_of(double logit) { return logit < 0 ? exp(logit) / (1 + exp(logit)) : 1 / (1 + exp(-logit)); }

double sb_logistic_chance(const sb_logistic *fitted, const double *row) { return chance_of(logit_of(fitted, row)); }

double sb_log_loss(double chance, double target) {
    static const double least = 1e-12;
    const double p = chance < least ? least : chance > 1 - least ? 1 - least : chance;
    return -(target * log(p) + (1 - target) * log(1 - p));
}

/* log(1 + exp(x)) */
static double soft_plus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

/* What the fit makes least: the loss of all rows, and the penalty. */
static double objective(const sb_logistic_data *d, const sb_logistic *f) {
    double sum = 0;
    for (size_t i = 0; i < d->n_rows; i++) {
        if (d->left_out && d->left_out[i]) continue;
        const double logit = logit_of(f, &d->rows[i * d->n]);
        sum += soft_plus(logit) - d->targets[i] * logit;
    }
    for (size_t k = 0; k < f->n; k++) sum += penalty_of(k) * f->weights[k] * f->weights[k] / 2;
    return sum;
}

/* The slope and the curvature of the objective; of the curvature only the lower half. */
typedef struct shape {
    double slope[SB_LOGISTIC_MAX], curvature[SB_LOGISTIC_MAX][SB_LOGISTIC_MAX];
} shape;

static void add_row(const double *row, size_t n, double miss, double weight, shape *s) {
    for (size_t k = 0; k < n; k++) {
        s->slope[k] += miss * row[k];
        for (size_t j = 0; j <= k; j++) s->curvature[k][j] += weight * row[k] * row[j];
    }
}

static void take_shape(const sb_logistic_data *d, const sb_logistic *f, shape *s) {
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < d->n_rows; i++) {
        const double *row = &d->rows[i * d->n];
        if (d->left_out && d->left_out[i]) continue;
        const double chance = sb_logistic_chance(f, row);
        add_row(row, d->n, chance - d->targets[i], chance * (1 - chance), s);
    }
    for (size_t k = 0; k < f->n; k++) {
        s->slope[k] += penalty_of(k) * f->weights[k];
        s->curvature[k][k] += penalty_of(k);
    }
}

/* Divides the slope by the curvature, which is positive definite because of the penalty (Cholesky). */
static void solve(shape *s, size_t n) {
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j <= k; j++) {
            double sum = s->curvature[k][j];
            for (size_t i = 0; i < j; i++) sum -= s->curvature[k][i] * s->curvature[j][i];
            s->curvature[k][j] = k == j ? sqrt(sum > 1e-12 ? sum : 1e-12) : sum / s->curvature[j][j];
        }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < k; i++) s->slope[k] -= s->curvature[k][i] * s->slope[i];
        s->slope[k] /= s->curvature[k][k];
    }
    for (size_t k = n; k--;) {
        for (size_t i = k + 1; i < n; i++) s->slope[k] -= s->curvature[i][k] * s->slope[i];
        s->slope[k] /= s->curvature[k][k];
    }
}

static double largest(const double *values, size_t n) {
    double most = 0;
    for (size_t k = 0; k < n; k++) most = fmax(most, fabs(values[k]));
    return most;
}

/* Goes along the step, half as far as long as that leads upwards. Returns the objective there; `before` if no part of
 * the step leads down. */
static double descend(const sb_logistic_data *d, const double *step, double before, sb_logistic *f) {
    const sb_logistic from = *f;
    for (int i = 0; i < HALVINGS; i++) {
        const double share = ldexp(1, -i);
        for (size_t k = 0; k < f->n; k++) f->weights[k] = from.weights[k] - share * step[k];
        const double after = objective(d, f);
        if (after < before) return after;
    }
    *f = from;
    return before;
}

void sb_logistic_fit(const sb_logistic_data *d, sb_logistic *f) {
    shape s;
    *f = (sb_logistic){.n = d->n};
    double now = objective(d, f);
    for (int i = 0; i < STEPS; i++) {
        take_shape(d, f, &s);
        solve(&s, f->n);
        const double after = descend(d, s.slope, now, f);
        if (!(after < now) || largest(s.slope, f->n) < close_enough) break;
        now = after;
    }
}
