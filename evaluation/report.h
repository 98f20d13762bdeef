/* Results side by side, beside the agents that were published: as tables in every form, and as one page of HTML. */
#ifndef SB_REPORT_H
#define SB_REPORT_H

#include "evaluation/published.h"
#include "evaluation/result_check.h"
#include "evaluation/table.h"

typedef struct sb_report_options {
    const sb_catalogue *catalogue; /* where the tasks of the results are looked up */
    const sb_family *family;       /* NULL: that of the first episode of the first result */
    const char *baseline;          /* file, number, or NULL: as sb_baseline_load */
    const char *published;         /* `all` (also NULL), `none`, or parts of names, separated by commas */
    uint64_t replays;              /* episodes that the page shows, per task and result */
    bool verify;                   /* replay every episode of every result, too */
    /* The documents themselves, one for each path, which then says no more than what people call it; NULL: they are
     * read from the files. */
    const sb_json_part *texts;
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

typedef enum sb_report_form { SB_REPORT_TEXT, SB_REPORT_MARKDOWN, SB_REPORT_JSON, SB_REPORT_HTML } sb_report_form;

/* Fails if memory runs out, or if an episode that the page shows does not come out as its result says. */
bool sb_report_print(const sb_report *report, sb_report_form form, sb_out *out, sb_error *error);

/* ---- For the page ---- */

/* What the tables are, in their order. */
enum {
    SB_REPORT_SCORES,
    SB_REPORT_RESULTS,
    SB_REPORT_CATEGORIES,
    SB_REPORT_TASKS,
    SB_REPORT_PUBLISHED,
    SB_REPORT_TABLES
};

/* Fills the table; one without rows is not shown. */
void sb_report_table(const sb_report *report, int which, sb_table *table);
/* The categories of the family's tasks, in their order; how many. */
size_t sb_report_categories(const sb_catalogue *catalogue, const sb_family *family,
                            const char *categories[SB_CATEGORIES]);
/* In report_page.c. */
bool sb_report_page(const sb_report *report, sb_out *out, sb_error *error);

#endif
