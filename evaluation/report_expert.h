/* How many steps agents take beside an expert: the efficiency of BabyBench's interactive protocol (docs/babyai.md).
 */
#ifndef SB_REPORT_EXPERT_H
#define SB_REPORT_EXPERT_H

#include "evaluation/report.h"
#include "evaluation/table.h"

/* Fills the table `Efficiency beside the expert`: the mean over episodes of the expert's steps divided by the agent's,
 * 0 for episodes that the agent lost, in all, by category, and by task. It has no rows if the report has no expert. */
void sb_report_fill_expert(const sb_report *report, sb_table *table);

#endif
