/* Runs another program at the other end of two pipes: starts it, exchanges one line at a time within a time limit, and
 * ends it with all its children, whatever it does. */
#ifndef SB_AGENTS_PROCESS_H
#define SB_AGENTS_PROCESS_H

#include <stdatomic.h>

#include "agents/failure.h"
#include "agents/guard.h"
#include "base/error.h"
#include "base/out.h"

enum { SB_REPLY_BYTES = 1 << 16 /* bytes of the reply to one message, without its newline */ };

/* How an exchange of lines went. */
typedef enum sb_exchange {
    SB_ANSWERED,
    SB_LATE,      /* no whole line within the time limit */
    SB_GONE,      /* the process closed its output or ended; sb_process_end says which */
    SB_OVERLONG,  /* more bytes than allowed without a newline */
    SB_TALKATIVE, /* more than one line for one request */
    SB_UNASKED    /* output before the request was sent, so that it cannot be the reply */
} sb_exchange;

typedef double sb_timer(void); /* seconds, never going backwards */

/* What is told if an answer takes long. */
typedef struct sb_reminder {
    double seconds; /* how long an answer may take before the note */
    const char *text;
    sb_note *note; /* NULL: nothing is told */
    void *context;
} sb_reminder;

typedef struct sb_process {
    sb_guard *guard;               /* NULL: none */
    pid_t pid;                     /* process id and process group of the command; 0: none is running */
    int in, out;                   /* the program's standard input and output */
    const _Atomic uint64_t *pulse; /* changes while the program gets on: then its time for an answer begins anew. NULL:
                                      an answer is all that counts */
    sb_out reply;
} sb_process;

/* Runs the command in a shell, in a process group of its own; its standard error is `errors`, or ours if that is -1. */
bool sb_process_begin(sb_process *process, sb_guard *guard, const char *command, int errors, sb_error *error);
/* Starts this program again as sb_process_begin starts a command, with these words (NULL at the end) as its arguments.
 * It inherits the descriptor `kept`. */
bool sb_process_begin_self(sb_process *process, sb_guard *guard, char *const words[], int kept, int errors,
                           sb_error *error);
/* Writes the line (n bytes, newline included) and waits for one line of at most `most` bytes. If one came,
 * process->reply holds it, NUL-terminated and without its newline; if several came, it holds the first, and after
 * SB_UNASKED what was read so far. `seconds` may become one more if there is a pulse. `went` says what the program did
 * wrong; only errors of this process return false. `reminder` may be NULL. */
bool sb_process_ask(sb_process *process, const char *line, size_t n, size_t most, double seconds, sb_timer *now,
                    const sb_reminder *reminder, sb_exchange *went, sb_error *error);
/* Writes a line and closes the program's input, so that the program can end by itself. */
void sb_process_dismiss(sb_process *process, const char *line, size_t n);

/* How a program ended. */
typedef struct sb_ending {
    enum { SB_EXITED, SB_SIGNALLED, SB_WAS_KILLED } how; /* SB_WAS_KILLED: it was still running, and we ended it */
    int number;                                          /* exit code or signal */
} sb_ending;

/* If `gently`, first gives the program a second to end by itself. Kills it and its children and frees what belongs to
 * it. Does nothing if no program is running. */
sb_ending sb_process_end(sb_process *process, bool gently);

/* A request without a good answer, for the words of the failure. */
typedef struct sb_unanswered {
    const char *op;   /* the request's name; NULL: it has none */
    uint64_t seconds; /* seconds within which an answer was due */
    size_t most;      /* most bytes that an answer may have */
    bool is_first;    /* the request is the first one of a program that began */
    const char *zero; /* what an exit code of 0 may mean; NULL: nothing */
} sb_unanswered;

/* Notes why an exchange brought no answer; returns false. A program that is gone is ended first; others still run. */
bool sb_failed_exchange(sb_process *process, sb_exchange went, const sb_unanswered *request, sb_failure *failure);
/* Notes that the reply makes no sense, with its beginning; returns false. `op` may be NULL. */
bool sb_failed_nonsense(const sb_process *process, const char *op, const char *why, sb_failure *failure);

#endif
