#include "agents/failure.h"

const char *const sb_failure_names[SB_N_FAILURES] = {
    [SB_NO_FAILURE] = "none",          [SB_FAILED_START] = "start",     [SB_FAILED_CRASH] = "crash",
    [SB_FAILED_CLOSED] = "closed",     [SB_FAILED_TIMEOUT] = "timeout", [SB_FAILED_NONSENSE] = "nonsense",
    [SB_FAILED_OVERLONG] = "overlong", [SB_FAILED_STEPS] = "steps",     [SB_FAILED_TAPE] = "tape"};
