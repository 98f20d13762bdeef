/* The report as one page of HTML. It uses no network and is readable without its script, which only plays the
 * episodes. */
#ifndef SB_REPORT_PAGE_H
#define SB_REPORT_PAGE_H

#include "evaluation/report.h"

/* Writes the report. Fails if memory runs out, or if the replay of an episode on the page differs from its result. */
bool sb_report_page(const sb_report *report, sb_out *out, sb_error *error);

#endif
