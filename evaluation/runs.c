#include "evaluation/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/score.h"
#include "seeds/rng.h"

enum { SAMPLES = 1000, BOOTSTRAP_SEED = 42 };

double sb_runs_mean(const sb_runs *r) { return sb_mean(r->values, r->runs * r->episodes); }

double sb_run_mean(const sb_runs *r, size_t run) { return sb_mean(r->values + run * r->episodes, r->episodes); }

/* Adds each episode's mean over runs that are drawn, times `sign`. */
static void add_drawn_runs(const sb_runs *r, double sign, sb_rng *rng, double *means) {
    for (size_t i = 0; i < r->runs; i++) {
        const double *run = r->values + sb_bounded(rng, r->runs - 1) * r->episodes;
        for (size_t k = 0; k < r->episodes; k++) means[k] += sign * run[k] / (double)r->runs;
    }
}

/* Draws the statistics; `room` has a place for each episode, twice. */
static void draw(const sb_runs *r, const sb_runs *less, double *room, double *statistics) {
    double *means = room, *sample = room + r->episodes;
    sb_rng rng;
    sb_rng_seed(&rng, BOOTSTRAP_SEED, NULL);
    for (size_t i = 0; i < SAMPLES; i++) {
        memset(means, 0, r->episodes * sizeof *means);
        add_drawn_runs(r, 1, &rng, means);
        if (less) add_drawn_runs(less, -1, &rng, means);
        for (size_t k = 0; k < r->episodes; k++) sample[k] = means[sb_bounded(&rng, r->episodes - 1)];
        statistics[i] = sb_mean(sample, r->episodes);
    }
    qsort(statistics, SAMPLES, sizeof *statistics, sb_by_value);
}

bool sb_runs_interval(const sb_runs *r, const sb_runs *less, sb_interval *interval, sb_error *error) {
    *interval = (sb_interval){0};
    if (!r->episodes || !r->runs) return true;
    double *room = malloc((2 * r->episodes + SAMPLES) * sizeof *room);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for an interval over %zu runs", r->runs);
    double *statistics = room + 2 * r->episodes;
    draw(r, less, room, statistics);
    interval->lower = sb_percentile(statistics, SAMPLES, 2.5);
    interval->upper = sb_percentile(statistics, SAMPLES, 97.5);
    free(room);
    return true;
}
