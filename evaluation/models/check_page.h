/* The report of a check as one page of HTML: its tables, and the frames that were predicted wrong, side by side. */
#ifndef SB_EVALUATION_MODELS_CHECK_PAGE_H
#define SB_EVALUATION_MODELS_CHECK_PAGE_H

#include "evaluation/models/policies.h"
#include "evaluation/models/verdicts.h"

enum { SB_CHECK_PAGE_BYTES = 64 << 20 /* size of the frames on a page, before they are compressed */ };

/* Wrong transitions, collected during a check. Starts zeroed; the caller frees it. */
typedef struct sb_check_page {
    sb_out plays, wrong; /* items of lists of JSON */
    size_t n_plays, last_play;
    size_t shown, left_out; /* wrong transitions on the page, and those that there was no room for */
    /* What else is told, set before the page is written; NULL: nothing. */
    const sb_model_matrix *policies;
    const sb_ledger_news *news; /* news of the ledger; needs `verdicts`, which have the transitions that were broken */
    const sb_verdicts *verdicts;
} sb_check_page;

/* Takes one verdict; the context is an sb_check_page (sb_check_options.visit). */
bool sb_check_page_visit(void *context, const sb_model_verdict *verdict, sb_error *error);
/* Writes the page: the report as tables, and the transitions that were collected. */
bool sb_check_page_put(const sb_check_page *page, const sb_model_report *report, sb_out *out, sb_error *error);
void sb_check_page_free(sb_check_page *page);

#endif
