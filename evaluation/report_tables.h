/* The tables of a report, in whatever form they are printed. */
#ifndef SB_REPORT_TABLES_H
#define SB_REPORT_TABLES_H

#include "evaluation/report.h"
#include "evaluation/table.h"

/* What the tables are, in their order. */
enum {
    SB_REPORT_SCORES,
    SB_REPORT_EFFICIENCY,
    SB_REPORT_EXPERT,
    SB_REPORT_RUNS,
    SB_REPORT_DIFFERENCES,
    SB_REPORT_TESTS,
    SB_REPORT_RESULTS,
    SB_REPORT_ABOUT,
    SB_REPORT_CATEGORIES,
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

#endif
