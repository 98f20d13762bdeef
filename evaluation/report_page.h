/* The report as one page of HTML: no network, readable without its script, which only plays the episodes. */
#ifndef SB_REPORT_PAGE_H
#define SB_REPORT_PAGE_H

#include "evaluation/report.h"

/* Fails if memory runs out, or if an episode that the page shows does not come out as its result says. */
bool sb_report_page(const sb_report *report, sb_out *out, sb_error *error);

#endif
