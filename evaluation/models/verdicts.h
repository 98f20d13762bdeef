/* Keeps the verdicts of a check, as ledgers want them. */
#ifndef SB_EVALUATION_MODELS_VERDICTS_H
#define SB_EVALUATION_MODELS_VERDICTS_H

#include "evaluation/models/ledger.h"

/* Verdicts that are kept. Starts zeroed; the caller frees it. */
typedef struct sb_verdicts {
    sb_ledger_verdict *items; /* texts are set by sb_verdicts_check */
    size_t n, capacity;
    sb_out texts;        /* of each item: the action, its words, then the fields of its claims, each with its NUL */
    const char **fields; /* room for the lists of wrong fields */
    size_t n_fields;     /* fields of all items */
    char (*names)[SB_LOG_GAME]; /* names of the episodes, by play */
    size_t n_names;
    char log_sha256[SB_SHA256_HEX];
} sb_verdicts;

/* Takes one verdict of a check; the context is an sb_verdicts (sb_check_options.visit). */
bool sb_verdicts_visit(void *context, const sb_model_verdict *verdict, sb_error *error);
/* After the check of n logs: fills in what belongs to the verdicts. The hash is that of the log; of several, that of
 * their hashes in order. What `check` points to belongs to the verdicts. */
bool sb_verdicts_check(sb_verdicts *verdicts, const sb_log *logs, size_t n, sb_ledger_check *check, sb_error *error);
/* Which claim of a wrong transition is wrong, and its source: an answer that is missing comes first. */
const sb_ledger_claim *sb_verdict_wrong_claim(const sb_ledger_verdict *verdict, sb_model_source *source);
void sb_verdicts_free(sb_verdicts *verdicts);

#endif
