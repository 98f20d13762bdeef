/* How an agent came not to solve an episode, as far as its tape tells. */
#ifndef SB_DATASETS_LOSSES_H
#define SB_DATASETS_LOSSES_H

#include "rollout/tape.h"

typedef enum sb_loss_how {
    SB_LOSS_ENDED,   /* the world ended the episode */
    SB_LOSS_GAVE_UP, /* the oracle only waited until the steps ran out, since it knew no way */
    SB_LOSS_RAN_OUT, /* the steps ran out before the agent was there */
    SB_N_LOSSES
} sb_loss_how;

typedef struct sb_loss {
    sb_name name;
    sb_loss_how how;
} sb_loss;

/* Whether the tape's episode was lost. Nobody loses in a task without success. */
static inline bool sb_was_lost(const sb_tape *tape) {
    return sb_has_success(tape->criterion) && !tape->outcome.success;
}
/* Says how a lost episode was lost; `env` is of its task. */
sb_loss sb_loss_of(const sb_tape *tape, const sb_env *env);

#endif
