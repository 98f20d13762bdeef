/* Repeated runs: several results of one agent on the same episodes. What is averaged are the values of episodes, so a
 * mean over runs and episodes has two sources of chance, and its interval samples both. */
#ifndef SB_EVALUATION_RUNS_H
#define SB_EVALUATION_RUNS_H

#include "evaluation/score.h"

/* Values of the same episodes in every run: those of the first run, then those of the next. */
typedef struct sb_runs {
    const double *values;
    size_t runs, episodes;
} sb_runs;

double sb_runs_mean(const sb_runs *runs);
/* The mean of one run. */
double sb_run_mean(const sb_runs *runs, size_t run);
/* Computes the 95 % bootstrap interval of the mean, or, unless `less` is NULL, of the mean minus that of `less`, which
 * has the same episodes. Each of 1000 samples draws as many runs as there are, of one and then of the other, and as
 * many episodes, which are the same ones for all drawn runs. Fails if memory runs out. */
bool sb_runs_interval(const sb_runs *runs, const sb_runs *less, sb_interval *interval, sb_error *error);

#endif
