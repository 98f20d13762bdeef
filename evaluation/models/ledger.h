/* The ledger of a model: which claims about a log were wrong, since which revision of the model, and whether a repair
 * broke what was right before. It is a JSON document that every check brings up to date (docs/world-models.md).
 *
 * The module knows verdicts and nothing of how they came about. */
#ifndef SB_EVALUATION_MODELS_LEDGER_H
#define SB_EVALUATION_MODELS_LEDGER_H

#include "evaluation/models/check.h"

/* What a check found of one claim. */
typedef struct sb_ledger_claim {
    enum { SB_NOT_JUDGED, SB_RIGHT, SB_WRONG } verdict;
    sb_model_owner owner;      /* who is at fault, if the claim is wrong */
    const char *const *fields; /* the fields that are wrong, as paths; may be NULL */
    size_t n_fields;
} sb_ledger_claim;

/* What a check found of one transition of the log. */
typedef struct sb_ledger_verdict {
    uint64_t play, t, level;
    const char *action; /* the action as a JSON value */
    const char *words;  /* the action for people, `ACTION6 12 63`; not kept in the ledger, and may be NULL */
    bool asked, passed; /* whether the model was asked for the next frame, and was right */
    sb_ledger_claim claims[SB_MODEL_N_SOURCES];
} sb_ledger_verdict;

/* A claim that was wrong once. */
typedef struct sb_ledger_entry {
    sb_model_source source;
    sb_model_owner owner;
    uint64_t play, t, level;
    uint64_t opened, resolved; /* revisions from 1; resolved 0: it is still wrong */
    uint64_t *reopened;        /* revisions in which it was wrong again, ascending */
    size_t n_reopened;
    uint64_t times_wrong;
    char *texts; /* the action as a JSON value, then the fields, each with its NUL */
    size_t n_fields;
} sb_ledger_entry;

/* A ledger. Zeroed: no revision was checked yet. The caller frees it, also after a failure. */
typedef struct sb_ledger {
    uint64_t revision;
    char log_sha256[SB_SHA256_HEX];
    sb_ledger_entry *entries; /* entries, ordered by play, t and source */
    size_t n;
    /* Whether the last revision was right, for every transition that was asked, in the order of the log; filled up
     * with false to a multiple of four, because the document has hexadecimal digits. */
    bool *passed;
    size_t n_passed;
} sb_ledger;

enum { SB_LEDGER_BYTES = 256 << 20 /* bytes of a document that is read, at most */ };
/* Revisions count up to here, so that every reader of JSON has them exactly. */
#define SB_LEDGER_REVISIONS UINT64_C(1000000000)

/* Reads the text of a ledger. */
bool sb_ledger_parse(sb_ledger *ledger, const char *text, size_t n, sb_error *error);
/* Reads a file; if there is none, the ledger is zeroed. */
bool sb_ledger_load(sb_ledger *ledger, const char *path, sb_error *error);
/* Writes the document: equal ledgers give equal text. */
void sb_ledger_put(const sb_ledger *ledger, sb_out *out);
void sb_ledger_free(sb_ledger *ledger);

/* Compares a verdict's claim with an entry, by play, t and source: below 0 if the entry comes later. */
int sb_ledger_compare(const sb_ledger_verdict *verdict, sb_model_source source, const sb_ledger_entry *entry);
/* Writes into the claim's entry that it was wrong in a revision; a new entry has only its source, play and t. */
bool sb_ledger_enter(sb_ledger_entry *entry, const sb_ledger_verdict *verdict, const sb_ledger_claim *claim,
                     uint64_t revision, sb_error *error);

/* A check of a new revision. Nothing in it is kept. */
typedef struct sb_ledger_check {
    uint64_t revision;                 /* number of the revision, above that of the ledger; 0: the next one */
    const char *log_sha256;            /* SHA-256 of all logs that were checked, in 64 hexadecimal digits */
    const sb_ledger_verdict *verdicts; /* verdicts of every transition, ascending by play and t */
    size_t n;
    size_t cap; /* open entries that are kept of each source, the last ones of the log; 0: all */
} sb_ledger_check;

/* What a revision changed. The first one has nothing before it, so all but `right` and `wrong` is 0. */
typedef struct sb_ledger_news {
    uint64_t revision, before; /* number of the revision, and of the one before; 0: there is none */
    size_t right, wrong;       /* right and wrong transitions, of those that were asked */
    size_t fixed, broken, still_wrong, still_right;
    size_t *broken_at; /* which verdicts were passed before and are wrong now: `broken` indices, ascending */
    size_t opened, resolved, reopened, open; /* entries that were opened, resolved, reopened, and that are open now */
} sb_ledger_news;

/* Brings the ledger up to date. Fails, and changes nothing, if the ledger is of another log or a later revision. The
 * caller frees the news, also after a failure. Cost: linear. */
bool sb_ledger_revise(sb_ledger *ledger, const sb_ledger_check *check, sb_ledger_news *news, sb_error *error);
void sb_ledger_news_free(sb_ledger_news *news);

#endif
