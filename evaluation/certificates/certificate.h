/* A certificate says whether an episode can be won, with what is needed to check it. Format: docs/certificates.md. */
#ifndef SB_CERTIFICATE_H
#define SB_CERTIFICATE_H

#include "base/hash.h"
#include "rollout/selection.h"
#include "rollout/tape.h"

typedef enum sb_certified { SB_CERTIFIED_SOLVED, SB_CERTIFIED_IMPOSSIBLE, SB_UNCERTIFIED } sb_certified;

extern const char *const sb_certified_names[3]; /* solved, impossible, unknown */

typedef struct sb_certificate {
    sb_name name;
    sb_certified verdict;
    /* If solved: who won, `expert`, `observer`, `clairvoyant` or `search`. If impossible: the proof
     * (evaluation/certificates/prover.h). */
    char method[SB_AGENT_NAME];
    char check[SB_AGENT_NAME]; /* if impossible: a second proof by other means; empty if there is none */
    /* States looked at. If impossible: by the method and by the check; if unknown: by everything that was tried. */
    uint64_t states, check_states;
    sb_tape tape; /* the winning play, if solved */
} sb_certificate;

/* Forgets the verdict, but keeps the tape's memory. */
void sb_certificate_clear(sb_certificate *certificate);
void sb_certificate_free(sb_certificate *certificate);

/* Writes one line of JSON with its newline. */
void sb_certificate_print(const sb_certificate *certificate, sb_out *out);
/* Reads one line of JSON. Unknown, missing and contradicting keys are errors. */
bool sb_certificate_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_certificate *certificate,
                          sb_error *error);

/* ---- The first and the last line of a file of certificates ---- */

enum { SB_CERTIFICATES_FORMAT = 1 };

typedef struct sb_certificates_head {
    const cJSON *rules; /* if the head was parsed: see sb_rules_agree_with */
    uint64_t budget, episodes;
    sb_request request;
    cJSON *document; /* owns the rules and the request's texts, if the head was parsed */
} sb_certificates_head;

typedef struct sb_certificates_tail {
    uint64_t counts[3];         /* number of certificates by verdict */
    char sha256[SB_SHA256_HEX]; /* SHA-256 of all bytes before this line, uncompressed */
} sb_certificates_tail;

/* Writes the head of the certificates of a selection. */
void sb_certificates_head_print(const sb_certificates_head *head, const sb_selection *selection, sb_out *out);
bool sb_certificates_head_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_certificates_head *head,
                                sb_error *error);
void sb_certificates_head_free(sb_certificates_head *head); /* frees a head that was parsed */

/* The certificates of the official evaluation episodes, evaluation/certificates/official.jsonl.gz as the build put it
 * into the program (cmake/embed.cmake). */
extern const unsigned char sb_shipped_certificates[];
extern const size_t sb_shipped_certificates_size;

void sb_certificates_tail_print(const sb_certificates_tail *tail, sb_out *out);
bool sb_certificates_tail_parse(const char *line, size_t n, sb_certificates_tail *tail, sb_error *error);

#endif
