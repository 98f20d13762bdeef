#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system.h"

void sb_ending_signals(sigset_t *signals, bool handled) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(signals);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction now;
        if (sigaction(ending[i], NULL, &now) != 0 || now.sa_handler == SIG_IGN) continue;
        if (handled || now.sa_handler == SIG_DFL) sigaddset(signals, ending[i]);
    }
}

/* Takes a waiting signal. It is raised first: what is raised waits for this thread, so there is something to take. */
static void take(int number) {
    sigset_t one;
    sigemptyset(&one), sigaddset(&one, number);
    raise(number);
    sigwait(&one, &number);
}

void sb_hold_sigpipe(sigset_t *before) {
    sigset_t pipe;
    sigemptyset(&pipe), sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, before);
}

void sb_release_sigpipe(const sigset_t *before) {
    sigset_t pending;
    if (!sigismember(before, SIGPIPE) && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE)) take(SIGPIPE);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* ---- Listening ---- */

enum { ENOUGH = SIGURG /* tells the thread to end; by default SIGURG does nothing */ };

/* Signals that do nothing by default; some systems throw them away even while they are blocked. */
static const int quiet[SB_QUIET_SIGNALS] = {SIGCHLD, SIGWINCH, ENOUGH};

static void do_nothing(int number) { (void)number; }

static void handle_quiet(sb_listener *l) {
    const struct sigaction handled = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < SB_QUIET_SIGNALS; i++) {
        sigaction(quiet[i], NULL, &l->quiet[i]);
        if (sigismember(&l->signals, quiet[i]) && l->quiet[i].sa_handler == SIG_DFL)
            sigaction(quiet[i], &handled, NULL);
    }
}

static void *listen(void *context) {
    const sb_listener *l = context;
    for (;;) {
        int number = 0;
        if (sigwait(&l->signals, &number) != 0) continue;
        if (number == ENOUGH) return NULL;
        l->heard(l->context, number);
    }
}

/* Starts the listener's thread on a small stack: a server's clients inherit it, and their memory may be limited. */
static bool start(sb_listener *l) { return sb_start_thread(&l->thread, SB_SMALL_STACK, listen, l) == 0; }

bool sb_listen(sb_listener *l, const sigset_t *signals, sb_heard *heard, void *context, sb_error *error) {
    *l = (sb_listener){.signals = *signals, .heard = heard, .context = context};
    sigaddset(&l->signals, ENOUGH);
    handle_quiet(l);
    pthread_sigmask(SIG_BLOCK, &l->signals, &l->before);
    if (start(l)) return true;
    sb_listen_end(l);
    return sb_fail(error, SB_MEMORY, "cannot start a thread");
}

void sb_listen_hold(const sb_listener *l) {
    pthread_kill(l->thread, ENOUGH);
    pthread_join(l->thread, NULL);
}

void sb_listen_end(const sb_listener *l) {
    for (size_t i = 0; i < SB_QUIET_SIGNALS; i++)
        if (sigismember(&l->signals, quiet[i])) sigaction(quiet[i], &l->quiet[i], NULL);
    pthread_sigmask(SIG_SETMASK, &l->before, NULL);
}

/* ---- Waiting ---- */

/* Puts a signal into the pipe. A pipe that is full holds more signals than anybody waits for. */
static void put(void *context, int number) {
    const sb_signals *s = context;
    const uint8_t byte = (uint8_t)number;
    while (write(s->pipe[1], &byte, 1) < 0 && errno == EINTR) continue;
}

static void close_pipe(const sb_signals *s) { close(s->pipe[0]), close(s->pipe[1]); }

bool sb_signals_begin(sb_signals *s, const sigset_t *watched, sb_error *error) {
    if (!sb_make_pipe(s->pipe, error)) return false;
    for (int i = 0; i < 2; i++) fcntl(s->pipe[i], F_SETFL, O_NONBLOCK);
    if (sb_listen(&s->listener, watched, put, s, error)) return true;
    close_pipe(s);
    return false;
}

int sb_signals_next(const sb_signals *s) {
    uint8_t byte;
    ssize_t n;
    do n = read(s->pipe[0], &byte, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 ? byte : 0;
}

void sb_signals_end(const sb_signals *s) {
    sb_listen_hold(&s->listener);
    for (int number; (number = sb_signals_next(s)) != 0;) raise(number);
    close_pipe(s);
    sb_listen_end(&s->listener);
}

void sb_signals_leave(const sb_signals *s) {
    close_pipe(s);
    sb_listen_end(&s->listener);
}

/* ---- Dispositions ---- */

static const int changed[] = {SIGXFSZ, SIGPIPE, SIGCHLD};

void sb_dispositions_keep(sb_dispositions *kept) {
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) sigaction(changed[i], NULL, &kept->actions[i]);
}

void sb_dispositions_restore(const sb_dispositions *kept) {
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) sigaction(changed[i], &kept->actions[i], NULL);
}
