/* The signals by which people and systems end a program, and how a host program gets its own back. */
#ifndef SB_BASE_SIGNALS_H
#define SB_BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* SIGINT, SIGTERM and SIGHUP, but for those that were ignored when we were started: `nohup` and a shell's background
 * jobs want them to stay so, and a signal that is blocked to be waited for would come all the same. `handled`: also
 * those for which the host program has a handler, which is then not called while they are blocked. */
void sb_ending_signals(sigset_t *signals, bool handled);

/* What this process does on SIGXFSZ, SIGPIPE and SIGCHLD: the only dispositions that commands set. */
typedef struct sb_dispositions {
    struct sigaction actions[3];
} sb_dispositions;

void sb_dispositions_keep(sb_dispositions *kept);
void sb_dispositions_restore(const sb_dispositions *kept);

#endif
