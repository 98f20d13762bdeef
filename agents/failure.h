/* Why an episode ended before its end. */
#ifndef SB_AGENTS_FAILURE_H
#define SB_AGENTS_FAILURE_H

#include "base/visible.h"

typedef enum sb_failure_kind {
    SB_NO_FAILURE,
    SB_FAILED_START,    /* the program could not be started, or did not say hello as it should */
    SB_FAILED_CRASH,    /* it ended */
    SB_FAILED_CLOSED,   /* it closed its output and went on */
    SB_FAILED_TIMEOUT,  /* it did not answer in time */
    SB_FAILED_NONSENSE, /* its answer is no answer, or no action */
    SB_FAILED_OVERLONG, /* its answer does not end */
    SB_FAILED_STEPS,    /* it took as many steps as it was allowed, and the episode was not over */
    SB_FAILED_TAPE,     /* there is no tape, or it does not come out as it says */
    SB_N_FAILURES
} sb_failure_kind;

typedef struct sb_failure {
    sb_failure_kind kind;
    char text[200]; /* one line for people */
} sb_failure;

extern const char *const sb_failure_names[SB_N_FAILURES]; /* `start`, `crash`, ... */

#endif
