/* Finds out whether one episode can be won: by winning it, or by a proof that nobody can.
 *
 * The proofs (docs/certificates.md says why each is valid, and what it is independent of):
 * - bound: the task's lower bound on the steps left says that success is out of reach
 * - expert: the expert's own search, which knows the task, looked at every reachable state
 * - relaxed: an easier episode, without something that can only be in the way, cannot be won (sb_oracle.judge_relaxed)
 * - exhausted: a search by the rules alone looked at every state that can be reached within the step limit
 * - search: the same, but without the states from which success is out of reach according to the bound */
#ifndef SB_PROVER_H
#define SB_PROVER_H

#include "evaluation/certificates/certificate.h"
#include "oracles/copies.h"
#include "rollout/worker.h"

/* What a worker keeps from episode to episode. Starts zeroed except for the budget and the worker's catalogue. */
typedef struct sb_prover {
    uint64_t budget; /* states that a search over copies may look at; each takes about 64 bytes */
    sb_worker worker;
    sb_copies copies; /* memory of searches; none until an episode needs it */
} sb_prover;

enum { SB_CERTIFY_BUDGET = 1000000, SB_CERTIFY_BUDGET_MAX = 1 << 26 }; /* the default and the maximum */

void sb_prover_free(void *data); /* frees a prover; takes void * to serve as sb_pool.free_scratch */

/* Lets every oracle try, then looks for two proofs, then searches for a solution. The certificate's name is set. Fails
 * with SB_MISMATCH if a proof is refuted by a solution. */
bool sb_prover_certify(sb_prover *prover, sb_certificate *certificate, sb_error *error);

/* Runs one of the proofs again. The verdict is IMPOSSIBLE if it holds; `states` is how many it looked at. */
bool sb_prover_prove(sb_prover *prover, const sb_name *name, const char *method, sb_verdict *verdict, uint64_t *states,
                     sb_error *error);

/* Plays the plan that a search over copies found from the state in `env`, to get its tape. */
bool sb_play_found(const sb_copies *copies, sb_env *env, sb_tape *tape, sb_error *error);

#endif
