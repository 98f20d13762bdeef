/* Compares results with each other and with published agents: as tables in several forms, and as one page of HTML. */
#ifndef SB_REPORT_H
#define SB_REPORT_H

#include "evaluation/humans.h"
#include "evaluation/published.h"
#include "evaluation/result_check.h"
#include "seedbed/picture.h"

typedef struct sb_report_options {
    const sb_catalogue *catalogue; /* where the tasks of the results are looked up */
    const sb_family *family;       /* NULL: the family of the first result's first episode */
    const char *baseline;          /* file, number or NULL, as for sb_baseline_load */
    const char *published;         /* `all`, `none` (also NULL), or parts of names, separated by commas */
    const char *expert;            /* file: a result of an expert in the same episodes; NULL: efficiency is not shown */
    const char *humans;            /* file: what people did (`seedbed humans`), to show beside agents; may be NULL */
    const char *atlas;             /* file: an atlas of the episodes, to explain success by; may be NULL */
    uint64_t replays;              /* how many episodes the page shows, per task and result */
    const char *look;              /* the look of the page's pictures; NULL: the family's first, if it has any */
    /* how the page's pictures are drawn; tile 0: one that suits people. `indexed` is not used */
    sb_brush_options drawing;
    /* name of a playground's page in the folder of this page; may be NULL */
    const char *playground;
    bool verify; /* also replay every episode of every result */
    /* The results as texts, one for each path, which then is only what people call it; NULL: they are read from the
     * files. */
    const sb_json_part *texts;
} sb_report_options;

/* A result with its summary. */
typedef struct sb_report_entry {
    sb_results results;
    sb_summary summary;
    sb_result_checked checked;
    char label[SB_AGENT_LABEL]; /* the agent's name, without that of the file */
    bool namesake;              /* another result's agent has the same name, so the file's name is added */
} sb_report_entry;

typedef struct sb_report {
    const sb_report_options *options;
    const sb_family *family;
    sb_baseline baseline;
    sb_published published; /* the published agents that are shown */
    sb_report_entry *entries;
    size_t n;
    sb_results expert;                  /* has no episodes if none was named */
    sb_humans humans;                   /* has no episodes if none were named */
    size_t unscored;                    /* episodes of games, of all results, that too few people played to be scored */
    struct sb_explanation *explanation; /* evaluation/explain/explain.h; NULL: there is no atlas */
    bool differ;                        /* not all results have the same episodes */
    bool salts_differ;                  /* results of the same name have different salts */
} sb_report;

/* Loads the files, checks them and sums them up. Wrong results are reported as such, not refused. The caller frees the
 * report, also after a failure; the options must outlive it. */
bool sb_report_open(sb_report *report, const sb_report_options *options, const char *const *paths, size_t n,
                    sb_error *error);
void sb_report_close(sb_report *report);
/* What scores by efficiency are called in this report; NULL: the family does not measure it. */
const char *sb_report_efficiency_name(const sb_report *report);
/* Whether every result is right, as far as it was checked. */
bool sb_report_all_right(const sb_report *report);
/* Lists the categories of the family's tasks, in their order; returns how many. */
size_t sb_report_categories(const sb_catalogue *catalogue, const sb_family *family,
                            const char *categories[SB_CATEGORIES]);
/* Lists the names of difficulties: the family's, then those of users' tasks that were played. Returns how many; more
 * than SB_REPORT_DIFFICULTIES are left out. */
enum { SB_REPORT_DIFFICULTIES = 256 };
size_t sb_report_difficulties(const sb_report *report, const char *names[SB_REPORT_DIFFICULTIES]);

#endif
