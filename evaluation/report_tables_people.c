/* People beside agents (evaluation/humans.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lookup.h"
#include "engine/testing.h"
#include "evaluation/report_tables.h"

static bool is_shown(const sb_report *r, const sb_people *people) {
    return strcmp(people->name.family, r->family->name) == 0;
}

/* ---- By task ---- */

static const char people_note[] =
    "people: first plays without hints, undo and expert (fewer than %zu are too few to compare with); agents: the "
    "episodes of theirs that people played; actions: of successes, median and 80th percentile, seconds likewise";

static void add_who(sb_table *t, const sb_people *task, const char *who, size_t episodes, size_t plays) {
    sb_table_add(t, task->name.task), sb_table_add(t, task->name.difficulty), sb_table_add(t, who);
    sb_putf(sb_table_cell(t), "%zu", episodes), sb_putf(sb_table_cell(t), "%zu", plays);
}

static void add_spread(sb_table *t, const sb_quartiles *spread) {
    sb_out *median = sb_table_cell(t);
    if (spread->n)
        sb_putf(median, "%.1f", spread->quartiles[1]);
    else
        sb_puts(median, "-");
    sb_out *high = sb_table_cell(t);
    if (spread->n)
        sb_putf(high, "%.1f", spread->percentile80);
    else
        sb_puts(high, "-");
}

static void add_people(sb_table *t, const sb_people *task) {
    char who[40];
    snprintf(who, sizeof who, "%zu people%s", task->participants, task->enough ? "" : " (too few)");
    add_who(t, task, who, task->episodes, task->counted);
    sb_table_add_share(t, (double)task->successes, task->judged, 3, "");
    add_spread(t, &task->actions), add_spread(t, &task->seconds);
}

/* Adds an agent's episodes of the task that people played. */
static void add_agent(const sb_report *r, const sb_report_entry *entry, const sb_people *task, sb_table *t) {
    size_t plays = 0, judged = 0, won = 0, timed = 0;
    double *actions = malloc((entry->results.n + 1) * sizeof *actions);
    if (!actions) t->text.failed = true;
    for (size_t i = 0; actions && i < entry->results.n; i++) {
        const sb_played *played = &entry->results.episodes[i];
        if (!sb_same_pair(&played->tape.name, &task->name) || !sb_humans_find(&r->humans, &played->tape.name)) continue;
        plays++, judged += sb_is_judged(played), won += sb_won(played);
        if (sb_won(played) || !sb_is_judged(played)) actions[timed++] = (double)played->tape.n;
    }
    const sb_quartiles spread = sb_spread_of(actions, actions ? timed : 0), unknown = {0};
    free(actions);
    if (!plays) return;
    add_who(t, task, entry->results.agent, task->episodes, plays);
    sb_table_add_share(t, (double)won, judged, 3, "");
    add_spread(t, &spread), add_spread(t, &unknown);
}

void sb_report_fill_people(const sb_report *r, sb_table *t) {
    static const char *const columns[] = {"task",    "difficulty", "who",          "episodes", "plays",
                                          "success", "actions",    "80 % actions", "seconds",  "80 % seconds"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    *t = sb_table_of("People and agents", COLUMNS, 3);
    size_t shown = 0;
    for (size_t i = 0; i < r->humans.n_tasks; i++) shown += is_shown(r, &r->humans.tasks[i]);
    if (!shown) return;
    snprintf(t->note, sizeof t->note, people_note, r->humans.least);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(t, columns[i]);
    for (size_t i = 0; i < r->humans.n_tasks; i++) {
        const sb_people *task = &r->humans.tasks[i];
        if (!is_shown(r, task)) continue;
        add_people(t, task);
        for (size_t k = 0; k < r->n; k++) add_agent(r, &r->entries[k], task, t);
    }
}

/* ---- Tests ---- */

static const char tests_note[] =
    "people: the 80th percentile of the scores of first plays of each test, and the mean over tests that %zu or more "
    "played (%zu others are left out); agents: the mean score in the same tests, lost ones 0, a dash if not all were "
    "played";

static const sb_test_kind *kind_of(const sb_report *r, const sb_name *name) {
    char text[SB_NAME_MAX];
    sb_name again;
    sb_resolved of;
    sb_error ignored;
    sb_name_print(name, text, sizeof text);
    if (!sb_resolve_text(r->options->catalogue, text, &again, &of, &ignored)) return NULL;
    return sb_test_kind_of(of.family, of.task, of.difficulty);
}

/* Whether an episode's percentile stands for people in tests of the kind. */
static bool is_compared(const sb_report *r, const sb_people *people, const sb_test_kind *kind) {
    return is_shown(r, people) && people->enough && people->scores.n && kind_of(r, &people->name) == kind;
}

/* The mean score of all attempts of an agent at a test; false: it did not play it. */
static bool score_of(const sb_report_entry *entry, const sb_name *name, double *score) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < entry->results.n; i++) {
        const sb_played *played = &entry->results.episodes[i];
        if (sb_compare_names(&played->tape.name, name) != 0) continue;
        sum += sb_is_lost(played) ? 0 : played->tape.outcome.score;
        n++;
    }
    *score = n ? sum / (double)n : 0;
    return n;
}

static void add_agent_tests(const sb_report *r, const sb_report_entry *entry, const sb_test_kind *kind, sb_table *t) {
    double sum = 0, score;
    size_t n = 0;
    bool all = true;
    for (size_t i = 0; i < r->humans.n_episodes; i++) {
        const sb_people *people = &r->humans.episodes[i];
        if (!is_compared(r, people, kind)) continue;
        all &= score_of(entry, &people->name, &score);
        sum += score, n++;
    }
    sb_out *cell = sb_table_cell(t);
    if (all && n)
        sb_putf(cell, "%.4f", sum / (double)n);
    else
        sb_puts(cell, "-");
}

static void add_kind(const sb_report *r, const sb_test_kind *kind, sb_table *t) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < r->humans.n_episodes; i++) {
        const sb_people *people = &r->humans.episodes[i];
        if (is_compared(r, people, kind)) sum += people->scores.percentile80, n++;
    }
    if (!n) return;
    sb_table_add(t, kind->name), sb_putf(sb_table_cell(t), "%zu", n);
    sb_putf(sb_table_cell(t), "%.4f", sum / (double)n);
    for (size_t k = 0; k < r->n; k++) add_agent_tests(r, &r->entries[k], kind, t);
}

/* Lists the kinds of tests that people played, and counts tests that too few played. */
static size_t find_kinds(const sb_report *r, const sb_test_kind *kinds[SB_TEST_KINDS], size_t *left_out) {
    size_t n = 0;
    *left_out = 0;
    for (size_t i = 0; i < r->humans.n_episodes; i++) {
        const sb_people *people = &r->humans.episodes[i];
        const sb_test_kind *kind = is_shown(r, people) ? kind_of(r, &people->name) : NULL;
        size_t k = 0;
        if (!kind) continue;
        *left_out += !people->enough;
        while (k < n && kinds[k] != kind) k++;
        if (k == n && people->enough && n < SB_TEST_KINDS) kinds[n++] = kind;
    }
    return n;
}

void sb_report_fill_people_tests(const sb_report *r, sb_table *t) {
    const sb_test_kind *kinds[SB_TEST_KINDS];
    size_t left_out;
    *t = sb_table_of("People and agents in tests", 3 + r->n, 1);
    const size_t n = find_kinds(r, kinds, &left_out);
    if (!n && !left_out) return;
    snprintf(t->note, sizeof t->note, tests_note, r->humans.least, left_out);
    sb_table_add(t, "test"), sb_table_add(t, "tests"), sb_table_add(t, "people");
    for (size_t k = 0; k < r->n; k++) sb_table_add(t, r->entries[k].results.agent);
    for (size_t i = 0; i < n; i++) add_kind(r, kinds[i], t);
}
