/* The signals that end a program, listening for signals, and saving and restoring the dispositions of a host program.
 */
#ifndef SB_BASE_SIGNALS_H
#define SB_BASE_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "seedbed.h"

/* Gives SIGINT, SIGTERM and SIGHUP, except those that were ignored when the program started: `nohup` and background
 * jobs of a shell need them to stay ignored, and blocking an ignored signal would make it pending. With `handled`, also
 * those for which the host program has a handler; the handler is not called while they are blocked. */
void sb_ending_signals(sigset_t *signals, bool handled);

/* Holds SIGPIPE back in this thread and in those that it starts: whoever writes to a process that has ended gets an
 * error, and no signal. Then takes what came, and restores the thread's mask. */
void sb_hold_sigpipe(sigset_t *before);
void sb_release_sigpipe(const sigset_t *before);

/* ---- Listening ---- */

/* Hears of a signal, in a thread of its own. */
typedef void sb_heard(void *context, int signal);

enum { SB_QUIET_SIGNALS = 3 };

typedef struct sb_listener {
    sigset_t signals, before;
    struct sigaction quiet[SB_QUIET_SIGNALS]; /* what was done on signals that do nothing by default */
    sb_heard *heard;
    void *context;
    pthread_t thread;
} sb_listener;

/* Blocks the signals in this thread and in those that it starts, and tells `heard` when one comes. The listener must
 * stay where it is. */
bool sb_listen(sb_listener *listener, const sigset_t *signals, sb_heard *heard, void *context, sb_error *error);
/* Ends the thread of the listener: from here on the signals wait. */
void sb_listen_hold(const sb_listener *listener);
/* Restores the signals as they were; those that wait take effect. Call sb_listen_hold before, but not in a forked
 * child, which has no thread of the listener. */
void sb_listen_end(const sb_listener *listener);

/* Signals that can be waited for together with other descriptors. */
typedef struct sb_signals {
    int pipe[2]; /* for poll: pipe[0] can be read while a signal waits */
    sb_listener listener;
} sb_signals;

bool sb_signals_begin(sb_signals *signals, const sigset_t *watched, sb_error *error);
/* Returns the next signal that has come; 0 if there is none. */
int sb_signals_next(const sb_signals *signals);
/* Restores the signals as they were; those that nobody asked for take effect. */
void sb_signals_end(const sb_signals *signals);
/* For a forked child: restores the signals as they were before. */
void sb_signals_leave(const sb_signals *signals);

/* ---- Dispositions ---- */

/* What this process does on SIGXFSZ, SIGPIPE and SIGCHLD: commands change no other dispositions. */
typedef struct sb_dispositions {
    struct sigaction actions[3];
} sb_dispositions;

void sb_dispositions_keep(sb_dispositions *kept);
void sb_dispositions_restore(const sb_dispositions *kept);

#endif
