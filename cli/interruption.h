/* Says how far long work had come when a signal ends it. */
#ifndef SB_CLI_INTERRUPTION_H
#define SB_CLI_INTERRUPTION_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/file.h"

typedef struct cli_interruption {
    _Atomic size_t done; /* of `total` episodes; the caller counts */
    size_t total;
    sb_file *file; /* given up if a signal ends the work; may be NULL */
    sigset_t signals, before;
    pthread_t thread;
    bool watches;
} cli_interruption;

/* From here on SIGINT, SIGTERM and SIGHUP end the program with a line on standard error, where their action is the
 * default: what is ignored stays so, and a host program's handler is its own affair. Threads that are started later
 * leave them to the one that says it. */
void cli_interruption_begin(cli_interruption *interruption, size_t total);
/* From here on they wait: what is being written becomes whole. */
void cli_interruption_hold(cli_interruption *interruption);
/* All is as it was before; a signal that waited comes now. */
void cli_interruption_end(cli_interruption *interruption);

#endif
