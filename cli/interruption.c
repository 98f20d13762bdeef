#include "cli/interruption.h"

#include <string.h>

#include "base/signals.h"
#include "cli/output.h"

enum { ENOUGH = SIGURG /* tells the watch to end; by default SIGURG does nothing */ };

/* Waits for a signal and then ends the program by it, as the signal would have done without us. */
static void *watch(void *context) {
    cli_interruption *interruption = context;
    int number = 0;
    while (sigwait(&interruption->signals, &number) != 0) continue;
    if (number == ENOUGH) return NULL;
    cli_clear_line();
    const size_t done = atomic_load(&interruption->done), total = atomic_load(&interruption->total);
    sb_file *file = interruption->file;
    if (interruption->keeps && done) {
        cli_warn(
            "seedbed: %s after %zu of %zu episodes, which are kept in %s: the same command with --resume goes on\n",
            strsignal(number), done, total, CLI_PLAIN(file->part));
        sb_lock_release(&file->lock); /* the file stays open: another thread may be writing */
    } else {
        cli_warn("seedbed: %s after %zu of %zu episodes: %s\n", strsignal(number), done, total,
                 interruption->advice ? interruption->advice : "no result was written");
        if (file) sb_file_discard(file);
    }
    pthread_sigmask(SIG_UNBLOCK, &interruption->signals, NULL);
    raise(number);
    return NULL;
}

void cli_interruption_begin(cli_interruption *interruption, size_t total) {
    atomic_store(&interruption->total, total);
    atomic_store(&interruption->done, 0);
    sb_ending_signals(&interruption->signals, false);
    sigaddset(&interruption->signals, ENOUGH);
    pthread_sigmask(SIG_BLOCK, &interruption->signals, &interruption->before);
    interruption->watches = pthread_create(&interruption->thread, NULL, watch, interruption) == 0;
    if (!interruption->watches) pthread_sigmask(SIG_SETMASK, &interruption->before, NULL);
}

void cli_interruption_hold(cli_interruption *interruption) {
    if (!interruption->watches) return;
    pthread_kill(interruption->thread, ENOUGH);
    pthread_join(interruption->thread, NULL);
}

void cli_interruption_end(cli_interruption *interruption) {
    if (interruption->watches) pthread_sigmask(SIG_SETMASK, &interruption->before, NULL);
    interruption->watches = false;
}
