#include "evaluation/estimates.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- The sample ---- */

/* Whether every attempt at the first n episodes was made. */
static bool are_done(const sb_results *results, size_t n) {
    const size_t places = n * sb_plays_attempts(&results->plays);
    if (results->plays.part.of || results->n < places) return false;
    for (size_t i = 0; i < places; i++)
        if (!results->episodes[i].done) return false;
    return true;
}

/* Collects the first n episodes, which were played, by stratum. */
static void collect(const sb_results *results, size_t n, sb_stratum_sample *sample) {
    const sb_eval_budget_plan *plan = &results->budget;
    const size_t attempts = sb_plays_attempts(&results->plays);
    for (size_t i = 0; i < plan->n_strata; i++) sample[i] = (sb_stratum_sample){.of = plan->strata[i].n};
    for (size_t i = 0; i < n; i++) {
        size_t won = 0;
        for (size_t k = 0; k < attempts; k++) won += sb_won(&results->episodes[i * attempts + k]);
        sb_stratum_add(&sample[plan->stratum_of[i]], (double)won / (double)attempts);
    }
}

/* An estimate in the making, with what was drawn of each stratum. */
typedef struct estimating {
    const sb_results *results;
    const sb_eval_budget_plan *plan;
    sb_stratum_sample *sample;
} estimating;

static bool begin(estimating *e, const sb_results *results, sb_error *error) {
    *e = (estimating){results, &results->budget, calloc(results->budget.n_strata + 1, sizeof *e->sample)};
    return e->sample || sb_fail(error, SB_MEMORY, "out of memory for an estimate");
}

static void end(estimating *e) { free(e->sample); }

/* ---- Estimates ---- */

static sb_estimate estimate(estimating *e, sb_eval_budget_for purpose) {
    const size_t n = e->plan->n_strata;
    for (size_t i = 0; i < n; i++) e->sample[i].weight = e->plan->strata[i].weights[purpose];
    return sb_estimate_mean(e->sample, n);
}

static sb_estimate estimate_category(estimating *e, const char *category) {
    const sb_stratum *strata = e->plan->strata;
    const size_t n = e->plan->n_strata;
    double of = 0;
    for (size_t i = 0; i < n; i++) {
        const bool counts = strcmp(strata[i].task->category, category) == 0;
        e->sample[i].weight = counts ? (double)strata[i].n : 0;
        of += e->sample[i].weight;
    }
    for (size_t i = 0; i < n; i++) e->sample[i].weight /= of;
    return sb_estimate_mean(e->sample, n);
}

static void estimate_categories(estimating *e, sb_estimates *estimates) {
    for (size_t i = 0; i < e->plan->n_strata; i++) {
        const char *category = e->plan->strata[i].task->category;
        size_t k = 0;
        while (k < estimates->n_categories && strcmp(estimates->categories[k].category, category) != 0) k++;
        if (k < estimates->n_categories || k == SB_CATEGORIES) continue;
        estimates->categories[estimates->n_categories++] = (sb_category_estimate){category,
                                                                                  estimate_category(e, category)};
    }
}

/* How many episodes were played; 0 if that is no whole batch. */
static size_t drawn_in(const sb_results *results) {
    const sb_eval_budget_plan *plan = &results->budget;
    const size_t attempts = sb_plays_attempts(&results->plays);
    size_t n = 0;
    while (n * attempts < results->n && n < plan->n) n = sb_eval_budget_batch(plan, n);
    return n * attempts == results->n && are_done(results, n) ? n : 0;
}

static void estimate_all(estimating *e, sb_estimates *estimates) {
    collect(e->results, estimates->drawn, e->sample);
    estimates->known = sb_can_estimate(e->sample, e->plan->n_strata);
    if (!estimates->known) return;
    estimates->success = estimate(e, SB_BUDGET_SUCCESS);
    estimates->has_leaderboard = e->plan->strata[0].weights[SB_BUDGET_LEADERBOARD] > 0;
    if (estimates->has_leaderboard) estimates->leaderboard = estimate(e, SB_BUDGET_LEADERBOARD);
    estimate_categories(e, estimates);
}

bool sb_estimate_all(const sb_results *results, sb_estimates *estimates, sb_error *error) {
    *estimates = (sb_estimates){.of = results->budget.of};
    if (!results->budget.strata || !(estimates->drawn = drawn_in(results))) return true;
    estimating e;
    const bool ok = begin(&e, results, error);
    if (ok) estimate_all(&e, estimates);
    end(&e);
    return ok;
}

/* ---- Writing ---- */

static void put_members(sb_out *out, const sb_estimate *estimate) {
    sb_member_double(out, "estimate", estimate->value);
    sb_member_double(out, "half_width", estimate->half);
    sb_member_interval(out, "interval", &estimate->interval);
}

static void put_estimate(sb_out *out, const char *key, const sb_estimate *estimate) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    put_members(out, estimate);
    sb_puts(out, "}");
}

static void put_stratum(sb_out *out, const estimating *e, size_t i) {
    const sb_stratum *s = &e->plan->strata[i];
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "task", s->task->name);
    if (*s->difficulty) sb_member_text(out, "difficulty", s->difficulty);
    sb_member_uint(out, "drawn", e->sample[i].drawn);
    sb_member_uint(out, "of", s->n);
    sb_member_double(out, "probability", (double)e->sample[i].drawn / (double)s->n);
    sb_puts(out, "}");
}

static void put_categories(sb_out *out, const sb_estimates *estimates) {
    sb_put_key(out, "categories");
    sb_puts(out, "[");
    for (size_t i = 0; i < estimates->n_categories; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", estimates->categories[i].category);
        put_members(out, &estimates->categories[i].success);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_all(sb_out *out, const estimating *e, const sb_estimates *estimates) {
    sb_put_key(out, "budget");
    sb_puts(out, "{");
    sb_member_uint(out, "drawn", estimates->drawn);
    sb_member_uint(out, "of", estimates->of);
    put_estimate(out, "success", &estimates->success);
    if (estimates->has_leaderboard) put_estimate(out, "leaderboard", &estimates->leaderboard);
    put_categories(out, estimates);
    sb_put_key(out, "strata");
    sb_puts(out, "[");
    for (size_t i = 0; i < e->plan->n_strata; i++) put_stratum(out, e, i);
    sb_puts(out, "]}");
}

bool sb_estimates_print(const sb_results *results, sb_out *out, sb_error *error) {
    sb_estimates estimates;
    estimating e;
    if (!sb_estimate_all(results, &estimates, error)) return false;
    if (!estimates.known) return true;
    const bool ok = begin(&e, results, error);
    if (ok) {
        collect(results, estimates.drawn, e.sample);
        put_all(out, &e, &estimates);
    }
    end(&e);
    return ok;
}

/* ---- When to stop ---- */

/* Whether the first n episodes, which were played, make the interval narrow enough. */
static bool is_enough(estimating *e, size_t n) {
    collect(e->results, n, e->sample);
    return estimate(e, e->plan->budget.purpose).half <= e->plan->budget.until;
}

bool sb_eval_budget_due(const sb_results *results, size_t *due, sb_error *error) {
    const sb_eval_budget_plan *plan = &results->budget;
    estimating e;
    size_t n = plan->first;
    *due = results->room;
    if (!(plan->budget.until > 0)) return true;
    const bool ok = begin(&e, results, error);
    while (ok && n < plan->n && are_done(results, n) && !is_enough(&e, n)) n = sb_eval_budget_batch(plan, n);
    end(&e);
    *due = n * sb_plays_attempts(&results->plays);
    return ok;
}
