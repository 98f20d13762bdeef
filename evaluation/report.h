/* Results side by side, beside the agents that were published. */
#ifndef SB_REPORT_H
#define SB_REPORT_H

#include "evaluation/published.h"
#include "evaluation/result_check.h"

typedef struct sb_report_options {
    const sb_catalogue *catalogue; /* where the tasks of the results are looked up */
    const sb_family *family;       /* NULL: that of the first episode of the first result */
    const char *baseline;          /* file, number, or NULL: as sb_baseline_load */
    const char *published;         /* `all` (also NULL), `none`, or parts of names, separated by commas */
    uint64_t replays;              /* episodes that the page shows, per task and result */
    bool verify;                   /* replay every episode of every result, too */
} sb_report_options;

/* One of the results, and what it comes to. */
typedef struct sb_report_entry {
    sb_results results;
    sb_summary summary;
    sb_result_checked checked;
    bool namesake; /* another result's agent is called the same: its name gets its file's */
} sb_report_entry;

typedef struct sb_report {
    const sb_report_options *options;
    const sb_family *family;
    sb_baseline baseline;
    sb_published published; /* those that are shown */
    sb_report_entry *entries;
    size_t n;
    bool differ;       /* not all results are of the same episodes */
    bool salts_differ; /* of results of one name */
} sb_report;

/* Loads the files, checks them and sums them up. Those that are wrong are told of, not refused. The caller frees the
 * report, also after a failure; the options outlive it. */
bool sb_report_open(sb_report *report, const sb_report_options *options, const char *const *paths, size_t n,
                    sb_error *error);
void sb_report_close(sb_report *report);
/* Whether every result is right as far as it was checked. */
bool sb_report_all_right(const sb_report *report);

#endif
