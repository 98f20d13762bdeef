#include "datasets/losses.h"

#include <string.h>

enum { WAITED = 8 /* steps at the end; fewer may be a pause */ };

/* Whether the action does nothing: in BabyAI that is `done`, which ends nothing. */
static bool is_waiting(const sb_env *env, sb_action action) {
    char name[64];
    sb_action_name(env, action, name, sizeof name);
    return strcmp(name, "noop") == 0 || strcmp(name, "done") == 0;
}

static bool waited(const sb_tape *tape, const sb_env *env) {
    const size_t most = tape->n < WAITED ? tape->n : WAITED;
    size_t n = 0;
    while (n < most && is_waiting(env, tape->actions[tape->n - 1 - n])) n++;
    return n == most;
}

sb_loss sb_loss_of(const sb_tape *tape, const sb_env *env) {
    const sb_loss_how how = tape->outcome.terminated ? SB_LOSS_ENDED
                            : waited(tape, env)      ? SB_LOSS_GAVE_UP
                                                     : SB_LOSS_RAN_OUT;
    return (sb_loss){.name = tape->name, .how = how};
}
