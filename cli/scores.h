/* Prints scores for people. */
#ifndef SB_CLI_SCORES_H
#define SB_CLI_SCORES_H

#include "evaluation/summary.h"

/* Puts tables that summarise the results, for every family in them. */
bool cli_print_scores(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error);

#endif
