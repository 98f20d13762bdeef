/* Evaluations for tests: played, and written down as results. Whatever fails ends the test. */
#ifndef SB_TESTS_EVALUATING_H
#define SB_TESTS_EVALUATING_H

#include "evaluation/result.h"
#include "tests/support.h"

/* The agent plays the selection. The caller frees the results. */
sb_results evaluate(const char *spec, const sb_selection *selection, size_t jobs);
/* The document, with the current baseline; the request is what selected the episodes. The caller frees it. */
sb_out print_results(const sb_results *results, const sb_request *request);

#endif
