/* A terminal that gives keys one at a time and shows one screen after another. However the program ends, except by
 * SIGKILL, the terminal is restored: signals are read like keys, and handlers restore it before a crash ends the
 * program. If standard input or output is no terminal, keys are read as bytes and screens are printed one below the
 * other. A terminal whose TERM is `dumb` also gets its screens one below the other.
 *
 * Clicks come as xterm reports them (modes 1000 and 1006), `ESC [ < BUTTON ; COLUMN ; ROW M`. */
#ifndef SB_CLI_TERMINAL_H
#define SB_CLI_TERMINAL_H

#include <signal.h>
#include <termios.h>

#include "base/out.h"
#include "base/signals.h"

/* Keys that are more than one byte, and events. */
enum {
    CLI_KEY_UP = 256,
    CLI_KEY_DOWN,
    CLI_KEY_LEFT,
    CLI_KEY_RIGHT,
    CLI_KEY_ESCAPE,
    CLI_KEY_OTHER,  /* some other special key */
    CLI_KEY_CLICK,  /* the left button of the mouse was pressed (see click_row, click_column) */
    CLI_KEY_NONE,   /* no key came in the given time */
    CLI_KEY_REDRAW, /* draw the screen again: its size changed, or the program was stopped and continues */
    CLI_KEY_END     /* no more keys: end of input, or a signal (see ended_by) */
};

enum { CLI_N_CRASHES = 5 /* number of signals that mean a crash */ };

enum { CLI_SEQUENCE = 24 /* bytes of a key's parameters; of longer ones nothing is known */ };

/* A key of several bytes, of which some have been read. */
typedef struct cli_sequence {
    enum { CLI_NO_SEQUENCE, CLI_AFTER_ESCAPE, CLI_IN_SEQUENCE } stage;
    char parameters[CLI_SEQUENCE];
    size_t n; /* how many bytes the parameters have, more than CLI_SEQUENCE if they did not fit */
} cli_sequence;

typedef struct cli_terminal {
    bool raw;                    /* input and output are a terminal */
    bool dumb;                   /* the terminal has no escape sequences */
    bool mouse;                  /* clicks are reported */
    int ended_by;                /* the signal that asks the program to end; 0: none */
    int click_row, click_column; /* place of the last click on the screen, from 0 */
    cli_sequence sequence;
    sb_signals signals;
    struct termios before;
    struct sigaction crashes_before[CLI_N_CRASHES];
} cli_terminal;

/* Enters the terminal's screen. `mouse`: clicks are wanted. */
bool cli_terminal_enter(cli_terminal *terminal, bool mouse, sb_error *error);
/* Restores the terminal. If `ended_by` is neither 0 nor SIGINT, the command then returns CLI_SIGNAL + `ended_by`. */
void cli_terminal_leave(cli_terminal *terminal);

/* Returns the next key: a byte, or one of CLI_KEY_... `seconds`: how long to wait for it; negative: for ever. A
 * sequence that is not complete when the time is over is completed by a later call. */
int cli_terminal_key(cli_terminal *terminal, double seconds);

/* Some lines of a screen. */
typedef struct cli_part {
    const char *text;
    size_t n;
    int rank;      /* parts of higher rank are left out first, those of rank 0 never */
    bool is_drawn; /* lines of this part are cut, whatever is in them */
} cli_part;

enum { CLI_PARTS_MAX = 16 };

/* Shows the parts, one below the other, in place of the last screen. If there is not enough room, parts are left out,
 * then lines at the bottom, and the last line says how much is missing. Long lines of words are wrapped, those of
 * pictures are cut. `rows` (n numbers, may be NULL) gets the rows of the screen where the parts begin, from 0; -1 for
 * parts that are not on the screen. */
void cli_terminal_show(const cli_terminal *terminal, const cli_part *parts, size_t n, int *rows);

/* Shows the cursor at this place, until the next call. A place outside the screen hides it. */
void cli_terminal_point(const cli_terminal *terminal, int row, int column);

/* Gives the size of the terminal; false if standard output is none. */
bool cli_terminal_size(int *columns, int *rows);

/* Returns how many lines of a screen with so many columns a text takes, in which long lines are wrapped. */
int cli_terminal_lines(const char *text, size_t n, int columns);

/* Returns how many columns a text of one line takes. */
int cli_columns_of(const char *text, const char *end);

/* Shows the parts like cli_terminal_show, for animations, without entering the terminal: the last picture stays on the
 * screen, and the last row is left free. If standard output is no terminal, it gets everything. */
void cli_terminal_show_frame(const cli_part *parts, size_t n);

#endif
