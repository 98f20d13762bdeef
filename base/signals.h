/* The signals by which people and systems end a program. */
#ifndef SB_BASE_SIGNALS_H
#define SB_BASE_SIGNALS_H

#include <signal.h>

/* SIGINT, SIGTERM and SIGHUP, but for those that were ignored when we were started: `nohup` and a shell's background
 * jobs want them to stay so, and a signal that is blocked to be waited for would come all the same. */
void sb_ending_signals(sigset_t *signals);

#endif
