/* The table `Answers of models by task`: how many answers of an agent's model were unreadable, cut, refused or empty.
 * These are measurements; what an agent does about such answers is told under `What is told about the agents`. */
#ifndef SB_REPORT_MARKS_H
#define SB_REPORT_MARKS_H

#include "evaluation/report.h"
#include "evaluation/table.h"

/* Fills the table, which has no rows if no agent tells marks. */
void sb_report_fill_marks(const sb_report *report, sb_table *table);

/* Writes `600 answers, 436 unreadable (72.7 %), 3 cut (0.5 %)`. */
void sb_put_marks(sb_out *out, const sb_counters *counters);
/* Whether the key names a mark or a counter, so that a setting of this name would read like a measurement. */
bool sb_is_measurement(const char *key);

#endif
