/* What a report says with the help of the atlas: correlations, models and thresholds of agents that are made up, of
 * which the truth is known. explained_test.py has the report itself. */
#include "evaluation/explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

static sb_error error;

/* ---- Agents that are made up ---- */

enum { MOST = 4000 };

static sb_atlas_row rows[MOST];
static sb_outcome outcomes[MOST];

/* Makes rows in which no measure has a value. The names of different batches are different. */
static void make_rows(size_t n, uint64_t batch) {
    assert_true(n <= MOST);
    for (size_t i = 0; i < n; i++) {
        rows[i] = (sb_atlas_row){.name = {"agentick", "GoToGoal-v0", "easy", batch * MOST + i}};
        for (sb_measure m = 0; m < SB_N_MEASURES; m++) rows[i].values[m] = NAN, rows[i].missing[m] = SB_LACKS_GRID;
        outcomes[i] = (sb_outcome){.row = &rows[i], .chance = NAN};
        sb_outcome_draw(&outcomes[i]);
    }
}

/* Gives every measure that explains values like those of real ones: steps, sixteenths, shares; some are missing. */
static void make_values(size_t n, sb_rng *rng) {
    for (size_t i = 0; i < n; i++)
        for (sb_measure m = 0; m < SB_N_MEASURES; m++) {
            const double share = sb_random(rng);
            if (!sb_explains(m) || (m == SB_MEASURE_HIDDEN && share < 0.3)) continue;
            rows[i].values[m] = m == SB_MEASURE_TRAPS    ? floor(17 * share * share) / 16
                                : m == SB_MEASURE_GREEDY ? share < 0.5
                                : m == SB_MEASURE_STEPS  ? 1 + floor(60 * share)
                                                         : share;
        }
}

static void assert_near(double found, double expected, double apart) {
    if (!(fabs(found - expected) <= apart)) fail_msg("%.12g is not within %g of %.12g", found, apart, expected);
}

/* ---- Correlations ---- */

static sb_correlation correlate(size_t n) {
    sb_correlation all[SB_N_MEASURES];
    assert_ok(sb_correlate(outcomes, n, all, &error), error);
    return all[SB_MEASURE_STEPS];
}

static void test_a_rising_measure_correlates_fully(void **state) {
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        make_rows(50, 0);
        for (size_t i = 0; i < 50; i++)
            rows[i].values[SB_MEASURE_STEPS] = exp((double)i), outcomes[i].won = (double)(falls ? 49 - i : i) / 50;
        const sb_correlation c = correlate(50);
        assert_true(c.known && c.n == 50);
        const double due = falls ? -1 : 1;
        assert_near(c.value, due, 1e-12);
        assert_near(c.interval.lower, due, 1e-12), assert_near(c.interval.upper, due, 1e-12);
    }
}

/* The mean rank of a value among all, counted from one. */
static double rank_of(const double *values, size_t n, double value) {
    double below = 0, same = 0;
    for (size_t i = 0; i < n; i++) below += values[i] < value, same += values[i] == value;
    return below + (same + 1) / 2;
}

/* Pearson's correlation of the ranks. */
static double slow_correlation(const double *x, const double *y, size_t n) {
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        const double a = rank_of(x, n, x[i]) - (double)(n + 1) / 2, b = rank_of(y, n, y[i]) - (double)(n + 1) / 2;
        xx += a * a, yy += b * b, xy += a * b;
    }
    return xy / sqrt(xx * yy);
}

static void test_correlations_are_those_of_mean_ranks(void **state) {
    sb_rng rng;
    (void)state;
    sb_rng_seed(&rng, 1, NULL);
    for (uint64_t batch = 0; batch < 20; batch++) {
        double x[200], y[200];
        const size_t n = 20 + 9 * batch;
        size_t n_known = 0;
        make_rows(n, batch);
        for (size_t i = 0; i < n; i++) {
            outcomes[i].won = (double)sb_bounded(&rng, batch % 4 + 1) / (double)(batch % 4 + 1);
            if (sb_bounded(&rng, 9) == 0) continue;
            rows[i].values[SB_MEASURE_STEPS] = (double)sb_bounded(&rng, batch + 1);
            x[n_known] = rows[i].values[SB_MEASURE_STEPS], y[n_known++] = outcomes[i].won;
        }
        const sb_correlation c = correlate(n);
        assert_true(c.known);
        assert_int_equal(c.n, n_known);
        assert_near(c.value, slow_correlation(x, y, n_known), 1e-9);
        assert_true(c.interval.lower <= c.value && c.value <= c.interval.upper);
    }
}

static void test_what_is_all_equal_does_not_correlate(void **state) {
    (void)state;
    make_rows(40, 0);
    for (size_t i = 0; i < 40; i++) rows[i].values[SB_MEASURE_STEPS] = (double)i;
    assert_false(correlate(40).known); /* all lost */
    for (size_t i = 0; i < 40; i++) rows[i].values[SB_MEASURE_STEPS] = 3, outcomes[i].won = i % 2;
    assert_false(correlate(40).known);
    for (size_t i = 0; i < 40; i++) rows[i].values[SB_MEASURE_STEPS] = i < 9 ? (double)i : NAN;
    assert_false(correlate(40).known); /* too few */
    assert_false(correlate(0).known);
}

enum { LEVELS = 10 };

/* An agent whose chance falls with the level. */
static double chance_at(size_t level) { return 0.9 - 0.06 * (double)level; }

/* The correlation in endless lists: that of the places of level and outcome, with equal ones in the middle. */
static double true_correlation(void) {
    double mean = 0, product = 0;
    for (size_t k = 0; k < LEVELS; k++) mean += chance_at(k) / LEVELS;
    for (size_t k = 0; k < LEVELS; k++) product += (((double)k + 0.5) / LEVELS - 0.5) * chance_at(k) / LEVELS / 2;
    const double own = (1 - 1.0 / (LEVELS * LEVELS)) / 12, outcome = mean * (1 - mean) / 4;
    return product / sqrt(own * outcome);
}

static void test_intervals_of_correlations_cover(void **state) {
    enum { LISTS = 400, N = 200 };
    sb_rng rng;
    size_t covered = 0;
    (void)state;
    sb_rng_seed(&rng, 2, NULL);
    for (uint64_t batch = 0; batch < LISTS; batch++) {
        make_rows(N, batch);
        for (size_t i = 0; i < N; i++) {
            const size_t level = sb_bounded(&rng, LEVELS - 1);
            rows[i].values[SB_MEASURE_STEPS] = (double)level, outcomes[i].won = sb_random(&rng) < chance_at(level);
        }
        const sb_correlation c = correlate(N);
        covered += c.interval.lower <= true_correlation() && true_correlation() <= c.interval.upper;
    }
    print_message("correlations: %zu of %d intervals cover\n", covered, LISTS);
    assert_in_range(covered, LISTS * 92 / 100, LISTS * 98 / 100);
}

/* ---- Logistic regression ---- */

enum { COLUMNS = 4 };
static double table[MOST][COLUMNS];
static double targets[MOST];

static sb_logistic_data data_of(size_t n) {
    return (sb_logistic_data){.rows = table[0], .targets = targets, .n_rows = n, .n = COLUMNS};
}

static void test_a_fit_has_no_slope(void **state) {
    static const double due[COLUMNS] = {-0.5, 1, 0, -2};
    sb_logistic fitted;
    sb_rng rng;
    (void)state;
    sb_rng_seed(&rng, 3, NULL);
    for (size_t i = 0; i < MOST; i++) {
        double logit = 0;
        for (size_t k = 0; k < COLUMNS; k++) {
            table[i][k] = k ? 4 * sb_random(&rng) - 2 : 1;
            logit += due[k] * table[i][k];
        }
        targets[i] = sb_random(&rng) < 1 / (1 + exp(-logit));
    }
    const sb_logistic_data data = data_of(MOST);
    sb_logistic_fit(&data, &fitted);
    for (size_t k = 0; k < COLUMNS; k++) {
        double slope = (k ? 1 : 1e-6) * fitted.weights[k];
        for (size_t i = 0; i < MOST; i++) slope += (sb_logistic_chance(&fitted, table[i]) - targets[i]) * table[i][k];
        assert_near(slope, 0, 1e-5);
        assert_near(fitted.weights[k], due[k], 0.2);
    }
}

/* One number tells won from lost, in columns that are all the same, with numbers of every size. */
static void test_perfect_separation_stays_finite(void **state) {
    static const double sizes[] = {1e-3, 1, 50};
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        sb_logistic fitted;
        for (size_t i = 0; i < 100; i++) {
            table[i][0] = 1, targets[i] = i % 2;
            for (size_t k = 1; k < COLUMNS; k++) table[i][k] = i % 2 ? sizes[s] : -sizes[s];
        }
        const sb_logistic_data data = data_of(100);
        sb_logistic_fit(&data, &fitted);
        for (size_t k = 0; k < COLUMNS; k++) assert_true(fabs(fitted.weights[k]) < 20);
        assert_near(fitted.weights[1], fitted.weights[3], 1e-6);
        assert_true(sb_logistic_chance(&fitted, table[1]) > 0.5 && sb_logistic_chance(&fitted, table[0]) < 0.5);
    }
}

static void test_rows_that_are_left_out_do_not_count(void **state) {
    bool left_out[200];
    sb_logistic whole, part;
    (void)state;
    for (size_t i = 0; i < 200; i++) {
        left_out[i] = i >= 100;
        for (size_t k = 0; k < COLUMNS; k++) table[i][k] = k ? sin((double)(i * k)) : 1;
        targets[i] = i % 3 == 0 || i >= 150;
    }
    sb_logistic_data data = data_of(100);
    sb_logistic_fit(&data, &whole);
    data.n_rows = 200, data.left_out = left_out;
    sb_logistic_fit(&data, &part);
    for (size_t k = 0; k < COLUMNS; k++) assert_true(whole.weights[k] == part.weights[k]);
    assert_near(sb_log_loss(0.25, 1), log(4), 1e-12);
    assert_near(sb_log_loss(0, 0.5), log(1e12) / 2, 1e-3); /* finite where the chance was none */
}

/* ---- Models ---- */

static void test_a_model_finds_what_decides(void **state) {
    sb_model model;
    sb_rng rng;
    (void)state;
    sb_rng_seed(&rng, 4, NULL);
    make_rows(600, 0);
    make_values(600, &rng);
    for (size_t i = 0; i < 600; i++) {
        const bool hard = rows[i].values[SB_MEASURE_STEPS] > 30 || isnan(rows[i].values[SB_MEASURE_HIDDEN]);
        outcomes[i].won = sb_random(&rng) < (hard ? 0.1 : 0.9);
    }
    assert_ok(sb_model_fit(outcomes, 600, &model, &error), error);
    assert_true(model.known);
    assert_int_equal(model.n, 13); /* twelve measures explain, and one is missing in places */
    for (size_t k = 0; k < model.n; k++) {
        const bool decides = model.features[k].missing || model.features[k].measure == SB_MEASURE_STEPS;
        assert_true(decides ? model.weights[k] < -0.8 : fabs(model.weights[k]) < 0.4);
    }
    assert_true(model.auc > 0.8 && model.gain > 0.15 && model.gain_interval.lower > 0.1);
    assert_near(model.loss + model.gain, model.base_loss, 1e-12);
    for (size_t i = 0; i < 600; i++) assert_true(outcomes[i].chance > 0 && outcomes[i].chance < 1);
}

/* A model that saw its own episodes would seem to gain by twelve measures that say nothing. */
static void test_nothing_is_gained_by_measures_that_say_nothing(void **state) {
    enum { LISTS = 100 };
    size_t gains = 0;
    double sum = 0;
    (void)state;
    for (uint64_t batch = 0; batch < LISTS; batch++) {
        sb_model model;
        sb_rng rng;
        sb_rng_seed(&rng, 5 + batch, NULL);
        make_rows(150, batch);
        make_values(150, &rng);
        for (size_t i = 0; i < 150; i++) outcomes[i].won = sb_random(&rng) < 0.5;
        assert_ok(sb_model_fit(outcomes, 150, &model, &error), error);
        gains += model.gain_interval.lower > 0, sum += model.auc;
    }
    assert_true(gains <= LISTS * 5 / 100);
    assert_near(sum / LISTS, 0.5, 0.04);
}

static void test_a_model_needs_both_outcomes_and_different_values(void **state) {
    sb_model model;
    sb_rng rng;
    (void)state;
    sb_rng_seed(&rng, 6, NULL);
    make_rows(100, 0);
    make_values(100, &rng);
    for (size_t i = 0; i < 100; i++) outcomes[i].won = i >= 9;
    assert_ok(sb_model_fit(outcomes, 100, &model, &error), error);
    assert_false(model.known);
    make_rows(100, 0); /* without values there are no features, and only the success rate is left */
    for (size_t i = 0; i < 100; i++) outcomes[i].won = i < 40;
    assert_ok(sb_model_fit(outcomes, 100, &model, &error), error);
    assert_true(model.known && model.n == 0);
    assert_near(model.gain, 0, 0.01);
}

/* ---- Thresholds ---- */

static sb_threshold find(size_t n, size_t looks) {
    sb_threshold t;
    assert_ok(sb_threshold_find(outcomes, n, looks, &t, &error), error);
    return t;
}

static void test_an_agent_that_fails_by_a_threshold_is_found_out(void **state) {
    (void)state;
    enum { N = 2000 /* so that in each half every number of steps occurs */ };
    for (uint64_t batch = 0; batch < 50; batch++) {
        sb_rng rng;
        sb_rng_seed(&rng, 100 + batch, NULL);
        make_rows(N, batch);
        make_values(N, &rng);
        for (size_t i = 0; i < N; i++) outcomes[i].won = rows[i].values[SB_MEASURE_TRAPS] <= 0.2;
        sb_threshold t = find(N, 3);
        assert_true(t.confirmed && t.measure == SB_MEASURE_TRAPS && t.above && t.value == 0.2);
        assert_true(t.beyond.won == 0 && t.elsewhere.won == 1);
        for (size_t i = 0; i < N; i++) outcomes[i].won = rows[i].values[SB_MEASURE_STEPS] >= 20;
        t = find(N, 3);
        assert_true(t.confirmed && t.measure == SB_MEASURE_STEPS && !t.above && t.value == 20);
    }
}

/* Nothing explains an agent that fails at random, so every sentence about it is wrong. */
static void test_an_agent_that_fails_at_random_is_seldom_explained(void **state) {
    static const double rates[] = {0.05, 0.5, 0.9};
    enum { AGENTS = 1000 };
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        size_t wrong = 0;
        for (uint64_t seed = 0; seed < AGENTS; seed++) {
            sb_rng rng;
            sb_rng_seed(&rng, 1000 * k + seed, NULL);
            make_rows(300, seed);
            make_values(300, &rng);
            for (size_t i = 0; i < 300; i++) outcomes[i].won = sb_random(&rng) < rates[k];
            wrong += find(300, 1).confirmed;
        }
        print_message("thresholds: %zu of %d agents that win %.2f at random get a sentence\n", wrong, AGENTS, rates[k]);
        assert_true(wrong <= AGENTS * 5 / 100);
    }
}

/* The truth about a threshold is the mean chance of the episodes on either side. */
static void test_intervals_of_differences_cover(void **state) {
    enum { AGENTS = 500, N = 300 };
    size_t covered = 0, confirmed = 0, known = 0;
    (void)state;
    for (uint64_t seed = 0; seed < AGENTS; seed++) {
        double chance[N], sum[2] = {0};
        size_t n[2] = {0};
        sb_rng rng;
        sb_rng_seed(&rng, 5000 + seed, NULL);
        make_rows(N, seed);
        make_values(N, &rng);
        for (size_t i = 0; i < N; i++) {
            chance[i] = 0.85 - rows[i].values[SB_MEASURE_STEPS] / 100;
            outcomes[i].won = sb_random(&rng) < chance[i];
        }
        const sb_threshold t = find(N, 1);
        for (size_t i = 0; i < N; i++) {
            const double value = rows[i].values[t.measure];
            const bool beyond = t.above ? value > t.value : value < t.value;
            if (outcomes[i].held && !isnan(value)) sum[beyond] += chance[i], n[beyond]++;
        }
        if (!t.known || !n[0] || !n[1]) continue;
        assert_true(n[1] == t.beyond.n && n[0] == t.elsewhere.n);
        const double truth = sum[1] / (double)n[1] - sum[0] / (double)n[0];
        covered += t.difference.lower <= truth && truth <= t.difference.upper;
        confirmed += t.confirmed, known++;
    }
    print_message("differences: %zu of %zu intervals cover, %zu confirmed\n", covered, known, confirmed);
    assert_true(known > AGENTS * 9 / 10 && confirmed > AGENTS / 2);
    assert_true(covered >= known * 93 / 100);
}

static void test_looks_widen_the_interval(void **state) {
    sb_rng rng;
    (void)state;
    sb_rng_seed(&rng, 7, NULL);
    make_rows(200, 0);
    make_values(200, &rng);
    for (size_t i = 0; i < 200; i++) outcomes[i].won = sb_random(&rng) < 0.8 - rows[i].values[SB_MEASURE_TRAPS] / 2;
    const sb_threshold one = find(200, 1), many = find(200, 20);
    assert_true(one.value == many.value && one.difference.upper < many.difference.upper);
    assert_false(find(19, 1).known); /* too few for both sides */
    for (size_t i = 0; i < 200; i++) outcomes[i].won = 1;
    assert_false(find(200, 1).known);
}

static void test_thresholds_are_round(void **state) {
    (void)state;
    assert_true(sb_round_threshold(0.1875, 0.25, true) == 0.2);
    assert_true(sb_round_threshold(0.1875, 0.25, false) == 0.2);
    assert_true(sb_round_threshold(0, 1, true) == 0);
    assert_true(sb_round_threshold(0, 1, false) == 1);
    assert_true(sb_round_threshold(17, 25, true) == 20);
    assert_true(sb_round_threshold(19, 20, true) == 19);
    assert_true(sb_round_threshold(-3, -2, false) == -2);
    assert_true(sb_round_threshold(0.0078125, 0.01171875, true) == 0.01);
    sb_rng rng;
    sb_rng_seed(&rng, 8, NULL);
    for (int i = 0; i < 10000; i++) {
        const double a = exp(40 * sb_random(&rng) - 20), b = a * (1 + exp(-30 * sb_random(&rng)));
        if (!(a < b)) continue;
        const double above = sb_round_threshold(a, b, true), below = sb_round_threshold(a, b, false);
        assert_true(a <= above && above < b && a < below && below <= b);
    }
}

/* ---- Bins ---- */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_bins_hold_every_value_and_enough_of_them(void **state) {
    sb_rng rng;
    (void)state;
    sb_rng_seed(&rng, 9, NULL);
    for (int list = 0; list < 500; list++) {
        double values[300];
        size_t counts[SB_BINS] = {0}, distinct = 1;
        const size_t n = 1 + sb_bounded(&rng, 299), kinds = 1 + sb_bounded(&rng, list % 2 ? 6 : 200);
        for (size_t i = 0; i < n; i++) values[i] = floor(pow(sb_random(&rng), 3) * (double)kinds);
        qsort(values, n, sizeof *values, ascending);
        for (size_t i = 1; i < n; i++) distinct += values[i] != values[i - 1];
        const sb_bins bins = sb_bins_of(values, n);
        assert_in_range(bins.n, 1, SB_BINS);
        if (distinct <= SB_BINS) assert_int_equal(bins.n, distinct);
        for (size_t i = 0; i < n; i++) {
            const size_t bin = sb_bin_find(&bins, values[i]);
            assert_true(bins.lowest[bin] <= values[i] && values[i] <= bins.highest[bin]);
            counts[bin]++;
        }
        for (size_t bin = 0; bin < bins.n; bin++) {
            assert_true(counts[bin] > 0 && (distinct <= SB_BINS || counts[bin] * SB_BIN_LEAST >= n));
            if (bin) assert_true(bins.highest[bin - 1] < bins.lowest[bin]);
        }
    }
    assert_int_equal(sb_bins_of(NULL, 0).n, 0);
}

/* ---- Surprises ---- */

static void test_surprises_are_the_easiest_lost_and_the_hardest_won(void **state) {
    (void)state;
    make_rows(100, 0);
    for (size_t i = 0; i < 100; i++) outcomes[i].chance = (double)i / 100, outcomes[i].won = i % 2;
    const sb_outcomes all = {.all = outcomes, .n = 100};
    const sb_surprises s = sb_surprises_of(&all);
    assert_true(s.n_lost == SB_SURPRISES && s.n_won == SB_SURPRISES);
    for (size_t i = 0; i < SB_SURPRISES; i++) assert_true(s.lost[i] == 98 - 2 * i && s.won[i] == 1 + 2 * i);
    for (size_t i = 0; i < 100; i++) outcomes[i].won = i >= 50; /* just what was expected */
    assert_true(sb_surprises_of(&all).n_lost == 0 && sb_surprises_of(&all).n_won == 0);
    for (size_t i = 0; i < 100; i++) outcomes[i].chance = 0.25 + (i < 50) * 0.5 + 1e-9 * (double)i;
    for (size_t i = 0; i < SB_SURPRISES; i++) { /* what reads alike stays in its order */
        assert_int_equal(sb_surprises_of(&all).lost[i], i);
        assert_int_equal(sb_surprises_of(&all).won[i], 50 + i);
    }
}

static void test_the_normal_distribution_is_that_of_tables(void **state) {
    (void)state;
    assert_near(sb_normal_beyond(0.025), SB_NORMAL_95, 1e-9);
    assert_near(sb_normal_beyond(0.005), 2.575829303548901, 1e-9);
    assert_near(sb_normal_beyond(0.5), 0, 1e-9);
    /* Newcombe (1998), table II: 56/70 and 48/80, 9/10 and 3/10 */
    sb_interval i = sb_difference(56 / 70.0, 70, 48 / 80.0, 80, SB_NORMAL_95);
    assert_near(i.lower, 0.0524, 5e-5), assert_near(i.upper, 0.3339, 5e-5);
    i = sb_difference(0.9, 10, 0.3, 10, SB_NORMAL_95);
    assert_near(i.lower, 0.1705, 5e-5), assert_near(i.upper, 0.8090, 5e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rising_measure_correlates_fully),
        cmocka_unit_test(test_correlations_are_those_of_mean_ranks),
        cmocka_unit_test(test_what_is_all_equal_does_not_correlate),
        cmocka_unit_test(test_intervals_of_correlations_cover),
        cmocka_unit_test(test_a_fit_has_no_slope),
        cmocka_unit_test(test_perfect_separation_stays_finite),
        cmocka_unit_test(test_rows_that_are_left_out_do_not_count),
        cmocka_unit_test(test_a_model_finds_what_decides),
        cmocka_unit_test(test_nothing_is_gained_by_measures_that_say_nothing),
        cmocka_unit_test(test_a_model_needs_both_outcomes_and_different_values),
        cmocka_unit_test(test_an_agent_that_fails_by_a_threshold_is_found_out),
        cmocka_unit_test(test_an_agent_that_fails_at_random_is_seldom_explained),
        cmocka_unit_test(test_intervals_of_differences_cover),
        cmocka_unit_test(test_looks_widen_the_interval),
        cmocka_unit_test(test_thresholds_are_round),
        cmocka_unit_test(test_bins_hold_every_value_and_enough_of_them),
        cmocka_unit_test(test_surprises_are_the_easiest_lost_and_the_hardest_won),
        cmocka_unit_test(test_the_normal_distribution_is_that_of_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
