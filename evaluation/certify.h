/* Can an episode be won at all? Solved (with a tape), impossible (with the methods that prove it), or unknown. */
#ifndef SB_CERTIFY_H
#define SB_CERTIFY_H

#include "rollout/selection.h"
#include "rollout/tape.h"

typedef struct sb_certificate {
    enum { SB_CERTIFIED_SOLVED, SB_CERTIFIED_IMPOSSIBLE, SB_UNCERTIFIED } verdict;
    /* What found it: `expert` or `search` if solved; if impossible, all that prove it: `bound` (the task's lower bound
     * says so), `expert` (its own search is exhausted), or else `exhausted` (every reachable state was looked at). */
    char method[48];
    uint64_t states; /* looked at */
    sb_tape tape;    /* if solved */
} sb_certificate;

typedef struct sb_certification {
    const sb_selection *selection;
    size_t jobs;     /* 0: one a processor */
    uint64_t budget; /* states an episode for the search; it takes about 64 bytes each */
    /* Takes the certificates in the order of the selection; they are its own only during the call. */
    bool (*take)(void *context, const sb_name *name, const sb_certificate *certificate, sb_error *error);
    void *context;
} sb_certification;

enum { SB_CERTIFY_BUDGET = 1000000 }; /* states an episode, if nothing else is asked for */

bool sb_certify(const sb_certification *certification, sb_error *error);
/* `{"episode": ..., "verdict": "solved", "method": ..., "states": ..., "steps": ...}` and a newline. */
void sb_certificate_print(const sb_name *name, const sb_certificate *certificate, sb_out *out);

extern const char *const sb_certificate_verdicts[3];

#endif
