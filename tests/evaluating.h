/* Evaluations for tests, played and printed as results. A test fails here if one of these steps fails. */
#ifndef SB_TESTS_EVALUATING_H
#define SB_TESTS_EVALUATING_H

#include "evaluation/result.h"
#include "tests/support.h"

/* Lets the agent play the selection. The caller frees the results. */
sb_results evaluate(const char *spec, const sb_selection *selection, size_t jobs);
/* Prints the document of the results with the current baseline; `request` selected the episodes. The caller frees it.
 */
sb_out print_results(const sb_results *results, const sb_request *request);

#endif
