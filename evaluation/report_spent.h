/* What agents said and what that took, on the page of a report: charts of scores against cost and time, and the
 * thoughts of an episode. */
#ifndef SB_REPORT_SPENT_H
#define SB_REPORT_SPENT_H

#include "evaluation/report.h"

/* Draws success against cost and against seconds, both for each episode; a chart that no result has numbers for is left
 * out. `colours` is how many colours agents have. */
void sb_report_put_spent(const sb_report *report, size_t colours, sb_out *out);

/* Writes the member `thoughts` of an episode, or nothing if nothing was said: items [step, thought, counters], the last
 * two as texts for people. */
void sb_report_put_thoughts(const sb_said *said, sb_out *out);

#endif
