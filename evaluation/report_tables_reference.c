#include "evaluation/report_tables.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "evaluation/published.h"
#include "evaluation/shipped.h"

/* Whether the report compares with anything published. */
static bool compares(const sb_report *r) { return r->options->published && strcmp(r->options->published, "none") != 0; }

/* ---- The oracle-normalised score ---- */

static const char ons_note[] =
    "ons: (mean return - random) / (oracle - random) of every pair of task and difficulty, below 0 and above 1 as it "
    "comes, with the returns of the published random agent and oracle, and the mean over the pairs that were played; "
    "in "
    "brackets 95 % bootstrap intervals over pairs. It is another number than leaderboard, ons_pairs and capability; "
    "published agents whose returns are dense are left out";

static const char partial_note[] =
    "; played here: %zu of %zu pairs, so compare the column `same pairs`, which has published agents on these pairs "
    "alone";

static void add_part(sb_table *t, const sb_total *total, const char *category) {
    for (size_t i = 0; i < total->n_parts; i++) {
        if (strcmp(total->parts[i].category, category) != 0) continue;
        sb_putf(sb_table_cell(t), "%.3f", total->parts[i].score);
        return;
    }
    sb_table_add(t, "-");
}

/* Adds the cells of an oracle-normalised score. The row names the agent already: published ones differ by harness and
 * observation. */
static void add_ons(sb_table *t, const sb_ons *ons, const sb_ons *same, const char *const *categories, size_t n) {
    const sb_total *total = &ons->total;
    sb_putf(sb_table_cell(t), "%zu of %zu", ons->pairs, ons->of);
    sb_putf(sb_table_cell(t), "%.4f (%.3f..%.3f)", total->score, total->interval.lower, total->interval.upper);
    if (same && same->pairs) sb_putf(sb_table_cell(t), "%.4f", same->total.score);
    if (same && !same->pairs) sb_table_add(t, "-");
    for (size_t k = 0; k < n; k++) add_part(t, total, categories[k]);
}

/* The pairs that some result here has, if they are not all: published scores are of all. */
typedef struct played_pairs {
    sb_seen_pairs which;
    size_t n;
    bool partial;
} played_pairs;

static played_pairs find_played(const sb_report *r) {
    played_pairs played = {.n = 0};
    if (!r->published.family || !compares(r)) return played;
    for (size_t i = 0; i < r->n; i++) played.n += sb_ons_played(&r->published, &r->entries[i].summary, &played.which);
    played.partial = played.n && played.n < r->family->n_tasks * r->family->n_difficulties;
    return played;
}

static void note_ons(const sb_report *r, const played_pairs *played, sb_table *t) {
    const int n = snprintf(t->note, sizeof t->note, "%s", ons_note);
    if (played->partial)
        snprintf(t->note + n, sizeof t->note - (size_t)n, partial_note, played->n,
                 r->family->n_tasks * r->family->n_difficulties);
}

static void add_ons_heads(sb_table *t, bool partial, const char *const *categories, size_t n) {
    static const char *const columns[] = {"agent", "harness", "observation", "pairs", "ons", "same pairs"};
    for (size_t i = 0; i < 5 + (size_t)partial; i++) sb_table_add(t, columns[i]);
    for (size_t k = 0; k < n; k++) sb_table_add(t, categories[k]);
}

static void add_published_ons(const sb_report *r, const played_pairs *played, sb_table *t,
                              const char *const *categories, size_t n) {
    sb_error error;
    for (size_t i = 0; i < r->published.n; i++) {
        const sb_published_agent *agent = &r->published.agents[i];
        sb_ons ons, same;
        if (!sb_ons_of_agent(&r->published, agent, NULL, &ons, &error) ||
            !sb_ons_of_agent(&r->published, agent, &played->which, &same, &error))
            t->text.failed = true;
        if (t->text.failed || ons.pairs != ons.of) continue;
        sb_table_add(t, agent->name), sb_table_add(t, agent->harness), sb_table_add(t, agent->observation);
        add_ons(t, &ons, played->partial ? &same : NULL, categories, n);
    }
}

void sb_report_fill_ons(const sb_report *r, sb_table *t) {
    const char *categories[SB_CATEGORIES];
    const size_t n = sb_report_categories(NULL, r->family, categories);
    const played_pairs played = find_played(r);
    sb_error error;
    sb_ons ons;
    *t = sb_table_of("Oracle-normalised scores, as printed", 5 + (size_t)played.partial + n, 3);
    if (!r->published.family || !compares(r)) return;
    note_ons(r, &played, t);
    add_ons_heads(t, played.partial, categories, n);
    for (size_t i = 0; i < r->n; i++) {
        if (!sb_ons_of_results(&r->published, &r->entries[i].summary, &ons, &error)) t->text.failed = true;
        sb_table_add(t, r->entries[i].results.agent), sb_table_add(t, "this report"), sb_table_add(t, "");
        const sb_ons none = {0}, *same = ons.pairs == played.n ? &ons : &none;
        if (!t->text.failed) add_ons(t, &ons, played.partial ? same : NULL, categories, n);
    }
    add_published_ons(r, &played, t, categories, n);
}

void sb_report_fill_ons_tasks(const sb_report *r, sb_table *t) {
    const sb_task_info *task;
    *t = sb_table_of("Oracle-normalised scores by task", 1 + r->n, 1);
    if (!r->published.family || !compares(r)) return;
    sb_table_add(t, "task");
    for (size_t i = 0; i < r->n; i++) sb_table_add(t, r->entries[i].results.agent);
    for (size_t k = 0; k < r->family->n_tasks && (task = r->family->task(k)); k++) {
        double ons;
        bool played = false;
        for (size_t i = 0; i < r->n; i++) played |= sb_ons_of_task(&r->published, &r->entries[i].summary, task, &ons);
        if (played) sb_table_add(t, task->name);
        for (size_t i = 0; i < r->n && played; i++) {
            if (sb_ons_of_task(&r->published, &r->entries[i].summary, task, &ons))
                sb_putf(sb_table_cell(t), "%.3f", ons);
            else
                sb_table_add(t, "-");
        }
    }
}

/* ---- Other benchmarks ---- */

static void fill_from(const cJSON *table, sb_table *t) {
    const cJSON *columns = cJSON_GetObjectItemCaseSensitive(table, "columns"), *row, *cell;
    const char *benchmark = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(table, "benchmark"));
    const char *note = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(table, "note"));
    *t = sb_table_of("Published elsewhere: other environments, other rules", (size_t)cJSON_GetArraySize(columns) + 1,
                     2);
    snprintf(t->note, sizeof t->note, "%s: %s", benchmark, note);
    sb_table_add(t, "benchmark");
    cJSON_ArrayForEach(cell, columns) sb_table_add(t, cell->valuestring);
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(table, "rows")) {
        sb_table_add(t, benchmark);
        cJSON_ArrayForEach(cell, row) sb_table_add(t, cell->valuestring);
    }
}

bool sb_report_leaves_out_published(const sb_report *r) {
    return !compares(r) && (r->published.family || r->family->efficiency || r->family->tests);
}

/* Fills the table of numbers that others published. The document is the program's own, so its shape is known. */
void sb_report_fill_elsewhere(const sb_report *r, sb_table *t) {
    const cJSON *table;
    sb_error error;
    *t = sb_table_of("Published elsewhere: other environments, other rules", 1, 1);
    if (!compares(r)) return;
    cJSON *document = sb_json_parse((const char *)sb_shipped_elsewhere, sb_shipped_elsewhere_size, &error);
    if (!document) t->text.failed = true;
    cJSON_ArrayForEach(table, cJSON_GetObjectItemCaseSensitive(document, "tables")) {
        const char *family = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(table, "family"));
        if (strcmp(family, r->family->name) == 0) fill_from(table, t);
    }
    cJSON_Delete(document);
}
