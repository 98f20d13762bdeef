/* Writing logs of transitions. */
#include "base/error.h"
#include "rollout/transitions.h"

const char *const sb_transition_names[SB_N_TRANSITIONS] = {"step", "level", "over", "reset", "none"};
