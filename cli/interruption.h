/* Reports the progress of long work when a signal ends it. */
#ifndef SB_CLI_INTERRUPTION_H
#define SB_CLI_INTERRUPTION_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/file.h"
#include "base/signals.h"

/* The advice where an unfinished file stays beside the file that is asked for. */
#define CLI_KEEPS_WRITTEN "what was written is kept, and the same command goes on"

typedef struct cli_interruption {
    _Atomic size_t done, total; /* counted by the caller */
    const char *things;         /* what is counted; NULL: episodes */
    sb_file *file;              /* NULL: none. A signal discards it, but keeps it for --resume if any episode is done */
    const char *advice;         /* what was kept, and how to go on; NULL: no result was written */
    sb_listener listener;
    bool watches, holds;
} cli_interruption;

/* From this call on SIGINT, SIGTERM and SIGHUP print a line on standard error before they end the program. This holds
 * for signals with the default action: ignored ones stay ignored, and the handlers of a host program stay in charge.
 * Threads started later leave these signals to the thread that prints the line. */
void cli_interruption_begin(cli_interruption *interruption, size_t total);
/* From this call on signals that end the program wait, so that a file that is being written is completed. */
void cli_interruption_hold(cli_interruption *interruption);
/* Restores the signals as they were, also where they were not held; one that waited takes effect now. */
void cli_interruption_end(cli_interruption *interruption);

#endif
