/* Logistic regression with a penalty on the squares of its weights (L2), by Newton's method. */
#ifndef SB_EXPLAIN_LOGISTIC_H
#define SB_EXPLAIN_LOGISTIC_H

#include <stdbool.h>
#include <stddef.h>

enum { SB_LOGISTIC_MAX = 32 /* weights, the constant included */ };

typedef struct sb_logistic {
    size_t n; /* number of weights */
    double weights[SB_LOGISTIC_MAX];
} sb_logistic;

/* What is fitted: rows of n numbers, the first of which is 1 and has the constant as its weight. Targets are shares of
 * 0 to 1. */
typedef struct sb_logistic_data {
    const double *rows, *targets;
    const bool *left_out; /* rows that do not count; NULL: all do */
    size_t n_rows, n;
} sb_logistic_data;

/* Fits the weights with the penalty 1/2 sum w^2 (the constant's is a millionth of that, so that there always is a
 * finite one). Weights agree on all machines as far as exp and log do: show few digits. */
void sb_logistic_fit(const sb_logistic_data *data, sb_logistic *fitted);
/* The chance of success. */
double sb_logistic_chance(const sb_logistic *fitted, const double *row);
/* The loss of a chance, where `target` is the share that succeeded: the mean of -log of the chance that was given to
 * what happened. */
double sb_log_loss(double chance, double target);

#endif
