/* The tables of a report, in whatever form they are printed. Reports without anything that a table tells have no rows
 * in it. */
#ifndef SB_REPORT_TABLES_H
#define SB_REPORT_TABLES_H

#include "evaluation/report.h"
#include "evaluation/table.h"

/* What the tables are, in their order. */
enum {
    SB_REPORT_SCORES,
    SB_REPORT_BUDGET,
    SB_REPORT_EFFICIENCY,
    SB_REPORT_EXPERT,
    SB_REPORT_RUNS,
    SB_REPORT_DIFFERENCES,
    SB_REPORT_TESTS,
    SB_REPORT_PEOPLE,
    SB_REPORT_PEOPLE_TESTS,
    SB_REPORT_RESULTS,
    SB_REPORT_ABOUT,
    SB_REPORT_CATEGORIES,
    SB_REPORT_FAILING,
    SB_REPORT_CORRELATIONS,
    SB_REPORT_BINS,
    SB_REPORT_MODEL,
    SB_REPORT_SURPRISES,
    SB_REPORT_TASKS,
    SB_REPORT_MARKS,
    SB_REPORT_PUBLISHED,
    SB_REPORT_ONS,
    SB_REPORT_ONS_TASKS,
    SB_REPORT_ELSEWHERE,
    SB_REPORT_TABLES
};

/* Fills the table; a table without rows is not shown. */
void sb_report_table(const sb_report *report, int which, sb_table *table);

/* ---- Under a budget (report_tables_budget.c) ---- */

/* Fills the table of what results under a budget tell of all official episodes. It has no rows if no result is under
 * one. */
void sb_report_fill_budget(const sb_report *report, sb_table *table);

/* ---- Beside an expert (report_tables_expert.c) ---- */

/* Fills the table `Efficiency beside the expert`: the mean over episodes of the expert's steps divided by the agent's,
 * 0 for episodes that the agent lost, in all, by category, and by task. It has no rows if the report has no expert. */
void sb_report_fill_expert(const sb_report *report, sb_table *table);

/* ---- Beside people (report_tables_people.c) ---- */

/* By task: success, actions and seconds of people, and of agents in the same episodes. No rows without people. */
void sb_report_fill_people(const sb_report *report, sb_table *table);
/* Fills the table by kind of test: the mean over tests of the 80th percentile of people's scores, and the mean score
 * of agents in the same tests. */
void sb_report_fill_people_tests(const sb_report *report, sb_table *table);

/* ---- Answers of models (report_tables_marks.c) ---- */

/* Fills the table of marks, which has no rows if no agent tells marks. */
void sb_report_fill_marks(const sb_report *report, sb_table *table);

/* Writes `600 answers, 436 unreadable (72.7 %), 3 cut (0.5 %)`. */
void sb_put_marks(sb_out *out, const sb_counters *counters);
/* Whether the key names a mark or a counter, so that a setting of this name would read like a measurement. */
bool sb_is_measurement(const char *key);

/* ---- Repeated runs (report_tables_runs.c) ---- */

/* Success of every agent, over all episodes and those of each category and difficulty: mean, range over runs, and
 * intervals over runs and episodes. */
void sb_report_fill_runs(const sb_report *report, sb_table *table);
/* By task, the success of every agent less that of the first with the same episodes. */
void sb_report_fill_differences(const sb_report *report, sb_table *table);

/* ---- Beside what was published (report_tables_reference.c) ---- */

/* Fills the table of oracle-normalised scores of the results and the published agents, by category. It has no rows if
 * nothing was published for the family. */
void sb_report_fill_ons(const sb_report *report, sb_table *table);
/* Fills the table of oracle-normalised scores of the results, by task. */
void sb_report_fill_ons_tasks(const sb_report *report, sb_table *table);
/* Whether there are published numbers to compare with, and the report was not asked for any. */
bool sb_report_leaves_out_published(const sb_report *report);
/* Published numbers of the benchmark that the family takes after (evaluation/elsewhere.json). */
void sb_report_fill_elsewhere(const sb_report *report, sb_table *table);

/* ---- Beside the atlas (report_tables_explain.c, report_print_explain.c) ---- */

/* Fill the tables that join results with the atlas. They have no rows without one. */
void sb_report_fill_failing(const sb_report *report, sb_table *table);
void sb_report_fill_correlations(const sb_report *report, sb_table *table);
void sb_report_fill_bins(const sb_report *report, sb_table *table);
void sb_report_fill_model(const sb_report *report, sb_table *table);
void sb_report_fill_surprises(const sb_report *report, sb_table *table);
/* How many digits tell apart where a bin ends and the next begins. */
struct sb_bins;
int sb_bin_digits(const struct sb_bins *bins);
/* Writes a value of a measure with so many digits, if it is no whole number. */
void sb_put_measured(double value, int digits, sb_out *out);
/* Draws correlations, and success by bins of each measure. */
void sb_report_put_explained(const sb_report *report, size_t colours, sb_out *out);

/* ---- What agents said, and what that took (report_tables_spent.c) ---- */

/* Draws success against cost and against seconds, both for each episode; a chart that no result has numbers for is left
 * out. `colours` is how many colours agents have. */
void sb_report_put_spent(const sb_report *report, size_t colours, sb_out *out);

/* Writes the member `thoughts` of an episode, or nothing if nothing was said: items [step, thought, counters], the last
 * two as texts for people. */
void sb_report_put_thoughts(const sb_said *said, sb_out *out);

#endif
