/* A terminal that gives keys one at a time and shows one screen after another. Whatever ends the program, but for
 * SIGKILL, the terminal is as it was: signals come in as keys, and a crash puts it right on its way out. If standard
 * input or output is no terminal, keys are read as bytes and screens are printed one below the other; the latter also
 * where TERM is `dumb`. */
#ifndef SB_CLI_TERMINAL_H
#define SB_CLI_TERMINAL_H

#include <signal.h>
#include <termios.h>

#include "base/out.h"

/* What is not a byte. */
enum {
    CLI_KEY_UP = 256,
    CLI_KEY_DOWN,
    CLI_KEY_LEFT,
    CLI_KEY_RIGHT,
    CLI_KEY_ESCAPE,
    CLI_KEY_OTHER,  /* some other special key */
    CLI_KEY_REDRAW, /* the screen should be drawn again: another size, or back from a stop */
    CLI_KEY_END     /* no more keys: end of input, or a signal (see ended_by) */
};

enum { CLI_N_CRASHES = 5 /* signals that tell of an error in the program */ };

typedef struct cli_terminal {
    bool raw;     /* a person sits there */
    bool dumb;    /* at a terminal without escape sequences */
    int signals;  /* a descriptor that gives signals */
    int ended_by; /* the signal that asks the program to end; 0: none */
    struct termios before;
    sigset_t mask_before;
    struct sigaction crashes_before[CLI_N_CRASHES];
} cli_terminal;

bool cli_terminal_enter(cli_terminal *terminal, sb_error *error);
/* Puts the terminal back as it was. The caller then returns CLI_SIGNAL + `ended_by`, if that is not 0 and not
 * SIGINT. */
void cli_terminal_leave(cli_terminal *terminal);

int cli_terminal_key(cli_terminal *terminal);

/* Some lines of a screen. */
typedef struct cli_part {
    const char *text;
    size_t n;
    int rank; /* parts of higher rank are left out first, those of rank 0 never */
} cli_part;

enum { CLI_PARTS_MAX = 16 };

/* Shows the parts, one below the other, in place of what was shown. Where there is not enough room, parts are left out,
 * then lines at the bottom; lines of words go on in the next line, those of pictures are cut. */
void cli_terminal_show(const cli_terminal *terminal, const cli_part *parts, size_t n);

/* The same on standard output as it is, which need not have been entered: for animations, of which the last picture
 * stays. The last row of the screen is left free. What is no terminal gets everything. */
void cli_terminal_show_frame(const cli_part *parts, size_t n);

#endif
