/* Tables of a report about repeated runs: results of one name on the same episodes. Reports without any have no rows.
 */
#ifndef SB_REPORT_RUNS_H
#define SB_REPORT_RUNS_H

#include "evaluation/report.h"
#include "evaluation/table.h"

/* Success of every agent, over all episodes and those of each category and difficulty: mean, range over runs, and
 * intervals over runs and episodes. */
void sb_report_fill_runs(const sb_report *report, sb_table *table);
/* By task, the success of every agent less that of the first with the same episodes. */
void sb_report_fill_differences(const sb_report *report, sb_table *table);

#endif
