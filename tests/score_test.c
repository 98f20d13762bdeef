/* Compares statistics and scores to the last bit with recorded ones and with the published leaderboard. */
#include "evaluation/score.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "tests/support.h"

static cJSON *load(const char *path) {
    sb_error error;
    sb_out text = sb_out_growing();
    assert_ok(sb_file_load(path, 8 << 20, &text, &error), error);
    cJSON *document = sb_json_parse(text.data, text.size, &error);
    assert_ok(document != NULL, error);
    sb_out_free(&text);
    return document;
}

static const cJSON *at(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) fail_msg("no `%s`", key);
    return item;
}

static double number(const cJSON *object, const char *key) { return at(object, key)->valuedouble; }

static size_t read_numbers(const cJSON *list, double *values, size_t capacity) {
    size_t n = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        assert_true(n < capacity);
        values[n++] = item->valuedouble;
    }
    return n;
}

static void assert_same(double found, double expected, const char *what) {
    if (memcmp(&found, &expected, sizeof found) != 0) fail_msg("%s: %.17g, not %.17g", what, found, expected);
}

static void assert_interval(const sb_interval *found, const cJSON *expected, const char *what) {
    double bounds[2] = {0};
    assert_int_equal(read_numbers(expected, bounds, 2), 2);
    assert_same(found->lower, bounds[0], what);
    assert_same(found->upper, bounds[1], what);
}

static void intervals_equal_the_recorded_ones(void **state) {
    (void)state;
    cJSON *vectors = load(golden("scoring.json"));
    const cJSON *one;
    size_t n_intervals = 0;
    cJSON_ArrayForEach(one, at(vectors, "bootstrap")) {
        double values[64] = {0};
        sb_interval interval;
        sb_error error;
        const size_t n = read_numbers(at(one, "values"), values, 64);
        const sb_bootstrap how = {.samples = (size_t)number(one, "n_bootstrap"),
                                  .confidence = number(one, "confidence"),
                                  .median = strcmp(at(one, "statistic")->valuestring, "median") == 0};
        assert_ok(sb_bootstrap_interval(&how, values, n, &interval, &error), error);
        assert_same(interval.lower, number(one, "lower"), "lower");
        assert_same(interval.upper, number(one, "upper"), "upper");
        n_intervals++;
    }
    assert_int_equal(n_intervals, 27);
    cJSON_Delete(vectors);
}

static const char *category_of(const char *task) {
    size_t index;
    sb_error error;
    assert_ok(sb_task_find(NULL, sb_families[0], task, &index, &error), error);
    return sb_families[0]->task(index)->category;
}

static double task_score(const cJSON *result, const cJSON *baseline, const cJSON *expected) {
    double values[64] = {0};
    sb_interval interval;
    sb_error error;
    const sb_bounds bounds = {number(baseline, "random_baseline"), number(baseline, "optimal_return")};
    const size_t n = read_numbers(at(result, "episode_returns"), values, 64);
    assert_same(sb_mean(values, n), number(expected, "mean"), "mean");
    assert_same(sb_deviation(values, n), number(expected, "std"), "std");
    for (size_t i = 0; i < n; i++) values[i] = sb_normalised(values[i], &bounds);
    assert_same(sb_mean(values, n), number(expected, "normalized"), "normalised");
    assert_ok(sb_bootstrap_interval(&sb_usual_bootstrap, values, n, &interval, &error), error);
    assert_interval(&interval, at(expected, "ci"), result->string);
    return sb_mean(values, n);
}

static void capability_scores_equal_the_recorded_ones(void **state) {
    (void)state;
    cJSON *vectors = load(golden("scoring.json"));
    const cJSON *example = at(vectors, "example"), *result;
    sb_contribution tasks[64];
    size_t n = 0;
    cJSON_ArrayForEach(result, at(example, "results")) {
        const char *task = result->string;
        const double score = task_score(result, at(at(example, "baselines"), task), at(at(example, "per_task"), task));
        tasks[n++] = (sb_contribution){category_of(task), score};
    }
    sb_total total;
    sb_error error;
    assert_ok(sb_capability(tasks, n, &total, &error), error);
    assert_same(total.score, number(example, "agentick_score"), "score");
    assert_interval(&total.interval, at(example, "agentick_score_ci"), "interval");
    const cJSON *capability = at(example, "per_capability")->child;
    for (size_t i = 0; i < total.n_parts; i++, capability = capability->next) {
        assert_string_equal(total.parts[i].category, capability->string);
        assert_same(total.parts[i].score, number(capability, "score"), capability->string);
        assert_interval(&total.parts[i].interval, at(capability, "ci"), capability->string);
    }
    assert_null(capability);
    cJSON_Delete(vectors);
}

/* 18 of the 29 complete published entries follow the published rules to the last digit; the others are older. */
static void leaderboard_scores_equal_the_published_ones(void **state) {
    (void)state;
    cJSON *published = load(SB_PUBLISHED);
    const cJSON *agent;
    size_t same = 0;
    cJSON_ArrayForEach(agent, at(published, "agents")) {
        sb_contribution pairs[148];
        size_t n = 0;
        const cJSON *task = at(published, "tasks")->child, *row, *rate;
        cJSON_ArrayForEach(row, at(agent, "success")) {
            cJSON_ArrayForEach(rate, row) {
                pairs[n++] = (sb_contribution){category_of(task->valuestring), rate->valuedouble};
            }
            task = task->next;
        }
        assert_int_equal(n, 148);
        sb_total total;
        sb_error error;
        double bounds[2] = {0};
        assert_ok(sb_leaderboard(pairs, n, &total, &error), error);
        read_numbers(at(agent, "interval"), bounds, 2);
        same += total.score == number(agent, "score") && total.interval.lower == bounds[0] &&
                total.interval.upper == bounds[1];
    }
    assert_int_equal(same, 18);
    cJSON_Delete(published);
}

static void no_value_and_one_value_have_scores(void **state) {
    (void)state;
    const double one[] = {0.25}, even[] = {1, 2, 3, 4};
    const sb_contribution alone = {"only", 0.5};
    sb_interval interval;
    sb_total total;
    sb_error error;
    assert_true(sb_mean(NULL, 0) == 0 && sb_deviation(NULL, 0) == 0);
    assert_ok(sb_bootstrap_interval(&sb_usual_bootstrap, NULL, 0, &interval, &error), error);
    assert_true(interval.lower == 0 && interval.upper == 0);
    assert_ok(sb_bootstrap_interval(&sb_usual_bootstrap, one, 1, &interval, &error), error);
    assert_true(interval.lower == 0.25 && interval.upper == 0.25);
    assert_true(sb_percentile(even, 4, 50) == 2.5 && sb_percentile(even, 4, 0) == 1 &&
                sb_percentile(even, 4, 100) == 4);
    assert_ok(sb_capability(&alone, 1, &total, &error), error);
    assert_true(total.score == 0.5 && total.n_parts == 1 && total.interval.upper == 0.5);
    assert_ok(sb_leaderboard(NULL, 0, &total, &error), error);
    assert_true(total.score == 0 && total.n_parts == 0);
}

static void normalised_returns_are_limited_and_equal_bounds_give_0_or_1(void **state) {
    (void)state;
    const sb_bounds rising = {-1, 1}, flat = {0.5, 0.5}, falling = {1, -1};
    assert_true(sb_normalised(0, &rising) == 0.5);
    assert_true(sb_normalised(-3, &rising) == 0 && sb_normalised(7, &rising) == 1);
    assert_true(sb_normalised(0.5, &flat) == 1 && sb_normalised(0.4, &flat) == 0);
    assert_true(sb_normalised(-1, &falling) == 1 && sb_normalised(0, &falling) == 0.5);
}

static void too_many_categories_are_refused(void **state) {
    (void)state;
    char names[SB_CATEGORIES + 1][8];
    sb_contribution tasks[SB_CATEGORIES + 1];
    sb_total total;
    sb_error error;
    for (size_t i = 0; i <= SB_CATEGORIES; i++) {
        snprintf(names[i], sizeof names[i], "c%zu", i);
        tasks[i] = (sb_contribution){names[i], 1};
    }
    assert_ok(sb_capability(tasks, SB_CATEGORIES, &total, &error), error);
    assert_error(sb_capability(tasks, SB_CATEGORIES + 1, &total, &error), &error, SB_INVALID, "64 categories");
}

/* Counts the ways to choose k of n by adding. */
static double ways(size_t n, size_t k) { return k == 0 ? 1 : n == 0 ? 0 : ways(n - 1, k - 1) + ways(n - 1, k); }

static void pass_at_k_is_the_share_of_choices_with_a_success(void **state) {
    (void)state;
    for (size_t n = 1; n <= 12; n++) {
        for (size_t c = 0; c <= n; c++) {
            assert_true(sb_pass_at(n, c, 1) == (double)c / (double)n);
            for (size_t k = 1; k <= n; k++) {
                assert_true(fabs(sb_pass_at(n, c, k) - (1 - ways(n - c, k) / ways(n, k))) < 1e-12);
                assert_true(k == 1 || sb_pass_at(n, c, k) >= sb_pass_at(n, c, k - 1));
            }
        }
    }
}

/* Every sample has as many values of each stratum, so what differs between strata widens no interval. */
static void strata_are_sampled_each_by_itself(void **state) {
    (void)state;
    static const double values[] = {0, 0, 0, 0, 1, 1, 0.25, 0.5, 0.75};
    const sb_strata constant = {.sizes = {4, 2}, .n = 2}, one = {.sizes = {9}, .n = 1},
                    some = {.sizes = {4, 2, 3}, .n = 3};
    sb_interval interval, whole;
    sb_error error;
    assert_ok(sb_bootstrap_strata(&sb_usual_bootstrap, values, &constant, &interval, &error), error);
    assert_true(interval.lower == 0.5 && interval.upper == 0.5);
    assert_ok(sb_bootstrap_strata(&sb_usual_bootstrap, values, &some, &interval, &error), error);
    assert_true(interval.lower > 0.41 && interval.lower < 0.5 && interval.upper > 0.5 && interval.upper < 0.59);
    assert_ok(sb_bootstrap_strata(&sb_usual_bootstrap, values, &one, &interval, &error), error);
    assert_ok(sb_bootstrap_interval(&sb_usual_bootstrap, values, 9, &whole, &error), error);
    assert_true(interval.lower == whole.lower && interval.upper == whole.upper);
}

/* ---- Sampling by counts ---- */

/* The chance of k successes in n trials, from one k to the next. */
static void fill_chances(size_t n, double p, double *chances) {
    chances[0] = pow(1 - p, (double)n);
    for (size_t k = 1; k <= n; k++) chances[k] = chances[k - 1] * (double)(n - k + 1) / (double)k * p / (1 - p);
}

/* Fails if the counts of `draws` numbers do not have these chances: chi-squared over the cells that expect at least
 * five, at five standard deviations above its mean. */
static void assert_distribution(const size_t *counts, size_t n, const double *chances, size_t draws, const char *what) {
    double chi = 0, left = (double)draws;
    size_t cells = 0, rest = draws;
    for (size_t k = 0; k <= n; k++) {
        const double due = chances[k] * (double)draws;
        if (due < 5) continue;
        chi += ((double)counts[k] - due) * ((double)counts[k] - due) / due;
        cells++, left -= due, rest -= counts[k];
    }
    if (left >= 5) chi += ((double)rest - left) * ((double)rest - left) / left, cells++;
    const double freedom = (double)cells - 1;
    if (chi > freedom + 5 * sqrt(2 * freedom) + 5) fail_msg("%s: chi-squared %.1f of %.0f", what, chi, freedom);
}

static void binomial_numbers_have_their_distribution(void **state) {
    (void)state;
    enum { DRAWS = 20000, MOST = 200 };
    static const size_t cases[][3] = {{1, 1, 2},    {3, 1, 3},      {7, 2, 7},      {63, 31, 64},   {64, 1, 64},
                                      {65, 64, 65}, {100, 99, 100}, {130, 50, 101}, {200, 64, 200}, {200, 3, 1000}};
    static double chances[MOST + 1];
    static size_t counts[MOST + 1];
    sb_rng rng;
    sb_rng_seed(&rng, 7, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t n = cases[i][0];
        char what[64];
        memset(counts, 0, sizeof counts);
        for (size_t k = 0; k < DRAWS; k++) counts[sb_draw_binomial(&rng, n, cases[i][1], cases[i][2])]++;
        fill_chances(n, (double)cases[i][1] / (double)cases[i][2], chances);
        snprintf(what, sizeof what, "%zu trials with the chance %zu/%zu", n, cases[i][1], cases[i][2]);
        assert_distribution(counts, n, chances, DRAWS, what);
    }
    assert_int_equal(sb_draw_binomial(&rng, 9, 0, 3), 0);
    assert_int_equal(sb_draw_binomial(&rng, 9, 3, 3), 9);
    assert_int_equal(sb_draw_binomial(&rng, 0, 1, 3), 0);
}

/* Of a list of zeros and ones the mean of a sample is a binomial number, wherever the ones begin. */
static void samples_by_counts_have_the_distribution_of_draws(void **state) {
    (void)state;
    enum { DRAWS = 8000, MOST = 400 };
    static const size_t cases[][2] = {{101, 1}, {128, 64}, {129, 65}, {150, 149}, {192, 5}, {257, 100}, {400, 3}};
    static double values[MOST], chances[MOST + 1];
    static size_t counts[MOST + 1];
    sb_rng rng;
    sb_rng_seed(&rng, 11, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t n = cases[i][0], ones = cases[i][1];
        char what[64];
        for (size_t k = 0; k < n; k++) values[k] = k >= n - ones;
        memset(counts, 0, sizeof counts);
        for (size_t k = 0; k < DRAWS; k++) counts[(size_t)(sb_resampled_mean(&rng, values, n) * (double)n + 0.5)]++;
        fill_chances(n, (double)ones / (double)n, chances);
        snprintf(what, sizeof what, "%zu ones among %zu", ones, n);
        assert_distribution(counts, n, chances, DRAWS, what);
    }
}

/* Of n different values, the mean of a sample has their mean, and their variance divided by n. */
static void samples_of_different_values_have_mean_and_variance(void **state) {
    (void)state;
    enum { DRAWS = 4000 };
    static double values[1000], means[DRAWS];
    sb_rng rng;
    sb_rng_seed(&rng, 13, NULL);
    for (size_t n = 101; n <= 1000; n += 299) {
        for (size_t k = 0; k < n; k++) values[k] = sqrt((double)k);
        for (size_t k = 0; k < DRAWS; k++) means[k] = sb_resampled_mean(&rng, values, n);
        const double due = sb_deviation(values, n) / sqrt((double)n);
        assert_true(fabs(sb_mean(means, DRAWS) - sb_mean(values, n)) < 5 * due / sqrt(DRAWS));
        assert_true(fabs(sb_deviation(means, DRAWS) / due - 1) < 5 / sqrt(2.0 * DRAWS));
    }
}

/* Short lists have the published intervals to the last bit; long ones nearly, in any order. */
static void versions_of_intervals_agree(void **state) {
    (void)state;
    static double values[2000], turned[2000];
    sb_rng rng;
    sb_rng_seed(&rng, 17, NULL);
    for (size_t k = 0; k < 2000; k++) values[k] = sb_bounded(&rng, 2) ? 0 : sb_random(&rng);
    for (size_t n = 2; n <= 2000; n = n * 3 / 2 + 1) {
        sb_interval published, current, other;
        sb_error error;
        for (size_t k = 0; k < n; k++) turned[k] = values[n - 1 - k];
        assert_ok(sb_bootstrap_interval(sb_bootstrap_of(SB_INTERVALS_PUBLISHED), values, n, &published, &error), error);
        assert_ok(sb_bootstrap_interval(sb_bootstrap_of(0), values, n, &current, &error), error);
        assert_ok(sb_bootstrap_interval(sb_bootstrap_of(SB_INTERVALS_CURRENT), turned, n, &other, &error), error);
        const double width = published.upper - published.lower;
        if (n <= 100) {
            assert_same(current.lower, published.lower, "lower");
            assert_same(current.upper, published.upper, "upper");
        } else {
            assert_same(current.lower, other.lower, "lower, in another order");
            assert_same(current.upper, other.upper, "upper, in another order");
            assert_true(fabs(current.lower - published.lower) < 0.15 * width);
            assert_true(fabs(current.upper - published.upper) < 0.15 * width);
            assert_true(current.lower != published.lower && current.upper != published.upper);
        }
    }
}

/* ---- Shares ---- */

static void assert_near(sb_interval found, double lower, double upper) {
    if (fabs(found.lower - lower) > 5e-5 || fabs(found.upper - upper) > 5e-5)
        fail_msg("%.5f..%.5f, not %.4f..%.4f", found.lower, found.upper, lower, upper);
}

/* The numbers are those of Newcombe's two papers in Statistics in Medicine 17 (1998). */
static void shares_have_the_intervals_of_wilson_and_newcombe(void **state) {
    (void)state;
    assert_near(sb_wilson(81.0 / 263, 263), 0.2553, 0.3662);
    assert_near(sb_wilson(15.0 / 148, 148), 0.0624, 0.1605);
    assert_near(sb_wilson(0, 20), 0, 0.1611);
    assert_near(sb_wilson(1.0 / 29, 29), 0.0061, 0.1718);
    assert_near(sb_newcombe(0, 0, 10), -0.2775, 0.2775);
    assert_near(sb_newcombe(1, 0, 10), 0.6075, 1);
    for (size_t n = 0; n <= 300; n++) {
        for (size_t k = 0; k <= n; k += n / 7 + 1) {
            const double share = n ? (double)k / (double)n : 0;
            const sb_interval one = sb_wilson(share, n), other = sb_wilson(1 - share, n);
            assert_true(0 <= one.lower && one.lower <= share && share <= one.upper && one.upper <= 1);
            assert_true(one.upper > one.lower && fabs(one.lower + other.upper - 1) < 1e-12);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strata_are_sampled_each_by_itself),
        cmocka_unit_test(binomial_numbers_have_their_distribution),
        cmocka_unit_test(samples_by_counts_have_the_distribution_of_draws),
        cmocka_unit_test(samples_of_different_values_have_mean_and_variance),
        cmocka_unit_test(versions_of_intervals_agree),
        cmocka_unit_test(shares_have_the_intervals_of_wilson_and_newcombe),
        cmocka_unit_test(intervals_equal_the_recorded_ones),
        cmocka_unit_test(capability_scores_equal_the_recorded_ones),
        cmocka_unit_test(leaderboard_scores_equal_the_published_ones),
        cmocka_unit_test(no_value_and_one_value_have_scores),
        cmocka_unit_test(normalised_returns_are_limited_and_equal_bounds_give_0_or_1),
        cmocka_unit_test(too_many_categories_are_refused),
        cmocka_unit_test(pass_at_k_is_the_share_of_choices_with_a_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
