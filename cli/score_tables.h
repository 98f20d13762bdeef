/* Prints scores for people. */
#ifndef SB_CLI_SCORE_TABLES_H
#define SB_CLI_SCORE_TABLES_H

#include "evaluation/summary.h"

/* Puts tables that summarise the results, for every family in them. */
bool cli_put_score_tables(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error);

#endif
