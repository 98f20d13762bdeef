/* A certificate: what is known of an episode and how anybody can check it. Format: docs/certificates.md. */
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
    /* Who won it: `expert`, `observer`, `clairvoyant` or `search`. Or what proves it impossible
     * (certificates/prover.h).
     */
    char method[SB_AGENT_NAME];
    char check[SB_AGENT_NAME]; /* if impossible: a second proof by other means; empty if there is none */
    /* States looked at: by the method and by the check if it is impossible, by all that was tried if it is unknown. */
    uint64_t states, check_states;
    sb_tape tape; /* if solved */
} sb_certificate;

/* Forgets the verdict, but keeps the tape's memory. */
void sb_certificate_clear(sb_certificate *certificate);
void sb_certificate_free(sb_certificate *certificate);

/* One line of JSON with its newline. */
void sb_certificate_print(const sb_certificate *certificate, sb_out *out);
/* Reads such a line. Unknown, missing and contradicting keys are errors. */
bool sb_certificate_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_certificate *certificate,
                          sb_error *error);

/* ---- The first and the last line of a file of certificates ---- */

enum { SB_CERTIFICATES_FORMAT = 1 };

typedef struct sb_certificates_head {
    char rules[SB_RULES_NAME]; /* of the family, which is one */
    uint64_t budget, episodes;
    sb_request request;
    cJSON *document; /* if it was parsed: the request's texts live in it */
} sb_certificates_head;

typedef struct sb_certificates_tail {
    uint64_t counts[3];         /* by verdict */
    char sha256[SB_SHA256_HEX]; /* of all bytes before this line, uncompressed */
} sb_certificates_tail;

void sb_certificates_head_print(const sb_certificates_head *head, sb_out *out);
bool sb_certificates_head_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_certificates_head *head,
                                sb_error *error);
void sb_certificates_head_free(sb_certificates_head *head); /* of one that was parsed */

/* The certificates of the official evaluation episodes, certificates/official.jsonl.gz as the build put it into the
 * program (cmake/embed.cmake). */
extern const unsigned char sb_shipped_certificates[];
extern const size_t sb_shipped_certificates_size;

void sb_certificates_tail_print(const sb_certificates_tail *tail, sb_out *out);
bool sb_certificates_tail_parse(const char *line, size_t n, sb_certificates_tail *tail, sb_error *error);

#endif
