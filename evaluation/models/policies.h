/* Policies and sub-goals that a candidate offers: each policy is rolled out in the model and in the world, and the
 * matrix says which sub-goals it reaches in either (docs/world-models.md). */
#ifndef SB_EVALUATION_MODELS_POLICIES_H
#define SB_EVALUATION_MODELS_POLICIES_H

#include "evaluation/models/candidate.h"

enum { SB_MODEL_ROLLOUT = 50 /* steps of a rollout, unless told otherwise */ };

/* How often a policy reached a sub-goal. */
typedef struct sb_model_reached {
    uint32_t model, real, both; /* rollouts in the model, in the world, and in both from the same start */
} sb_model_reached;

typedef struct sb_model_matrix {
    char policies[SB_MODEL_NAMES][SB_MODEL_NAME], sub_goals[SB_MODEL_NAMES][SB_MODEL_NAME];
    size_t n_policies, n_sub_goals;
    uint32_t starts;                                          /* episodes that were rolled out */
    uint32_t passed;                                          /* plays of recordings, which cannot be played here */
    sb_model_reached reached[SB_MODEL_NAMES][SB_MODEL_NAMES]; /* reached by each policy, of each sub-goal */
    uint32_t failures; /* rollouts that ended early because an operation failed */
} sb_model_matrix;

/* Rolls out all policies from the start of every episode in the logs, each episode once, at most `steps` steps. False
 * only for errors of this process, or if the program cannot be started. */
bool sb_model_roll_out(const sb_log *logs, size_t n, const sb_catalogue *catalogue, sb_candidate *candidate,
                       uint32_t steps, sb_model_matrix *matrix, sb_error *error);

/* Puts the matrix as a JSON value, and as a table. */
void sb_model_matrix_put(const sb_model_matrix *matrix, sb_out *out);
void sb_model_matrix_tabulate(const sb_model_matrix *matrix, sb_out *out);

#endif
