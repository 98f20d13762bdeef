/* Runs another program at the other end of two pipes: starts it, exchanges one line at a time within a time limit, and
 * ends it with all its children, whatever it does. */
#ifndef SB_AGENTS_PROCESS_H
#define SB_AGENTS_PROCESS_H

#include <pthread.h>
#include <sys/types.h>

#include "base/out.h"

enum { SB_REPLY_BYTES = 1 << 16 /* of a reply, without its newline */ };

/* Makes a pipe whose descriptors lie above the standard streams and are not inherited by programs. After a failure both
 * are -1. */
bool sb_make_pipe(int ends[2], sb_error *error);

/* Makes sure that no program outlives this process, even if this process is killed. The guard is a child process that
 * holds only the other end of a pipe and a list of process groups. When the pipe closes, on request or because this
 * process has died, the guard kills every group on the list. If the guard itself is killed, starting and asking
 * programs fails; those that run can still be ended with sb_process_end. */
typedef struct sb_guard {
    pid_t pid;
    int pipe;              /* programs write their process id into it before they begin */
    pthread_mutex_t mutex; /* held while a program is started, so that no other program inherits its pipes */
} sb_guard;

/* Starts the guard. Call it before there are threads. The caller must ignore SIGPIPE and must not ignore SIGCHLD. */
bool sb_guard_begin(sb_guard *guard, sb_error *error);
/* Kills the programs that still run and ends the guard. */
void sb_guard_end(sb_guard *guard);

/* How an exchange of lines went. */
typedef enum sb_exchange {
    SB_ANSWERED,
    SB_LATE,      /* no whole line within the time limit */
    SB_GONE,      /* it closed its output or ended; sb_process_end says which */
    SB_OVERLONG,  /* more than SB_REPLY_BYTES without a newline */
    SB_TALKATIVE, /* more than one line for one request */
    SB_UNASKED    /* output before the request was sent, so that it cannot be the reply */
} sb_exchange;

typedef double sb_timer(void); /* seconds, never going backwards */

typedef struct sb_process {
    sb_guard *guard; /* NULL: none */
    pid_t pid;       /* process id and process group of the command; 0: none is running */
    int in, out;     /* the program's standard input and output */
    sb_out reply;
} sb_process;

/* Runs the command in a shell, in a process group of its own; its standard error is `errors`, or ours if that is -1. */
bool sb_process_begin(sb_process *process, sb_guard *guard, const char *command, int errors, sb_error *error);
/* Writes the line (n bytes, newline included) and waits for one line. If one came, process->reply holds it,
 * NUL-terminated and without its newline; if several came, it holds the first, and after SB_UNASKED what was read so
 * far. `went` says what the program did wrong; only errors of this process return false. */
bool sb_process_ask(sb_process *process, const char *line, size_t n, double seconds, sb_timer *now, sb_exchange *went,
                    sb_error *error);
/* Writes a line and closes the program's input, so that the program can end by itself. */
void sb_process_dismiss(sb_process *process, const char *line, size_t n);

/* How a program ended. */
typedef struct sb_ending {
    enum { SB_EXITED, SB_SIGNALLED, SB_WAS_KILLED } how; /* SB_WAS_KILLED: it was still running, and we ended it */
    int number;                                          /* exit code or signal */
} sb_ending;

/* If `gently`, first gives the program a second to end by itself. Kills it and its children and frees what belongs to
 * it. Does nothing if none is running. */
sb_ending sb_process_end(sb_process *process, bool gently);

#endif
