#include "evaluation/report_tables.h"

#include <stdio.h>

#include "evaluation/estimates.h"

/* Estimates all scores of a result under a budget; false: it has no budget, or the report fails for want of memory. */
static bool estimates_of(const sb_report *r, size_t entry, sb_estimates *e, sb_table *t) {
    sb_error error;
    const sb_results *results = &r->entries[entry].results;
    if (!sb_estimate_all(results, e, &error)) t->text.failed = true;
    return e->known && results->budget.family == r->family;
}

static void add_row(sb_table *t, const char *agent, const sb_results *results, const sb_estimates *e, const char *score,
                    const sb_estimate *estimate) {
    sb_table_add(t, agent);
    sb_table_add(t, score);
    sb_putf(sb_table_cell(t), "%zu of %zu", e->drawn, e->of);
    sb_putf(sb_table_cell(t), "%llu", (unsigned long long)results->budget.budget.seed);
    sb_putf(sb_table_cell(t), "%.4f", estimate->value);
    sb_putf(sb_table_cell(t), "%.4f", estimate->half);
    sb_putf(sb_table_cell(t), "%.4f..%.4f", estimate->interval.lower, estimate->interval.upper);
}

static void add_rows(sb_table *t, const sb_results *results, const sb_estimates *e) {
    char words[80];
    add_row(t, results->agent, results, e, "success", &e->success);
    if (e->has_leaderboard) add_row(t, results->agent, results, e, "leaderboard", &e->leaderboard);
    for (size_t i = 0; i < e->n_categories; i++) {
        snprintf(words, sizeof words, "success, %.60s", e->categories[i].category);
        add_row(t, results->agent, results, e, words, &e->categories[i].success);
    }
}

void sb_report_fill_budget(const sb_report *r, sb_table *t) {
    static const char *const heads[] = {"agent", "score", "episodes", "draw", "estimate", "+-", "interval"};
    sb_estimates e;
    bool redrawn = false;
    *t = sb_table_of("Under a budget", sizeof heads / sizeof *heads, 3);
    for (size_t i = 0; i < r->n; i++) {
        if (!estimates_of(r, i, &e, t)) continue;
        const bool is_first = !t->cells;
        for (size_t k = 0; is_first && k < sizeof heads / sizeof *heads; k++) sb_table_add(t, heads[k]);
        add_rows(t, &r->entries[i].results, &e);
        redrawn |= r->entries[i].results.budget.budget.seed != 0;
    }
    snprintf(t->note, sizeof t->note, "estimates of the scores of all official episodes, with intervals of 95 %%%s",
             redrawn ? "; where the draw is not 0, somebody asked for other episodes (--budget-seed)" : "");
}
