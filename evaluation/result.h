/* Results as a document: the episodes that were played, how they ended, and the scores (docs/evaluation.md). */
#ifndef SB_RESULT_H
#define SB_RESULT_H

#include "evaluation/summary.h"
#include "rollout/recorded.h"

#define SB_RESULT_VERSION 3 /* the first with version 2 of intervals and with Wilson's (sb_summary.older) */
#define SB_RESULT_OLDEST  1 /* the oldest version that is read; it has only the hash of a pack */

/* What the document holds besides the results. */
typedef struct sb_result_context {
    const char *spec;               /* the agent's spec */
    const sb_agent_options *limits; /* limits of a program; NULL for other agents */
    /* the object that tells who played, as JSON; NULL: it is made of `spec` and `limits` */
    const char *agent;
    const char *selection; /* which episodes were requested: a JSON object (evaluation/selected.h) */
    const sb_baseline *baseline;
} sb_result_context;

/* Writes the object that tells who played. */
void sb_result_print_agent(const sb_results *results, const char *spec, const sb_agent_options *limits, sb_out *out);

/* Writes one line for everything but the episodes, then one line per episode; `episodes` = false leaves these out. */
bool sb_result_print(const sb_results *results, const sb_result_context *context, bool episodes, sb_out *out,
                     sb_error *error);

/* Writes the member `families`: the sums and scores of the episodes. */
bool sb_result_print_families(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error);

/* Reads the agent and the episodes, and keeps the rest of the document for checking (evaluation/result_check.h).
 * Unknown families, tasks and rules are errors. */
bool sb_result_parse(const sb_catalogue *catalogue, const char *text, size_t n, sb_results *results, sb_error *error);
bool sb_result_load(const sb_catalogue *catalogue, const char *path, sb_results *results, sb_error *error);

/* Notes for every episode what certificates say about it (docs/certificates.md): the built-in certificates of the
 * official evaluation episodes, and, if `path` is not NULL, those of a file. They are not proven again here; `seedbed
 * verify` does that. Certificates that contradict each other, or were made under other rules, are errors. */
bool sb_results_certify(sb_results *results, const char *path, sb_error *error);

/* Checks the certificates in the results against the built-in ones, and for other episodes against those of the file,
 * if `path` is not NULL. *unknown counts the certificates that neither has. */
bool sb_results_check_certificates(const sb_results *results, const char *path, size_t *unknown, sb_error *error);

/* Replays every episode and compares its end with the results. `stop` may be NULL; it is asked between episodes. */
bool sb_results_verify(const sb_results *results, const sb_stop *stop, sb_error *error);

#endif
