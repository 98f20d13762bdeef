/* A program of somebody else's at the other end of two pipes: started, asked for a line at a time within a time limit,
 * and ended with all its children, whatever it does. */
#ifndef SB_AGENTS_PROCESS_H
#define SB_AGENTS_PROCESS_H

#include <pthread.h>
#include <sys/types.h>

#include "base/out.h"

enum { SB_REPLY_BYTES = 1 << 16 /* of a reply, without its newline */ };

/* A pipe whose ends programs do not inherit, and which lie above the standard streams. On failure both are -1. */
bool sb_make_pipe(int ends[2], sb_error *error);

/* Sees to it that no program outlives us, not even when we are killed: a process of our own that holds the other end of
 * a pipe and a list of process groups, and nothing else. When the pipe closes, because we asked for it or because we
 * are gone, it kills every group on the list. If the guard itself is killed, nothing is started or asked any more: both
 * fail, and the programs are there to be ended with sb_process_end. */
typedef struct sb_guard {
    pid_t pid;
    int pipe;              /* programs write their own number into it before they begin */
    pthread_mutex_t mutex; /* no pipe may slip into another program that is started at the same moment */
} sb_guard;

/* Begin it before there are threads. The caller ignores SIGPIPE, and does not ignore SIGCHLD. */
bool sb_guard_begin(sb_guard *guard, sb_error *error);
/* Kills whatever still runs. */
void sb_guard_end(sb_guard *guard);

/* How an exchange of lines went. */
typedef enum sb_exchange {
    SB_ANSWERED,
    SB_LATE,      /* no whole line within the limit */
    SB_GONE,      /* its output ended, or it did; sb_process_end tells how */
    SB_OVERLONG,  /* more than SB_REPLY_BYTES without a newline */
    SB_TALKATIVE, /* more than one line for one request */
    SB_UNASKED    /* something before the request; which request it was meant for nobody knows */
} sb_exchange;

typedef double sb_timer(void); /* seconds, only ever forward */

typedef struct sb_process {
    sb_guard *guard; /* NULL: nobody watches whether we are there */
    pid_t pid;       /* of what the command starts, and process group; 0: none is running */
    int in, out;     /* what it reads, what it writes */
    sb_out reply;
} sb_process;

/* Runs the command in a shell, in a process group of its own; its standard error goes to `errors`, or is ours (-1). */
bool sb_process_begin(sb_process *process, sb_guard *guard, const char *command, int errors, sb_error *error);
/* Writes the line (n bytes, newline included) and waits for one line. If one came, it is in process->reply,
 * NUL-terminated and without its newline (of several: the first; of what came unasked, as much as is there). Fails only
 * for our own reasons. */
bool sb_process_ask(sb_process *process, const char *line, size_t n, double seconds, sb_timer *now, sb_exchange *went,
                    sb_error *error);
/* Writes a line and closes the program's input, for a program that is to end by itself. */
void sb_process_dismiss(sb_process *process, const char *line, size_t n);

/* How a program ended. */
typedef struct sb_ending {
    enum { SB_EXITED, SB_SIGNALLED, SB_WAS_KILLED } how; /* SB_WAS_KILLED: it was still running, and we ended it */
    int number;                                          /* exit code or signal */
} sb_ending;

/* Gives the program a second to end by itself if `gently`, kills it and its children, and frees what belongs to it.
 * Does nothing if none is running. */
sb_ending sb_process_end(sb_process *process, bool gently);

#endif
