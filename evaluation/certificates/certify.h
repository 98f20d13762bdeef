/* Makes certificates of many episodes, writes them to a file that can be resumed, and verifies such files. */
#ifndef SB_CERTIFY_H
#define SB_CERTIFY_H

#include "base/stop.h"
#include "evaluation/certificates/certificate.h"
#include "evaluation/certificates/prover.h"

typedef struct sb_certification {
    const sb_request *request; /* what `selection` was made from; needed only with a path, because the file states it */
    const sb_selection *selection;
    size_t jobs;      /* workers; 0: one per processor */
    uint64_t budget;  /* states per episode for each search; 1 to SB_CERTIFY_BUDGET_MAX */
    const char *path; /* path of the file; NULL: none is written */
    /* Called for each certificate in the order of the selection, including those that the file held already; the
     * certificate is valid only during the call. May be NULL. */
    bool (*take)(void *context, const sb_certificate *certificate, sb_error *error);
    void (*note)(void *context, const char *text); /* shows the user a message; may be NULL */
    void *context;
    const sb_stop *stop; /* may be NULL; asked between episodes */
} sb_certification;

/* Makes the certificates. With a path, it resumes after the complete gzip members that an interrupted run left in
 * `path.part`; if it fails, its own work stays there. Fails with SB_MISMATCH if that file is of another selection,
 * budget or version. Refuses tasks that have no success. */
bool sb_certify(const sb_certification *certification, sb_error *error);

/* ---- Verifying ---- */

typedef struct sb_certificates_check {
    const sb_catalogue *catalogue; /* where the tasks of the episodes are looked up */
    const char *path;
    size_t jobs;     /* workers; 0: one per processor */
    uint64_t sample; /* how many episodes of each verdict are replayed or proven again, evenly spread; 0: all */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL; called in order */
    void *context;
    const sb_stop *stop; /* may be NULL */
} sb_certificates_check;

typedef struct sb_certificates_found {
    /* certificates by verdict: in the file, and those that were replayed or proven again */
    uint64_t counts[3], checked[3];
    uint64_t once; /* impossible episodes with only one proof */
} sb_certificates_found;

enum { SB_CERTIFICATES_BYTES = 1 << 30 }; /* the longest text that is read */

/* Checks that the episodes are those of the selection, in its order. Then replays the tapes, runs the second proof
 * again (or the only one), compares how many states it looked at, and checks counts and hash. Fails with SB_MISMATCH at
 * the first fault and names the line, the episode and what is wrong. */
bool sb_certificates_verify(const sb_certificates_check *check, sb_certificates_found *found, sb_error *error);
/* Verifies certificates as sb_certificates_verify does, from a text in memory. */
bool sb_certificates_verify_text(const char *text, size_t n, const sb_certificates_check *check,
                                 sb_certificates_found *found, sb_error *error);

#endif
