/* A report in every form: its tables as text, Markdown or JSON, or all of it as one page of HTML. */
#ifndef SB_REPORT_PRINT_H
#define SB_REPORT_PRINT_H

#include "evaluation/report.h"

typedef enum sb_report_form { SB_REPORT_TEXT, SB_REPORT_MARKDOWN, SB_REPORT_JSON, SB_REPORT_HTML } sb_report_form;

/* Writes the report in this form. Fails if memory runs out; a page also fails if the replay of an episode on it differs
 * from its result. */
bool sb_report_print(const sb_report *report, sb_report_form form, sb_out *out, sb_error *error);

/* Writes the report as one page of HTML, which uses no network and is readable without its script; that only plays the
 * episodes. Fails if memory runs out, or if the replay of an episode on the page differs from its result. */
bool sb_report_page(const sb_report *report, sb_out *out, sb_error *error);

#endif
