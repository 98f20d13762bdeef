/* The signals that end a program, and saving and restoring the dispositions of a host program. */
#ifndef SB_BASE_SIGNALS_H
#define SB_BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Gives SIGINT, SIGTERM and SIGHUP, except those that were ignored when the program started: `nohup` and background
 * jobs of a shell need them to stay ignored, and blocking an ignored signal would make it pending. With `handled`, also
 * those for which the host program has a handler; the handler is not called while they are blocked. */
void sb_ending_signals(sigset_t *signals, bool handled);

/* What this process does on SIGXFSZ, SIGPIPE and SIGCHLD: commands change no other dispositions. */
typedef struct sb_dispositions {
    struct sigaction actions[3];
} sb_dispositions;

void sb_dispositions_keep(sb_dispositions *kept);
void sb_dispositions_restore(const sb_dispositions *kept);

#endif
