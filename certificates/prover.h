/* Whether one episode can be won: who wins it, or what proves that nobody can.
 *
 * The proofs (docs/certificates.md says why each is one, and of what the others are independent):
 *   bound      the task's lower bound on the steps left says that success is out of reach
 *   expert     the expert's own search, which knows the task, looked at all that can be reached
 *   relaxed    the episode with something left out that can only be in the way cannot be won (sb_oracle.judge_relaxed)
 *   exhausted  every state that can be reached within the step limit was looked at, by the rules alone
 *   search     the same but for states of which the bound says that they lead nowhere */
#ifndef SB_PROVER_H
#define SB_PROVER_H

#include "certificates/certificate.h"
#include "oracles/copies.h"
#include "rollout/worker.h"

/* What a worker keeps from episode to episode. Starts with nothing but the budget and the worker's catalogue. */
typedef struct sb_prover {
    uint64_t budget; /* states a search over copies may look at; it takes about 64 bytes each */
    sb_worker worker;
    sb_copies copies; /* without memory until an episode needs it */
} sb_prover;

enum { SB_CERTIFY_BUDGET = 1000000, SB_CERTIFY_BUDGET_MAX = 1 << 26 }; /* the default, and the most */

void sb_prover_free(void *data); /* of a prover; takes void * to serve as sb_pool.free_scratch */

/* Lets every oracle try, then looks for two proofs, then searches for a solution. The certificate's name is set. Fails
 * with SB_MISMATCH if a proof is refuted by a solution. */
bool sb_prover_certify(sb_prover *prover, sb_certificate *certificate, sb_error *error);

/* Runs one of the proofs again: IMPOSSIBLE if it is one, and the states looked at. */
bool sb_prover_prove(sb_prover *prover, const sb_name *name, const char *method, sb_verdict *verdict, uint64_t *states,
                     sb_error *error);

#endif
