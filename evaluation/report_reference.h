/* Tables of a report that compare with what was published: the oracle-normalised score as it is printed, and numbers
 * of other benchmarks, which stand apart. */
#ifndef SB_REPORT_REFERENCE_H
#define SB_REPORT_REFERENCE_H

#include "evaluation/report.h"
#include "evaluation/table.h"

/* The results and the published agents, by category. No rows if nothing was published for the family. */
void sb_report_fill_ons(const sb_report *report, sb_table *table);
/* The results, by task. */
void sb_report_fill_ons_tasks(const sb_report *report, sb_table *table);
/* Whether there are published numbers to compare with, and the report was not asked for any. */
bool sb_report_leaves_out_published(const sb_report *report);
/* Published numbers of the benchmark that the family takes after (evaluation/elsewhere.json). */
void sb_report_fill_elsewhere(const sb_report *report, sb_table *table);

#endif
