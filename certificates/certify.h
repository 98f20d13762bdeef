/* Certificates of many episodes: made, written to a file that can be resumed, and verified from it. */
#ifndef SB_CERTIFY_H
#define SB_CERTIFY_H

#include "certificates/certificate.h"
#include "certificates/prover.h"

typedef struct sb_certification {
    const sb_request *request; /* of what is certified; only a file needs it, to say it again */
    const sb_selection *selection;
    size_t jobs;      /* 0: one a processor */
    uint64_t budget;  /* states an episode for each search; 1 to SB_CERTIFY_BUDGET_MAX */
    const char *path; /* of the file; NULL: none */
    /* Takes the certificates in the order of the selection, those that the file held already among them; they are its
     * own only during the call. May be NULL. */
    bool (*take)(void *context, const sb_certificate *certificate, sb_error *error);
    void (*note)(void *context, const char *text); /* what the user should know; may be NULL */
    void *context;
} sb_certification;

/* With a path: goes on behind the whole members that an interrupted run left in `path.part`, and leaves what it has
 * there if it fails. Fails with SB_MISMATCH if these are of another selection, budget or version. Refuses tasks that
 * have no success. */
bool sb_certify(const sb_certification *certification, sb_error *error);

/* ---- Verifying ---- */

typedef struct sb_certificates_check {
    const sb_catalogue *catalogue; /* where the tasks of the episodes are looked up */
    const char *path;
    size_t jobs;     /* 0: one a processor */
    uint64_t sample; /* episodes of each verdict that are replayed or proven again, evenly spread; 0: all */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL; called in order */
    void *context;
} sb_certificates_check;

typedef struct sb_certificates_found {
    uint64_t counts[3], checked[3]; /* by verdict: in the file; replayed or proven again */
    uint64_t once;                  /* impossible ones with one proof only */
} sb_certificates_found;

enum { SB_CERTIFICATES_BYTES = 1 << 30 }; /* the longest text that is read */

/* Checks that the episodes are those of the selection in its order, replays tapes, runs second proofs (the only one
 * where there is no other) again, compares the states they looked at, then counts and hash. Fails with SB_MISMATCH at
 * the first fault, which it names: the line, the episode, what is wrong. */
bool sb_certificates_verify(const sb_certificates_check *check, sb_certificates_found *found, sb_error *error);
/* The same of a text, which need not be a file. */
bool sb_certificates_verify_text(const char *text, size_t n, const sb_certificates_check *check,
                                 sb_certificates_found *found, sb_error *error);

#endif
