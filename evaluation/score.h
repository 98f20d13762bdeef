/* The statistics behind the scores, each defined to the last bit: means as numpy adds, percentiles, bootstrap
 * intervals, normalised returns, and the three ways to make one number of many episodes (docs/evaluation.md, "Scores").
 */
#ifndef SB_SCORE_H
#define SB_SCORE_H

#include "seedbed.h"

/* Mean with numpy's pairwise sum; 0 of nothing. */
double sb_mean(const double *values, size_t n);
/* Population standard deviation. */
double sb_deviation(const double *values, size_t n);
/* Linear percentile, 0..100, of a sorted list; n > 0. */
double sb_percentile(const double *sorted, size_t n, double percent);

typedef struct sb_interval {
    double lower, upper;
} sb_interval;

typedef struct sb_bootstrap {
    size_t samples;
    double confidence;
    bool median; /* instead of the mean */
} sb_bootstrap;

/* 1000 samples, 95 %, of the mean: the interval behind every published number. */
extern const sb_bootstrap sb_usual_bootstrap;

/* The interval of a list, whose order matters; drawn from a generator of its own, so that equal lists give equal
 * intervals. Fails if memory runs out. */
bool sb_bootstrap_interval(const sb_bootstrap *how, const double *values, size_t n, sb_interval *interval,
                           sb_error *error);

/* What random actions and the best known policy get in a task and difficulty. */
typedef struct sb_bounds {
    double random, optimal;
} sb_bounds;

/* A return as a share of the way from random to optimal, limited to 0..1. */
double sb_normalised(double value, const sb_bounds *bounds);

/* ---- One number of many ---- */

enum { SB_CATEGORIES = 64 }; /* the most categories of a family */

/* What a task, or a task in a difficulty, contributes. */
typedef struct sb_contribution {
    const char *category;
    double value;
} sb_contribution;

typedef struct sb_category_score {
    const char *category;
    size_t n; /* contributions */
    double score;
    sb_interval interval;
} sb_category_score;

typedef struct sb_total {
    double score;
    sb_interval interval;
    sb_category_score parts[SB_CATEGORIES]; /* categories in the order in which they first contribute */
    size_t n_parts;
} sb_total;

/* The mean of the means of the categories, all categories equal; intervals over what was averaged. */
bool sb_capability(const sb_contribution *tasks, size_t n, sb_total *total, sb_error *error);
/* The published score, of the success rate of every task and difficulty, tasks sorted by name: the mean of the
 * categories' means, rounded at every stage. Categories have no interval: (0,0). */
bool sb_leaderboard(const sb_contribution *pairs, size_t n, sb_total *total, sb_error *error);
/* The plain mean over every task and difficulty; no parts. */
bool sb_mean_of_pairs(const sb_contribution *pairs, size_t n, sb_total *total, sb_error *error);

#endif
