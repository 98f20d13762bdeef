/* The statistics behind the scores, each defined to the last bit: means as numpy adds, percentiles, bootstrap
 * intervals, normalised returns, and the three ways to make one score of many episodes (docs/evaluation.md,
 * "Scores"). */
#ifndef SB_SCORE_H
#define SB_SCORE_H

#include "base/out.h"
#include "seedbed.h"
#include "seeds/rng.h"

/* Mean with numpy's pairwise sum; 0 for an empty list. */
double sb_mean(const double *values, size_t n);
/* Population standard deviation. */
double sb_deviation(const double *values, size_t n);
/* Estimates the chance that at least one of k attempts succeeds, if c of n attempts did: 1 - C(n-c, k) / C(n, k), which
 * is unbiased. 0 < k <= n. */
double sb_pass_at(size_t n, size_t c, size_t k);
/* Linear percentile, 0..100, of a sorted list; n > 0. */
double sb_percentile(const double *sorted, size_t n, double percent);

typedef struct sb_interval {
    double lower, upper;
} sb_interval;
/* Whether it says how uncertain a value is: a bootstrap of one value, or of equal ones, cannot. */
static inline bool sb_has_width(const sb_interval *interval) { return interval->upper > interval->lower; }

typedef struct sb_bootstrap {
    size_t samples;
    double confidence;
    bool median; /* intervals are of the median instead of the mean */
    size_t few;  /* lists longer than this are sampled by counts, if it is not 0; they have no median */
} sb_bootstrap;

/* 1000 samples, 95 %, of the mean: used for every published interval. */
extern const sb_bootstrap sb_usual_bootstrap;

/* Versions of intervals. Version 1 samples every list value by value, as the published benchmark does. Version 2 does
 * so with lists of at most 100 values, and samples longer ones by counts. */
enum { SB_INTERVALS_PUBLISHED = 1, SB_INTERVALS_CURRENT = 2 };
/* The usual bootstrap of a version; 0: the current one. */
const sb_bootstrap *sb_bootstrap_of(unsigned version);

/* Computes the interval of a list, whose order matters if it is sampled value by value. It has its own random
 * generator, so that equal lists give equal intervals. Fails if memory runs out. */
bool sb_bootstrap_interval(const sb_bootstrap *how, const double *values, size_t n, sb_interval *interval,
                           sb_error *error);

/* Computes the 95 % interval of Wilson (1927) for a share of n independent trials, without correction for continuity.
 * Unlike a bootstrap, it has a width where all or none succeeded. n = 0 gives (0,1). */
sb_interval sb_wilson(double share, size_t n);
/* The interval of Newcombe (1998) for share - other, both of n trials: each contributes the width of its own Wilson
 * interval. */
sb_interval sb_newcombe(double share, double other, size_t n);
/* The interval of Newcombe (1998) for share - other, which have different numbers of trials, with z standard
 * deviations instead of those of 95 %. */
sb_interval sb_difference(double share, size_t n, double other, size_t n_other, double z);
#define SB_NORMAL_95 1.959963984540054 /* the normal distribution has 2.5 % above it */

/* How many values of a list belong to its first stratum, how many to the next, and so on; none is empty. */
enum { SB_STRATA_MAX = 8 };
typedef struct sb_strata {
    size_t sizes[SB_STRATA_MAX], n;
} sb_strata;
/* Computes the interval of the mean of the strata's means: every sample draws from each stratum as many values as it
 * has. */
bool sb_bootstrap_strata(const sb_bootstrap *how, const double *values, const sb_strata *strata, sb_interval *interval,
                         sb_error *error);
/* Compares two doubles, for qsort and bsearch; there is no NaN. */
int sb_by_value(const void *a, const void *b);
/* Writes a member of an object: [lower, upper]. */
void sb_member_interval(sb_out *out, const char *key, const sb_interval *interval);

/* The returns of random actions and of the best known policy in a task and difficulty. */
typedef struct sb_bounds {
    double random, optimal;
} sb_bounds;

/* Returns how far a return is on the way from random (0) to optimal (1), limited to 0..1. */
double sb_normalised(double value, const sb_bounds *bounds);

/* ---- Scores ---- */

enum { SB_CATEGORIES = 64 }; /* largest number of categories in a family */

/* What a task, or a task in one difficulty, contributes. */
typedef struct sb_contribution {
    const char *category;
    double value;
} sb_contribution;

typedef struct sb_category_score {
    const char *category;
    size_t n; /* number of contributions */
    double score;
    sb_interval interval;
} sb_category_score;

typedef struct sb_total {
    double score;
    sb_interval interval;
    sb_category_score parts[SB_CATEGORIES]; /* categories, in order of their first contribution */
    size_t n_parts;
} sb_total;

/* The mean of the categories' means, with equal weights; intervals are over the averaged values. */
bool sb_capability(const sb_contribution *tasks, size_t n, sb_total *total, sb_error *error);
/* The means of the categories alone, without a total. Without `intervals`, which take long, these are (0,0). */
bool sb_category_scores(const sb_contribution *tasks, size_t n, bool intervals, sb_total *total, sb_error *error);
/* The published score, from the success rates of all tasks and difficulties, with tasks sorted by name: the mean of the
 * categories' means, rounded at every stage. Categories have no interval: (0,0). */
bool sb_leaderboard(const sb_contribution *pairs, size_t n, sb_total *total, sb_error *error);
/* The plain mean over all tasks and difficulties, without parts. */
bool sb_mean_of_pairs(const sb_contribution *pairs, size_t n, sb_total *total, sb_error *error);

/* Means of bootstrap samples of long lists, drawn by how many values come from each part of the sorted list instead of
 * value by value. Such a sample has exactly the distribution of n independent draws, but equal values cost next to
 * nothing, and memory is read in order. Only integers are drawn, so every system draws the same. */

/* Draws how many of n independent trials succeed, each with the chance numerator/denominator <= 1. It is exact: every
 * trial compares as many binary digits of its chance as it takes. Expects to use n/32 numbers of 64 bits.
 * denominator < 2^63. */
size_t sb_draw_binomial(sb_rng *rng, size_t n, uint64_t numerator, uint64_t denominator);

/* Draws n values from n values in ascending order, with replacement, and returns their mean; n > 0. */
double sb_resampled_mean(sb_rng *rng, const double *sorted, size_t n);

#endif
