#include "evaluation/report_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lookup.h"
#include "evaluation/runs.h"

/* ---- Which results are runs of one agent ---- */

/* The results of one agent on the same episodes: indexes of entries. `first` is the group with these episodes that
 * comes first in the report. */
typedef struct group {
    size_t *entries;
    size_t n, first;
} group;

typedef struct groups {
    const sb_report *report;
    group *all;
    size_t n;
    size_t *room;
    double *values; /* values of a group's episodes, run by run */
    bool failed;
} groups;

static bool have_same_episodes(const sb_results *a, const sb_results *b) {
    if (a->n != b->n || sb_plays_attempts(&a->plays) != sb_plays_attempts(&b->plays)) return false;
    for (size_t i = 0; i < a->n; i++)
        if (sb_compare_names(&a->episodes[i].tape.name, &b->episodes[i].tape.name) != 0) return false;
    return true;
}

static const sb_report_entry *entry_of(const groups *g, const group *of, size_t run) {
    return &g->report->entries[of->entries[run]];
}

/* Adds the entry to its group; a new group gets the next places of the room. */
static void place(groups *g, size_t entry) {
    const sb_report_entry *one = &g->report->entries[entry];
    group *of = NULL;
    size_t first = g->n;
    for (size_t i = 0; i < g->n && !of; i++) {
        const sb_report_entry *other = entry_of(g, &g->all[i], 0);
        if (!have_same_episodes(&one->results, &other->results)) continue;
        if (first == g->n) first = i;
        if (strcmp(one->label, other->label) == 0) of = &g->all[i];
    }
    if (!of) {
        of = &g->all[g->n];
        *of = (group){.entries = g->room + g->n * g->report->n, .first = first};
        g->n++;
    }
    of->entries[of->n++] = entry;
}

static void free_groups(groups *g) { free(g->all), free(g->room), free(g->values); }

/* Groups the results by agent and episodes; false if no agent ran more than once. */
static bool find_groups(const sb_report *r, groups *g) {
    size_t most = 0;
    bool some = false;
    for (size_t i = 0; i < r->n; i++) most = r->entries[i].results.n > most ? r->entries[i].results.n : most;
    *g = (groups){.report = r,
                  .all = calloc(r->n + 1, sizeof *g->all),
                  .room = calloc(r->n * r->n + 1, sizeof *g->room),
                  .values = malloc((2 * r->n * most + 1) * sizeof *g->values)};
    g->failed = !g->all || !g->room || !g->values;
    for (size_t i = 0; i < r->n && !g->failed; i++) place(g, i);
    for (size_t i = 0; i < g->n; i++) some |= g->all[i].n > 1;
    return some && !g->failed;
}

/* ---- Values ---- */

/* Which episodes count; NULL: any. */
typedef struct subset {
    const char *task, *category, *difficulty;
} subset;

static bool is_in(const sb_report *r, const subset *of, const sb_played *played) {
    const sb_name *name = &played->tape.name;
    const sb_task_info *task;
    if (strcmp(name->family, r->family->name) != 0 || !sb_is_judged(played)) return false;
    if (of->task && strcmp(of->task, name->task) != 0) return false;
    if (of->difficulty && strcmp(of->difficulty, name->difficulty) != 0) return false;
    for (size_t i = 0; of->category && (task = sb_task_at(r->options->catalogue, r->family, i)); i++)
        if (strcmp(task->name, name->task) == 0) return strcmp(task->category, of->category) == 0;
    return true;
}

/* Writes the share of attempts that succeeded at each episode of a run; returns how many episodes there are. */
static size_t put_run(const sb_report *r, const sb_results *results, const subset *of, double *values) {
    const size_t attempts = sb_plays_attempts(&results->plays);
    size_t n = 0;
    for (size_t i = 0; i + attempts <= results->n; i += attempts) {
        size_t won = 0;
        if (!is_in(r, of, &results->episodes[i])) continue;
        for (size_t k = 0; k < attempts; k++) won += sb_won(&results->episodes[i + k]);
        values[n++] = (double)won / (double)attempts;
    }
    return n;
}

static sb_runs runs_of(const groups *g, const group *of, const subset *which, double *values) {
    sb_runs runs = {.values = values, .runs = of->n};
    for (size_t i = 0; i < of->n; i++)
        runs.episodes = put_run(g->report, &entry_of(g, of, i)->results, which, values + i * runs.episodes);
    return runs;
}

/* ---- Tables ---- */

static const char runs_note[] =
    "success of each agent over its runs, which have the same episodes: the mean, the lowest and the highest of one "
    "run, and a 95 % bootstrap interval that samples runs and episodes; where all were won or all lost, Wilson's over "
    "the "
    "episodes";

static void add_row(groups *g, const group *of, const subset *which, const char *words, sb_table *t) {
    const sb_runs runs = runs_of(g, of, which, g->values);
    double lowest = 1, highest = 0;
    sb_interval interval;
    sb_error error;
    if (!runs.episodes) return;
    for (size_t i = 0; i < runs.runs; i++) {
        const double mean = sb_run_mean(&runs, i);
        lowest = mean < lowest ? mean : lowest, highest = mean > highest ? mean : highest;
    }
    g->failed |= !sb_runs_interval(&runs, NULL, &interval, &error);
    if (lowest == 1 || highest == 0) interval = sb_wilson(lowest, runs.episodes);
    sb_table_add(t, entry_of(g, of, 0)->label);
    sb_table_add(t, entry_of(g, of, 0)->checked.selected);
    sb_table_add(t, words);
    sb_putf(sb_table_cell(t), "%zu", runs.runs);
    sb_putf(sb_table_cell(t), "%zu", runs.episodes);
    sb_putf(sb_table_cell(t), "%.3f", sb_runs_mean(&runs));
    sb_putf(sb_table_cell(t), "%.3f..%.3f", lowest, highest);
    sb_putf(sb_table_cell(t), "%.3f..%.3f", interval.lower, interval.upper);
}

void sb_report_fill_runs(const sb_report *r, sb_table *t) {
    static const char *const columns[] = {"agent",    "of the selection", "subset", "runs",
                                          "episodes", "success",          "range",  "interval"};
    const char *names[SB_CATEGORIES + SB_REPORT_DIFFICULTIES];
    const size_t n = sb_report_categories(r->options->catalogue, r->family, names);
    const size_t all = n + sb_report_difficulties(r, names + n);
    groups g;
    *t = sb_table_of("Repeated runs", 8, 3);
    if (find_groups(r, &g)) {
        snprintf(t->note, sizeof t->note, "%s", runs_note);
        for (size_t i = 0; i < 8; i++) sb_table_add(t, columns[i]);
        for (size_t i = 0; i < g.n; i++) add_row(&g, &g.all[i], &(subset){0}, "all", t);
        for (size_t k = 0; k < all; k++)
            for (size_t i = 0; i < g.n; i++)
                add_row(&g, &g.all[i], k < n ? &(subset){.category = names[k]} : &(subset){.difficulty = names[k]},
                        names[k], t);
    }
    t->text.failed |= g.failed;
    free_groups(&g);
}

static const char differences_note[] =
    "success of the agent less that of the one it is compared with, the first of the report with the same episodes; "
    "the "
    "95 % bootstrap interval samples the runs of both, and episodes in pairs; where it has no width, it is Newcombe's "
    "over "
    "the episodes. An interval without 0 in one of many "
    "tasks may still be chance";

static void add_difference(groups *g, const group *of, const sb_task_info *task, sb_table *t) {
    const group *base = &g->all[of->first];
    const subset which = {.task = task->name};
    const sb_runs runs = runs_of(g, of, &which, g->values);
    const sb_runs less = runs_of(g, base, &which, g->values + runs.runs * runs.episodes);
    sb_interval interval;
    sb_error error;
    if (!runs.episodes) return;
    g->failed |= !sb_runs_interval(&runs, &less, &interval, &error);
    if (interval.lower == interval.upper)
        interval = sb_newcombe(sb_runs_mean(&runs), sb_runs_mean(&less), runs.episodes);
    sb_table_add(t, task->name);
    sb_table_add(t, entry_of(g, of, 0)->label);
    sb_table_add(t, entry_of(g, base, 0)->label);
    sb_table_add(t, entry_of(g, of, 0)->checked.selected);
    sb_putf(sb_table_cell(t), "%zu", runs.episodes);
    sb_putf(sb_table_cell(t), "%+.3f", sb_runs_mean(&runs) - sb_runs_mean(&less));
    sb_putf(sb_table_cell(t), "%+.3f..%+.3f", interval.lower, interval.upper);
}

void sb_report_fill_differences(const sb_report *r, sb_table *t) {
    static const char *const columns[] = {"task",     "agent",      "compared with", "of the selection",
                                          "episodes", "difference", "interval"};
    const sb_task_info *task;
    bool begun = false;
    groups g;
    *t = sb_table_of("Differences by task", 7, 4);
    const bool some = find_groups(r, &g);
    for (size_t k = 0; some && (task = sb_task_at(r->options->catalogue, r->family, k)); k++)
        for (size_t i = 0; i < g.n; i++) {
            if (g.all[i].first == i) continue;
            for (size_t c = 0; c < 7 && !begun; c++) sb_table_add(t, columns[c]);
            begun = true;
            add_difference(&g, &g.all[i], task, t);
        }
    if (begun) snprintf(t->note, sizeof t->note, "%s", differences_note);
    t->text.failed |= g.failed;
    free_groups(&g);
}
