#include "cli/interruption.h"

#include <string.h>

#include "cli/output.h"

/* Ends the program by a signal, as the signal would have done without us. */
static void end_by(void *context, int number) {
    cli_interruption *interruption = context;
    sigset_t one;
    cli_clear_line();
    const size_t done = atomic_load(&interruption->done), total = atomic_load(&interruption->total);
    sb_file *file = interruption->file;
    if (file && !file->direct && done) {
        cli_warn(
            "seedbed: %s after %zu of %zu episodes, which are kept in %s: the same command with --resume goes on\n",
            strsignal(number), done, total, CLI_PLAIN(file->part));
        sb_lock_release(&file->lock); /* the file stays open: another thread may be writing */
    } else {
        cli_warn("seedbed: %s after %zu of %zu %s: %s\n", strsignal(number), done, total,
                 interruption->things ? interruption->things : "episodes",
                 interruption->advice ? interruption->advice : "no result was written");
        if (file) sb_file_discard(file);
    }
    sigemptyset(&one), sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
}

void cli_interruption_begin(cli_interruption *interruption, size_t total) {
    atomic_store(&interruption->total, total);
    atomic_store(&interruption->done, 0);
    sigset_t ending;
    sb_error ignored;
    sb_ending_signals(&ending, false);
    interruption->holds = false;
    interruption->watches = sb_listen(&interruption->listener, &ending, end_by, interruption, &ignored);
}

void cli_interruption_hold(cli_interruption *interruption) {
    if (interruption->watches && !interruption->holds) sb_listen_hold(&interruption->listener);
    interruption->holds = true;
}

void cli_interruption_end(cli_interruption *interruption) {
    cli_interruption_hold(interruption);
    if (interruption->watches) sb_listen_end(&interruption->listener);
    interruption->watches = false;
}
