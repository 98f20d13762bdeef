#include "evaluation/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- Lists of numbers ---- */

enum { LANES = 8, BLOCK = 128 };

/* numpy's sum of at most BLOCK numbers: eight lanes, folded in pairs. */
static double sum_block(const double *a, size_t n) {
    double lane[LANES], sum = 0;
    size_t i = 0;
    if (n >= LANES) {
        memcpy(lane, a, sizeof lane);
        for (i = LANES; i + LANES <= n; i += LANES)
            for (size_t k = 0; k < LANES; k++) lane[k] += a[i + k];
        sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
    for (; i < n; i++) sum += a[i];
    return sum;
}

/* Sums the squared distances of at most BLOCK numbers from a mean, as numpy does. */
static double sum_squares(const double *a, size_t n, double mean) {
    double squares[BLOCK];
    for (size_t i = 0; i < n; i++) squares[i] = (a[i] - mean) * (a[i] - mean);
    return sum_block(squares, n);
}

/* Sums the numbers, or, with a mean, their squared distances from it. Halves the list at a multiple of eight until it
 * is one block; the recursion is no deeper than n has bits. */
static double sum_pairwise(const double *a, size_t n, const double *mean) {
    if (n <= BLOCK) return mean ? sum_squares(a, n, *mean) : sum_block(a, n);
    const size_t half = n / 2 - n / 2 % LANES;
    return sum_pairwise(a, half, mean) + sum_pairwise(a + half, n - half, mean);
}

double sb_mean(const double *values, size_t n) { return n ? sum_pairwise(values, n, NULL) / (double)n : 0; }

double sb_deviation(const double *values, size_t n) {
    const double mean = sb_mean(values, n);
    return n ? sqrt(sum_pairwise(values, n, &mean) / (double)n) : 0;
}

double sb_pass_at(size_t n, size_t c, size_t k) {
    double fails = 1;
    if (n - c < k) return 1;
    if (k == 1) return (double)c / (double)n;
    for (size_t i = n - c + 1; i <= n; i++) fails *= 1 - (double)k / (double)i;
    return 1 - fails;
}

double sb_percentile(const double *sorted, size_t n, double percent) {
    const double place = (double)(n - 1) * (percent / 100);
    const size_t low = place >= (double)(n - 1) ? n - 1 : (size_t)place, high = low + 1 < n ? low + 1 : low;
    const double part = place - (double)low, step = sorted[high] - sorted[low];
    return part < 0.5 ? sorted[low] + step * part : sorted[high] - step * (1 - part);
}

/* Rounds to four decimals, as in the published tables. printf rounds the exact value of the double. */
static double rounded(double value) {
    char text[400];
    snprintf(text, sizeof text, "%.4f", value);
    return strtod(text, NULL);
}

int sb_by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- Bootstrap ---- */

const sb_bootstrap sb_usual_bootstrap = {.samples = 1000, .confidence = 0.95};

const sb_bootstrap *sb_bootstrap_of(unsigned version) {
    static const sb_bootstrap current = {.samples = 1000, .confidence = 0.95, .few = 100};
    return version == SB_INTERVALS_PUBLISHED ? &sb_usual_bootstrap : &current;
}

enum { BOOTSTRAP_SEED = 42 };

static double median(double *values, size_t n) {
    qsort(values, n, sizeof *values, sb_by_value);
    if (n % 2) return values[n / 2];
    return sb_mean(values + n / 2 - 1, 2);
}

static bool is_counted(const sb_bootstrap *how, size_t n) { return how->few && n > how->few; }

/* Draws a sample of n values, and takes its mean or median. A list that is sampled by counts lies in `room`, sorted. */
static double draw_sample(const sb_bootstrap *how, sb_rng *rng, const double *values, size_t n, double *room) {
    if (is_counted(how, n)) return sb_resampled_mean(rng, room, n);
    for (size_t i = 0; i < n; i++) room[i] = values[sb_bounded(rng, n - 1)];
    return how->median ? median(room, n) : sb_mean(room, n);
}

/* Draws from every stratum as many values as it has, and takes the mean of what the strata give. */
static double draw_statistic(const sb_bootstrap *how, sb_rng *rng, const double *values, const sb_strata *strata,
                             double *room) {
    double statistics[SB_STRATA_MAX];
    for (size_t s = 0; s < strata->n; s++) {
        const size_t n = strata->sizes[s];
        statistics[s] = draw_sample(how, rng, values, n, room);
        values += n, room += n;
    }
    return sb_mean(statistics, strata->n);
}

static void sort_counted(const sb_bootstrap *how, const double *values, const sb_strata *strata, double *room) {
    for (size_t s = 0; s < strata->n; s++) {
        const size_t n = strata->sizes[s];
        if (is_counted(how, n)) {
            memcpy(room, values, n * sizeof *room);
            qsort(room, n, sizeof *room, sb_by_value);
        }
        values += n, room += n;
    }
}

static void draw_statistics(const sb_bootstrap *how, const double *values, const sb_strata *strata, double *room,
                            double *statistics) {
    sb_rng rng;
    sort_counted(how, values, strata, room);
    sb_rng_seed(&rng, BOOTSTRAP_SEED, NULL);
    for (size_t k = 0; k < how->samples; k++) statistics[k] = draw_statistic(how, &rng, values, strata, room);
    qsort(statistics, how->samples, sizeof *statistics, sb_by_value);
}

bool sb_bootstrap_interval(const sb_bootstrap *how, const double *values, size_t n, sb_interval *interval,
                           sb_error *error) {
    const sb_strata whole = {.sizes = {n}, .n = 1};
    *interval = n ? (sb_interval){values[0], values[0]} : (sb_interval){0, 0};
    return n < 2 || sb_bootstrap_strata(how, values, &whole, interval, error);
}

bool sb_bootstrap_strata(const sb_bootstrap *how, const double *values, const sb_strata *strata, sb_interval *interval,
                         sb_error *error) {
    size_t n = 0;
    for (size_t s = 0; s < strata->n; s++) n += strata->sizes[s];
    double *room = malloc((n + how->samples) * sizeof *room);
    if (!room) return sb_fail(error, SB_MEMORY, "out of memory for an interval over %zu values", n);
    double *statistics = room + n;
    const double alpha = 1.0 - how->confidence;
    draw_statistics(how, values, strata, room, statistics);
    interval->lower = sb_percentile(statistics, how->samples, alpha / 2 * 100);
    interval->upper = sb_percentile(statistics, how->samples, (1.0 - alpha / 2) * 100);
    free(room);
    return true;
}

/* ---- Shares ---- */

static sb_interval wilson(double share, size_t n, double z) {
    if (!n) return (sb_interval){0, 1};
    const double zz = z * z / (double)n, middle = share + zz / 2;
    const double half = z * sqrt((share * (1 - share) + zz / 4) / (double)n);
    const double lower = (middle - half) / (1 + zz), upper = (middle + half) / (1 + zz);
    return (sb_interval){share > 0 && lower > 0 ? lower : 0, share < 1 && upper < 1 ? upper : 1};
}

sb_interval sb_wilson(double share, size_t n) { return wilson(share, n, SB_NORMAL_95); }

sb_interval sb_difference(double share, size_t n, double other, size_t n_other, double z) {
    const sb_interval a = wilson(share, n, z), b = wilson(other, n_other, z);
    const double down = sqrt((share - a.lower) * (share - a.lower) + (b.upper - other) * (b.upper - other)),
                 up = sqrt((a.upper - share) * (a.upper - share) + (other - b.lower) * (other - b.lower));
    return (sb_interval){share - other - down, share - other + up};
}

sb_interval sb_newcombe(double share, double other, size_t n) {
    return sb_difference(share, n, other, n, SB_NORMAL_95);
}

/* ---- Normalised returns ---- */

void sb_member_interval(sb_out *out, const char *key, const sb_interval *interval) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    sb_put_double(out, interval->lower);
    sb_put_comma(out);
    sb_put_double(out, interval->upper);
    sb_puts(out, "]");
}

double sb_normalised(double value, const sb_bounds *bounds) {
    const double way = bounds->optimal - bounds->random;
    if (fabs(way) < 1e-9) return value >= bounds->optimal ? 1 : 0;
    const double share = (value - bounds->random) / way;
    return share > 1 ? 1 : share > 0 ? share : 0;
}

/* ---- Totals ---- */

static sb_category_score *part_of(sb_total *total, const char *category, sb_error *error) {
    for (size_t i = 0; i < total->n_parts; i++)
        if (strcmp(total->parts[i].category, category) == 0) return &total->parts[i];
    if (total->n_parts == SB_CATEGORIES) {
        sb_fail(error, SB_INVALID, "at most %d categories are allowed", SB_CATEGORIES);
        return NULL;
    }
    sb_category_score *part = &total->parts[total->n_parts++];
    *part = (sb_category_score){.category = category};
    return part;
}

static size_t values_of(const sb_contribution *all, size_t n, const char *category, double *values) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].category, category) == 0) values[count++] = all[i].value;
    return count;
}

static bool begin(const sb_contribution *all, size_t n, sb_total *total, double **values, sb_error *error) {
    *total = (sb_total){0};
    for (size_t i = 0; i < n; i++) {
        sb_category_score *part = part_of(total, all[i].category, error);
        if (!part) return false;
        part->n++;
    }
    *values = calloc(n + 1, sizeof **values);
    return *values || sb_fail(error, SB_MEMORY, "out of memory for a score over %zu tasks", n);
}

static bool finish(sb_total *total, sb_error *error) {
    double scores[SB_CATEGORIES];
    for (size_t i = 0; i < total->n_parts; i++) scores[i] = total->parts[i].score;
    total->score = sb_mean(scores, total->n_parts);
    return sb_bootstrap_interval(&sb_usual_bootstrap, scores, total->n_parts, &total->interval, error);
}

bool sb_category_scores(const sb_contribution *tasks, size_t n, bool intervals, sb_total *total, sb_error *error) {
    double *values;
    if (!begin(tasks, n, total, &values, error)) return false;
    bool ok = true;
    for (size_t i = 0; i < total->n_parts && ok; i++) {
        sb_category_score *part = &total->parts[i];
        values_of(tasks, n, part->category, values);
        part->score = sb_mean(values, part->n);
        if (intervals) ok = sb_bootstrap_interval(&sb_usual_bootstrap, values, part->n, &part->interval, error);
    }
    free(values);
    return ok;
}

bool sb_capability(const sb_contribution *tasks, size_t n, sb_total *total, sb_error *error) {
    return sb_category_scores(tasks, n, true, total, error) && finish(total, error);
}

bool sb_leaderboard(const sb_contribution *pairs, size_t n, sb_total *total, sb_error *error) {
    double *values;
    if (!begin(pairs, n, total, &values, error)) return false;
    for (size_t i = 0; i < total->n_parts; i++) {
        sb_category_score *part = &total->parts[i];
        double sum = 0;
        values_of(pairs, n, part->category, values);
        for (size_t k = 0; k < part->n; k++) sum += values[k];
        part->score = rounded(sum / (double)part->n);
    }
    free(values);
    if (!finish(total, error)) return false;
    total->score = rounded(total->score);
    total->interval = (sb_interval){rounded(total->interval.lower), rounded(total->interval.upper)};
    return true;
}

bool sb_mean_of_pairs(const sb_contribution *pairs, size_t n, sb_total *total, sb_error *error) {
    *total = (sb_total){0};
    double *values = malloc((n + 1) * sizeof *values);
    if (!values) return sb_fail(error, SB_MEMORY, "out of memory for a score over %zu pairs", n);
    for (size_t i = 0; i < n; i++) values[i] = pairs[i].value;
    total->score = sb_mean(values, n);
    const bool ok = sb_bootstrap_interval(&sb_usual_bootstrap, values, n, &total->interval, error);
    free(values);
    return ok;
}
