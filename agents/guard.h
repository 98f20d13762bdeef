/* Makes sure that no program outlives this process, even if this process is killed. The guard is a process that holds
 * only the other end of a pipe and a list of process groups. When the pipe closes, on request or because this process
 * has died, the guard kills every group on the list. If the guard itself is killed, starting and asking programs fails;
 * those that run can still be ended with sb_process_end.
 *
 * The guard is spawned, not forked: a fork of a process with threads may only make a few system calls, and a fork of a
 * process with much memory would keep a copy of all that changes. */
#ifndef SB_AGENTS_GUARD_H
#define SB_AGENTS_GUARD_H

#include <pthread.h>
#include <sys/types.h>

#include "seedbed.h"

typedef struct sb_guard {
    pid_t pid;
    int pipe;              /* programs write their process group into it before they begin */
    int life;              /* end of a pipe: it can be read once the guard is gone */
    pthread_mutex_t mutex; /* held while a program is started, so that no other program inherits its pipes */
} sb_guard;

/* Starts the guard. The caller must ignore or block SIGPIPE and must not ignore SIGCHLD. */
bool sb_guard_begin(sb_guard *guard, sb_error *error);
/* Kills the programs that still run and ends the guard. */
void sb_guard_end(sb_guard *guard);
/* Puts a process group on the list; a negative number takes it off. Makes one system call, so a forked child may call
 * it. False if the guard is gone. */
bool sb_guard_tell(int pipe, pid_t group);

#endif
