/* A terminal that gives keys one at a time and shows one screen after another. However the program ends, except by
 * SIGKILL, the terminal is restored: signals are read like keys, and handlers restore it before a crash ends the
 * program. If standard input or output is no terminal, keys are read as bytes and screens are printed one below the
 * other. A terminal whose TERM is `dumb` also gets its screens one below the other. */
#ifndef SB_CLI_TERMINAL_H
#define SB_CLI_TERMINAL_H

#include <signal.h>
#include <termios.h>

#include "base/out.h"

/* Keys that are more than one byte, and events. */
enum {
    CLI_KEY_UP = 256,
    CLI_KEY_DOWN,
    CLI_KEY_LEFT,
    CLI_KEY_RIGHT,
    CLI_KEY_ESCAPE,
    CLI_KEY_OTHER,  /* some other special key */
    CLI_KEY_REDRAW, /* draw the screen again: its size changed, or the program was stopped and continues */
    CLI_KEY_END     /* no more keys: end of input, or a signal (see ended_by) */
};

enum { CLI_N_CRASHES = 5 /* number of signals that mean a crash */ };

typedef struct cli_terminal {
    bool raw;     /* input and output are a terminal */
    bool dumb;    /* the terminal has no escape sequences */
    int signals;  /* a descriptor that gives signals */
    int ended_by; /* the signal that asks the program to end; 0: none */
    struct termios before;
    sigset_t mask_before;
    struct sigaction crashes_before[CLI_N_CRASHES];
} cli_terminal;

bool cli_terminal_enter(cli_terminal *terminal, sb_error *error);
/* Restores the terminal. If `ended_by` is neither 0 nor SIGINT, the command then returns CLI_SIGNAL + `ended_by`. */
void cli_terminal_leave(cli_terminal *terminal);

int cli_terminal_key(cli_terminal *terminal);

/* Some lines of a screen. */
typedef struct cli_part {
    const char *text;
    size_t n;
    int rank;      /* parts of higher rank are left out first, those of rank 0 never */
    bool is_drawn; /* its lines are cut, whatever is in them */
} cli_part;

enum { CLI_PARTS_MAX = 16 };

/* Shows the parts, one below the other, in place of the last screen. If there is not enough room, parts are left out,
 * then lines at the bottom. Long lines of words are wrapped, those of pictures are cut. */
void cli_terminal_show(const cli_terminal *terminal, const cli_part *parts, size_t n);

/* The same for animations, without entering the terminal: the last picture stays on the screen, and the last row is
 * left free. If standard output is no terminal, it gets everything. */
void cli_terminal_show_frame(const cli_part *parts, size_t n);

#endif
