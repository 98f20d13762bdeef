#include "cli/terminal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/error.h"

/* Another screen without cursor, on which long lines are cut; and back to what was there before. */
#define ENTER_SCREEN "\x1b[?1049h\x1b[?25l\x1b[?7l"
#define LEAVE_SCREEN "\x1b[?7h\x1b[?25h\x1b[?1049l"

enum { ESCAPE = 27, ESCAPE_MS = 50 /* within which the rest of a special key comes, over slow lines too */ };

static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
enum { N_CRASHES = sizeof crashes / sizeof *crashes };

static void write_all(const char *text, size_t n) {
    while (n) {
        const ssize_t written = write(STDOUT_FILENO, text, n);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return; /* the terminal is gone: its end comes as a key */
        text += written, n -= (size_t)written;
    }
}

/* Only what may be called in a signal handler, and no memory of how the terminal was: the two flags that we clear. */
static void put_right_and_crash(int signal) {
    struct termios now;
    write_all(LEAVE_SCREEN, sizeof LEAVE_SCREEN - 1);
    if (tcgetattr(STDIN_FILENO, &now) == 0) {
        now.c_lflag |= ICANON | ECHO;
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &now);
    }
    raise(signal); /* again, and now by default */
}

/* Sanitizers have handlers of their own: those stay. */
static void guard_crashes(bool on) {
    for (int i = 0; i < N_CRASHES; i++) {
        struct sigaction now;
        sigaction(crashes[i], NULL, &now);
        const bool ours = now.sa_handler == put_right_and_crash;
        if (!ours && now.sa_handler != SIG_DFL) continue;
        now = (struct sigaction){.sa_handler = on ? put_right_and_crash : SIG_DFL, .sa_flags = (int)SA_RESETHAND};
        sigaction(crashes[i], &now, NULL);
    }
}

static void enter_screen(const cli_terminal *t) {
    struct termios raw = t->before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    raw.c_cc[VMIN] = 1, raw.c_cc[VTIME] = 0;
    guard_crashes(true);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    write_all(ENTER_SCREEN, sizeof ENTER_SCREEN - 1);
}

static void leave_screen(const cli_terminal *t) {
    write_all(LEAVE_SCREEN, sizeof LEAVE_SCREEN - 1);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &t->before);
    guard_crashes(false);
}

bool cli_terminal_enter(cli_terminal *t, sb_error *error) {
    sigset_t watched;
    *t = (cli_terminal){.raw = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), .signals = -1};
    if (!t->raw) return true;
    if (tcgetattr(STDIN_FILENO, &t->before) != 0) return sb_fail_errno(error, "cannot set up the terminal");
    sigemptyset(&watched);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&watched, signals[i]);
    sigprocmask(SIG_BLOCK, &watched, &t->mask_before);
    t->signals = signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
    if (t->signals < 0) {
        sb_fail_errno(error, "cannot watch for signals");
        sigprocmask(SIG_SETMASK, &t->mask_before, NULL);
        return t->raw = false;
    }
    enter_screen(t);
    return true;
}

void cli_terminal_leave(cli_terminal *t) {
    if (!t->raw) return;
    leave_screen(t);
    close(t->signals);
    sigprocmask(SIG_SETMASK, &t->mask_before, NULL);
    t->raw = false;
}

static int heed_signal(cli_terminal *t) {
    struct signalfd_siginfo signal;
    if (read(t->signals, &signal, sizeof signal) != sizeof signal || signal.ssi_signo == SIGWINCH)
        return CLI_KEY_REDRAW;
    if (signal.ssi_signo == SIGTSTP) {
        leave_screen(t);
        raise(SIGSTOP); /* until somebody lets us go on */
        enter_screen(t);
        return CLI_KEY_REDRAW;
    }
    t->ended_by = (int)signal.ssi_signo;
    return CLI_KEY_END;
}

/* -1 at the end of input. */
static int next_byte(void) {
    unsigned char byte;
    ssize_t n;
    do n = read(STDIN_FILENO, &byte, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 ? byte : -1;
}

static bool more_comes(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, ESCAPE_MS) > 0 && (input.revents & POLLIN);
}

/* What follows an escape: `[A` or `OA` are arrows; parameters such as `[1;2A` tell of shift and the like. */
static int special_key(void) {
    if (!more_comes()) return CLI_KEY_ESCAPE;
    int byte = next_byte();
    if (byte != '[' && byte != 'O') return CLI_KEY_OTHER;
    do byte = more_comes() ? next_byte() : -1;
    while (byte >= 0x20 && byte < 0x40);
    return byte >= 'A' && byte <= 'D' ? (int[]){CLI_KEY_UP, CLI_KEY_DOWN, CLI_KEY_RIGHT, CLI_KEY_LEFT}[byte - 'A']
                                      : CLI_KEY_OTHER;
}

int cli_terminal_key(cli_terminal *t) {
    struct pollfd events[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = t->signals, .events = POLLIN}};
    while (t->raw) {
        if (poll(events, 2, -1) < 0 && errno != EINTR) return CLI_KEY_END;
        if (events[1].revents) return heed_signal(t);
        if (events[0].revents) break;
    }
    const int byte = next_byte();
    return byte < 0 ? CLI_KEY_END : byte == ESCAPE ? special_key() : byte;
}

/* How much of the text fits on the screen. */
static size_t fitting(const char *text, size_t n) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return n;
    unsigned lines = 0;
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\n' && ++lines == size.ws_row) return i;
    return n;
}

void cli_terminal_show(const cli_terminal *t, const char *text, size_t n) {
    if (!t->raw) {
        fwrite(text, 1, n, stdout);
        return;
    }
    write_all("\x1b[H\x1b[J", 6);
    write_all(text, fitting(text, n));
}
