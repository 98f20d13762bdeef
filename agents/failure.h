/* Why an agent did not play an episode to its end. */
#ifndef SB_AGENTS_FAILURE_H
#define SB_AGENTS_FAILURE_H

#include "base/visible.h"

typedef enum sb_failure_kind {
    SB_NO_FAILURE,
    SB_FAILED_START,    /* the program could not be started, or its hello was wrong */
    SB_FAILED_CRASH,    /* the program ended */
    SB_FAILED_CLOSED,   /* the program closed its output but kept running */
    SB_FAILED_TIMEOUT,  /* the program did not answer in time */
    SB_FAILED_NONSENSE, /* the program's answer is malformed, or is no valid action */
    SB_FAILED_OVERLONG, /* the program's answer is too long */
    SB_FAILED_STEPS,    /* the program used up its steps before the episode was over */
    SB_FAILED_TAPE,     /* there is no tape, or its replay differs from what the tape says */
    /* An agent that asks a model says that it got no answer (docs/agents.md, "Losing an episode"): */
    SB_FAILED_ENDPOINT, /* the model could not be asked, or gave no answer */
    SB_FAILED_CONTEXT,  /* the messages are too long for the model */
    SB_FAILED_QUOTA,    /* there is nothing left to pay the model with */
    SB_FAILED_REFUSED,  /* the model, or its provider, refused */
    SB_N_FAILURES
} sb_failure_kind;

enum { SB_LOST_IN_A_ROW = 20 /* so many episodes lost one after another usually end a run */ };

typedef struct sb_failure {
    sb_failure_kind kind;
    char text[200]; /* a line for people */
} sb_failure;

extern const char *const sb_failure_names[SB_N_FAILURES]; /* `start`, `crash`, ... */

/* Notes why the agent failed; returns false. Invisible characters of the text are escaped. */
__attribute__((format(printf, 3, 4))) bool sb_failed(sb_failure *failure, sb_failure_kind kind, const char *format,
                                                     ...);

#endif
