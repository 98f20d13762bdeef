/* Results as a document: what was played, how it went, and what it comes to (docs/evaluation.md). */
#ifndef SB_RESULT_H
#define SB_RESULT_H

#include "evaluation/summary.h"

#define SB_RESULT_FORMAT  "seedbed-result"
#define SB_RESULT_VERSION 2
#define SB_RESULT_OLDEST  1 /* the oldest version that is read: of packs it has only the hash */

enum {
    SB_RESULT_BYTES = 512 << 20, /* the longest document that is read */
    SB_RESULT_STEPS = 8,         /* of all its episodes, for each of its bytes; and beside that */
    SB_RESULT_MORE_STEPS = 1 << 24
};

/* What the document says beside the results. */
typedef struct sb_result_context {
    const char *spec;               /* of the agent */
    const sb_agent_options *limits; /* of a program; of a function the steps alone; NULL of others */
    const char *selection;          /* which episodes were asked for: a JSON object (evaluation/selected.h) */
    const sb_baseline *baseline;
} sb_result_context;

/* One line for everything but the episodes, then a line an episode; `episodes` = false leaves those out. */
bool sb_result_print(const sb_results *results, const sb_result_context *context, bool episodes, sb_out *out,
                     sb_error *error);

/* The member `families`: what the episodes come to. */
bool sb_result_print_families(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error);

/* Reads the agent and the episodes, and keeps what else is said for whoever checks it (evaluation/result_check.h).
 * Unknown families, tasks and rules are errors. */
bool sb_result_parse(const sb_catalogue *catalogue, const char *text, size_t n, sb_results *results, sb_error *error);
bool sb_result_load(const sb_catalogue *catalogue, const char *path, sb_results *results, sb_error *error);

/* Notes of every episode what certificates say of it (docs/certificates.md): those of the official evaluation episodes,
 * which come with the program, and, if `path` is not NULL, those of a file. They are believed: `seedbed verify` checks
 * them. Two that contradict each other are an error, as are those of other rules. */
bool sb_results_certify(sb_results *results, const char *path, sb_error *error);

/* Whether the certificates in the results are those that come with the program; of other episodes, those of the file,
 * if `path` is not NULL. *unknown counts those of which neither knows. */
bool sb_results_check_certificates(const sb_results *results, const char *path, size_t *unknown, sb_error *error);

/* Replays every episode and compares how it ends with what the results say. */
bool sb_results_verify(const sb_results *results, sb_error *error);

/* Actions as a text: numbers, a repeated one as `number*times`, separated by spaces. More than `limit` are an error:
 * few bytes can tell many. */
void sb_actions_print(const sb_action *actions, size_t n, sb_out *out);
bool sb_actions_parse(const char *text, size_t limit, sb_tape *tape, sb_error *error);

#endif
