#include "evaluation/report_tables.h"

#include <string.h>

static double share_of(const sb_counters *counters, int mark) {
    const double answers = counters->mark[SB_ANSWERS];
    return answers > 0 ? 100 * counters->mark[mark] / answers : 0;
}

/* Turns that were left out are no answers, so they have no rate. */
static bool has_rate(int mark) { return mark != SB_ANSWERS && mark != SB_TURNS_DROPPED; }

void sb_put_marks(sb_out *out, const sb_counters *counters) {
    sb_putf(out, "%.0f answer%s", counters->mark[SB_ANSWERS], sb_plural((uint64_t)counters->mark[SB_ANSWERS]));
    for (int i = SB_ANSWERS + 1; i < SB_ANSWER_MARKS; i++) {
        if (!(counters->mark[i] > 0)) continue;
        sb_putf(out, ", %.0f %s", counters->mark[i],
                i == SB_TURNS_DROPPED ? "earlier turns left out" : sb_answer_marks[i]);
        if (has_rate(i)) sb_putf(out, " (%.1f %%)", share_of(counters, i));
    }
}

bool sb_is_measurement(const char *key) {
    for (int i = 0; i < SB_ANSWER_MARKS; i++)
        if (strcmp(key, sb_answer_marks[i]) == 0) return true;
    for (int i = 0; i < SB_COUNTERS; i++)
        if (strcmp(key, sb_counter_names[i]) == 0) return true;
    return false;
}

/* ---- The table ---- */

static void add_row(sb_table *t, const char *task, const char *difficulty, const char *agent, const sb_tally *tally) {
    const sb_counters *spent = &tally->spent;
    if (!sb_has_marks(spent)) return;
    sb_table_add(t, task), sb_table_add(t, difficulty), sb_table_add(t, agent);
    for (int i = 0; i < SB_ANSWER_MARKS; i++) {
        sb_out *cell = sb_table_cell(t);
        sb_putf(cell, "%.0f", spent->mark[i]);
        if (has_rate(i) && spent->mark[i] > 0) sb_putf(cell, " (%.1f %%)", share_of(spent, i));
    }
}

static void add_head(sb_table *t) {
    static const char *const heads[] = {"task", "difficulty", "agent"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) sb_table_add(t, heads[i]);
    for (int i = 0; i < SB_ANSWER_MARKS; i++)
        sb_table_add(t, i == SB_TURNS_DROPPED ? "turns left out" : sb_answer_marks[i]);
}

void sb_report_fill_marks(const sb_report *r, sb_table *t) {
    bool some = false;
    *t = sb_table_of("Answers of models by task", 3 + SB_ANSWER_MARKS, 3);
    for (size_t i = 0; i < r->n; i++) some |= sb_has_marks(&r->entries[i].summary.all.spent);
    if (!some) return;
    snprintf(t->note, sizeof t->note,
             "as agents count them; an answer may have several marks, and shares are of all answers");
    add_head(t);
    for (size_t i = 0; i < r->n; i++) {
        const sb_summary *s = &r->entries[i].summary;
        const char *agent = r->entries[i].results.agent;
        add_row(t, "all", "", agent, &s->all);
        for (size_t k = 0; k < s->n_pairs; k++)
            add_row(t, s->pairs[k].task->name, s->pairs[k].difficulty, agent, &s->pairs[k].tally);
    }
}
