/* What came out of a check, for programs and for people. */
#ifndef SB_EVALUATION_MODELS_REPORT_PRINT_H
#define SB_EVALUATION_MODELS_REPORT_PRINT_H

#include "evaluation/models/check.h"

#define SB_MODEL_REPORT_FORMAT "seedbed-model-report"

/* Puts the members of a report's JSON object, without its braces, so that callers may add some. */
void sb_model_report_put(const sb_model_report *report, sb_out *out);
/* Puts the members of one part's sums. */
void sb_model_sums_put(const sb_model_sums *sums, sb_out *out);
/* Puts the report as tables. */
void sb_model_report_tabulate(const sb_model_report *report, sb_out *out);
/* Puts an action in words, `ACTION6 12 63`. */
void sb_put_action_words(sb_out *out, const sb_log_action *action);

#endif
