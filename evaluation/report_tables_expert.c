#include "evaluation/report_tables.h"

#include <stdio.h>
#include <string.h>

#include "engine/lookup.h"
#include "evaluation/expert.h"

/* Which episodes a row is about; NULL: any. */
typedef struct row {
    const char *category, *task, *difficulty;
} row;

static bool is_of(const sb_report *r, const row *row, const sb_name *name) {
    size_t task;
    sb_error ignored;
    if (strcmp(name->family, r->family->name) != 0) return false;
    if (row->task && strcmp(row->task, name->task) != 0) return false;
    if (row->difficulty && strcmp(row->difficulty, name->difficulty) != 0) return false;
    if (!row->category) return true;
    return sb_task_find(r->options->catalogue, r->family, name->task, &task, &ignored) &&
           strcmp(sb_task_at(r->options->catalogue, r->family, task)->category, row->category) == 0;
}

static double efficiency(const sb_played *played, const sb_played *expert) {
    return sb_won(played) && played->tape.n ? (double)expert->tape.n / (double)played->tape.n : 0;
}

/* Returns how many episodes of the row the result has, and the mean of their efficiencies. */
static size_t mean_of(const sb_report *r, const row *row, const sb_results *results, const sb_expert *expert,
                      double *mean) {
    size_t n = 0;
    double sum = 0;
    for (size_t i = 0; i < results->n; i++) {
        const sb_played *played = &results->episodes[i];
        if (!is_of(r, row, &played->tape.name)) continue;
        sum += efficiency(played, sb_expert_find(expert, played));
        n++;
    }
    *mean = n ? sum / (double)n : 0;
    return n;
}

static void add_row(const sb_report *r, const row *row, const sb_expert *expert, sb_table *t) {
    bool played = false;
    double mean;
    for (size_t i = 0; i < r->n; i++) played |= mean_of(r, row, &r->entries[i].results, expert, &mean) > 0;
    if (!played) return;
    sb_out *name = sb_table_cell(t);
    sb_puts(name, row->task ? row->task : row->category ? row->category : "all");
    if (row->difficulty && *row->difficulty) sb_puts(name, " "), sb_puts(name, row->difficulty);
    for (size_t i = 0; i < r->n; i++) {
        const size_t n = mean_of(r, row, &r->entries[i].results, expert, &mean);
        if (n)
            sb_putf(sb_table_cell(t), "%.3f", mean);
        else
            sb_table_add(t, "-");
    }
}

static const char note[] = "the expert's steps (%.60s) divided by the agent's, 0 for episodes that were not won; the "
                           "mean over episodes. It may be more than 1";

void sb_report_fill_expert(const sb_report *r, sb_table *t) {
    const char *categories[SB_CATEGORIES];
    const sb_task_info *task;
    *t = sb_table_of("Efficiency beside the expert", 1 + r->n, 1);
    sb_expert expert = {0};
    sb_error error;
    if (!r->expert.n) return;
    if (!sb_expert_open(&expert, &r->expert, &error)) {
        t->text.failed = true; /* which fails the report */
        return;
    }
    snprintf(t->note, sizeof t->note, note, r->expert.agent);
    sb_table_add(t, "episodes of");
    for (size_t i = 0; i < r->n; i++) sb_table_add(t, r->entries[i].results.agent);
    add_row(r, &(row){NULL, NULL, NULL}, &expert, t);
    const size_t n = sb_report_categories(r->options->catalogue, r->family, categories);
    for (size_t i = 0; i < n; i++) add_row(r, &(row){.category = categories[i]}, &expert, t);
    for (size_t i = 0; (task = sb_task_at(r->options->catalogue, r->family, i)); i++) {
        const sb_difficulties of = sb_difficulties_of(r->family, task);
        for (size_t k = 0; k < of.n; k++) add_row(r, &(row){.task = task->name, .difficulty = of.names[k]}, &expert, t);
    }
    sb_expert_close(&expert);
}
