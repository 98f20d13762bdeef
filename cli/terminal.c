#include "cli/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/system.h"
#include "base/utf8.h"
#include "cli/output.h"

/* Enters another screen, without a cursor and with long lines cut, and leaves it. */
#define ENTER_SCREEN "\x1b[?1049h\x1b[?25l\x1b[?7l"
#define LEAVE_SCREEN "\x1b[?7h\x1b[?25h\x1b[?1049l"
/* Begins and ends reports of clicks, with numbers in decimal digits. */
#define ENTER_MOUSE "\x1b[?1000h\x1b[?1006h"
#define LEAVE_MOUSE "\x1b[?1006l\x1b[?1000l"

/* An escape is a key of its own if nothing follows within this time, even over slow connections. */
enum { ESCAPE = 27, ESCAPE_MS = 50 };

static const int crashes[CLI_N_CRASHES] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

/* Writes to the terminal. Errors are ignored: if the terminal is gone, reading a key will show it. */
static void write_all(const char *text, size_t n) { (void)sb_write_all(STDOUT_FILENO, text, n); }

/* Restores the terminal after a crash. Calls only what is allowed in a signal handler. It has no copy of the old
 * settings, so it turns the flags that enter_screen changes. */
static void put_right_and_crash(int signal) {
    struct termios now;
    write_all(LEAVE_MOUSE LEAVE_SCREEN, sizeof LEAVE_MOUSE LEAVE_SCREEN - 1);
    if (tcgetattr(STDIN_FILENO, &now) == 0) {
        now.c_lflag |= ICANON | ECHO;
        now.c_lflag &= (tcflag_t)~NOFLSH;
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &now);
    }
    raise(signal); /* the signal again; now its default action ends the program */
}

/* Sets our handlers where there are none: sanitizers and host programs keep theirs. */
static void guard_crashes(cli_terminal *t) {
    const struct sigaction ours = {.sa_handler = put_right_and_crash, .sa_flags = (int)SA_RESETHAND};
    for (int i = 0; i < CLI_N_CRASHES; i++) {
        sigaction(crashes[i], NULL, &t->crashes_before[i]);
        if (t->crashes_before[i].sa_handler == SIG_DFL) sigaction(crashes[i], &ours, NULL);
    }
}

static void leave_crashes(const cli_terminal *t) {
    for (int i = 0; i < CLI_N_CRASHES; i++) sigaction(crashes[i], &t->crashes_before[i], NULL);
}

/* Enters the screen. NOFLSH is set because a Ctrl-C must not discard what was typed before it: a read of what poll has
 * seen there would wait for ever. */
static void enter_screen(cli_terminal *t) {
    struct termios raw = t->before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    raw.c_lflag |= NOFLSH;
    raw.c_cc[VMIN] = 1, raw.c_cc[VTIME] = 0;
    guard_crashes(t);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    if (!t->dumb) write_all(ENTER_SCREEN, sizeof ENTER_SCREEN - 1);
    if (t->mouse) write_all(ENTER_MOUSE, sizeof ENTER_MOUSE - 1);
}

static void leave_screen(const cli_terminal *t) {
    if (t->mouse) write_all(LEAVE_MOUSE, sizeof LEAVE_MOUSE - 1);
    if (!t->dumb) write_all(LEAVE_SCREEN, sizeof LEAVE_SCREEN - 1);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &t->before);
    leave_crashes(t);
}

bool cli_terminal_enter(cli_terminal *t, bool mouse, sb_error *error) {
    sigset_t watched;
    *t = (cli_terminal){.raw = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
    if (!t->raw) return true;
    const char *kind = getenv("TERM");
    t->dumb = kind && strcmp(kind, "dumb") == 0;
    t->mouse = mouse && !t->dumb;
    if (tcgetattr(STDIN_FILENO, &t->before) != 0) return sb_fail_errno(error, "cannot set up the terminal");
    sigemptyset(&watched);
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&watched, signals[i]);
    if (!sb_signals_begin(&t->signals, &watched, error)) return t->raw = false;
    enter_screen(t);
    return true;
}

void cli_terminal_leave(cli_terminal *t) {
    if (!t->raw) return;
    leave_screen(t);
    sb_signals_end(&t->signals);
    t->raw = false;
}

static int heed_signal(cli_terminal *t) {
    const int signal = sb_signals_next(&t->signals);
    if (signal == 0 || signal == SIGWINCH) return CLI_KEY_REDRAW;
    if (signal == SIGTSTP) {
        leave_screen(t);
        raise(SIGSTOP); /* stops the program until SIGCONT */
        enter_screen(t);
        return CLI_KEY_REDRAW;
    }
    t->ended_by = signal;
    return CLI_KEY_END;
}

/* ---- Keys ---- */

enum { UNFINISHED = -1 };

/* Reads a report of a click, `<BUTTON;COLUMN;ROW`. */
static bool read_report(const char *at, const char *end, int values[3]) {
    enum { HIGHEST = 9999 };
    if (at == end || *at++ != '<') return false;
    for (int i = 0; i < 3; i++) {
        const char *from = at;
        values[i] = 0;
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            if (values[i] <= HIGHEST) values[i] = 10 * values[i] + *at - '0';
        if (at == from || (i < 2 && (at == end || *at++ != ';'))) return false;
    }
    return at == end;
}

/* Returns the key of a report of the mouse. Only the left button is a click, with or without Shift and the like. Other
 * buttons, wheels, movements and released buttons are passed over. */
static int mouse_key(cli_terminal *t, const int report[3], bool pressed) {
    enum { SHIFT = 4, META = 8, CONTROL = 16 };
    if (!pressed || (report[0] & ~(SHIFT | META | CONTROL)) != 0 || !report[1] || !report[2]) return UNFINISHED;
    t->click_column = report[1] - 1, t->click_row = report[2] - 1;
    return CLI_KEY_CLICK;
}

/* `ESC [ A` and `ESC O A` are an arrow; parameters as in `ESC [ 1 ; 2 A` mean Shift and the like. */
static int special_key(cli_terminal *t, int last) {
    const cli_sequence *s = &t->sequence;
    int report[3];
    if (last >= 'A' && last <= 'D') return (int[]){CLI_KEY_UP, CLI_KEY_DOWN, CLI_KEY_RIGHT, CLI_KEY_LEFT}[last - 'A'];
    if ((last == 'M' || last == 'm') && s->n <= CLI_SEQUENCE &&
        read_report(s->parameters, s->parameters + s->n, report))
        return mouse_key(t, report, last == 'M');
    return CLI_KEY_OTHER;
}

/* Takes the next byte of the input; returns the key that is complete with it, or UNFINISHED. */
static int take_byte(cli_terminal *t, int byte) {
    cli_sequence *s = &t->sequence;
    const int stage = s->stage;
    s->stage = CLI_NO_SEQUENCE;
    if (byte == ESCAPE) {
        s->stage = CLI_AFTER_ESCAPE; /* a sequence that was begun before it is given up */
    } else if (stage == CLI_AFTER_ESCAPE) {
        if (byte != '[' && byte != 'O') return CLI_KEY_OTHER;
        s->stage = CLI_IN_SEQUENCE, s->n = 0;
    } else if (stage == CLI_IN_SEQUENCE && byte >= 0x20 && byte < 0x40) {
        s->stage = CLI_IN_SEQUENCE;
        if (s->n < CLI_SEQUENCE) s->parameters[s->n] = (char)byte;
        s->n += s->n <= CLI_SEQUENCE;
    } else {
        return stage == CLI_IN_SEQUENCE && byte >= 0x40 && byte < 0x7f ? special_key(t, byte) : byte;
    }
    return UNFINISHED;
}

/* Reads a byte of the input; -1 at its end. */
static int next_byte(void) {
    unsigned char byte;
    ssize_t n;
    do n = read(STDIN_FILENO, &byte, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 ? byte : -1;
}

/* Returns the key for the end of the input. A terminal that goes away sends a signal, too, which may be heard a little
 * later. */
static int end_of_input(cli_terminal *t) {
    enum { HANG_UP_MS = 200 };
    struct pollfd signal = {.fd = t->raw ? t->signals.pipe[0] : -1, .events = POLLIN};
    return sb_wait_for_input(&signal, 1, t->raw ? HANG_UP_MS : 0) > 0 ? heed_signal(t) : CLI_KEY_END;
}

typedef enum { BYTE, SIGNAL, TOO_LATE, FAILED } event;

/* Waits for input or a signal until cli_now says `until`; negative: for ever. */
static event wait_until(const cli_terminal *t, double until) {
    struct pollfd events[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = t->signals.pipe[0], .events = POLLIN}};
    for (;;) {
        const double left = until < 0 ? 0 : until - cli_now();
        const int milliseconds = until < 0 ? -1 : left > 0 ? (int)(1000 * left) + 1 : 0;
        const int ready = sb_wait_for_input(events, t->raw ? 2 : 1, milliseconds);
        if (ready < 0 && errno != EINTR) return FAILED;
        if (ready > 0) return t->raw && events[1].revents ? SIGNAL : BYTE;
        if (ready == 0) return TOO_LATE;
    }
}

int cli_terminal_key(cli_terminal *t, double seconds) {
    const double until = seconds < 0 ? -1 : cli_now() + seconds;
    int key = UNFINISHED;
    while (key == UNFINISHED) {
        const bool may_be_alone = t->sequence.stage == CLI_AFTER_ESCAPE;
        switch (wait_until(t, may_be_alone ? cli_now() + ESCAPE_MS / 1000.0 : until)) {
        case SIGNAL: return heed_signal(t);
        case FAILED: return CLI_KEY_END;
        case TOO_LATE:
            if (!may_be_alone) return CLI_KEY_NONE;
            t->sequence.stage = CLI_NO_SEQUENCE;
            return CLI_KEY_ESCAPE;
        case BYTE: {
            const int byte = next_byte();
            key = byte < 0 ? end_of_input(t) : take_byte(t, byte);
        }
        }
    }
    return key;
}

/* ---- Screens ---- */

/* Returns the end of a command to the terminal, such as a picture, which ends with an escape and a backslash. */
static const char *behind_command(const char *at, const char *end) {
    while (at + 1 < end && !(at[0] == ESCAPE && at[1] == '\\')) at++;
    return at + 1 < end ? at + 2 : end;
}

/* Returns the end of the character or escape sequence that begins at `at`, and in `*width` how many columns it takes.
 */
static const char *behind(const char *at, const char *end, int *width) {
    const char *next = at + 1;
    *width = *at != ESCAPE;
    if (*at == ESCAPE) {
        if (next < end && *next == '_') return behind_command(next, end);
        if (next < end && *next == '[') next++;
        while (next < end && (unsigned char)*next < 0x40) next++;
        return next < end ? next + 1 : end;
    }
    while (next < end && sb_is_continuation(*next)) next++; /* the rest of a character in UTF-8 */
    return next;
}

typedef struct measure {
    int width, letters, words;
} measure;

static measure measure_line(const char *at, const char *end) {
    measure m = {0};
    bool in_word = false;
    while (at < end) {
        int width;
        const char *next = behind(at, end, &width);
        m.width += width;
        if (width) {
            const bool is_letter = *at != ' ';
            m.letters += is_letter, m.words += is_letter && !in_word;
            in_word = is_letter;
        }
        at = next;
    }
    return m;
}

/* Returns where to break a line of words that is too wide: behind the last blank that fits, or where the screen ends.
 */
static const char *break_of(const char *at, const char *end, int columns) {
    const char *blank = NULL;
    int shown = 0, width;
    while (at < end) {
        const char *next = behind(at, end, &width);
        if (*at == ' ') blank = next; /* the blank itself may be beyond the last column */
        if (shown + width > columns) return blank ? blank : at;
        shown += width;
        at = next;
    }
    return end;
}

enum { SHORT_WORDS = 3 /* letters in a word: words have more on average, symbols in pictures have fewer */ };

/* Puts a line, wrapped if it is text; returns how many lines it takes on the screen. */
static int put_line(sb_out *out, const char *at, const char *end, int columns, bool is_drawn) {
    const measure m = measure_line(at, end);
    const bool is_cut = is_drawn || m.width <= columns || m.letters < SHORT_WORDS * m.words;
    int lines = 1;
    while (!is_cut && measure_line(at, end).width > columns) {
        const char *next = break_of(at, end, columns);
        sb_put(out, at, (size_t)(next - at) - (next[-1] == ' ')); /* a blank outside would overwrite the last column */
        sb_putc(out, '\n');
        at = next, lines++;
    }
    sb_put(out, at, (size_t)(end - at));
    sb_putc(out, '\n');
    return lines;
}

static int put_lines(sb_out *out, const cli_part *part, int columns) {
    const char *at = part->text, *end = at + part->n;
    int lines = 0;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        lines += put_line(out, at, newline ? newline : end, columns, part->is_drawn);
        at = newline ? newline + 1 : end;
    }
    return lines;
}

/* Leaves parts out, by setting their lines to 0, until the rest fits or has rank 0. */
static void leave_out(const cli_part *parts, int *lines, size_t n, int rows) {
    for (;;) {
        int total = 0;
        size_t least = n;
        for (size_t i = 0; i < n; i++) {
            total += lines[i];
            if (lines[i] && parts[i].rank > (least < n ? parts[least].rank : 0)) least = i;
        }
        if (total <= rows || least == n) return;
        lines[least] = 0;
    }
}

/* Returns how many bytes the first `rows` lines have, without the last newline, which would scroll the screen. */
static size_t rows_of(const char *text, size_t n, int rows) {
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\n' && --rows == 0) return i;
    return n;
}

int cli_columns_of(const char *text, const char *end) { return measure_line(text, end).width; }

/* How much of the parts is beyond the screen: lines, and columns of pictures, which are not wrapped. */
typedef struct overflow {
    int lines, columns;
} overflow;

static overflow measure_overflow(const struct winsize *size, const cli_part *parts, const int *lines, size_t n) {
    overflow over = {-size->ws_row, 0};
    for (size_t i = 0; i < n; i++) {
        over.lines += lines[i];
        const char *at = parts[i].text, *end = at + parts[i].n;
        while (lines[i] && parts[i].is_drawn && at < end) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            const int beyond = measure_line(at, newline ? newline : end).width - size->ws_col;
            if (beyond > over.columns) over.columns = beyond;
            at = newline ? newline + 1 : end;
        }
    }
    return over;
}

/* Puts a last line that says how much does not fit on the screen; a line whose place it takes is counted, too. */
static void put_overflow(sb_out *out, const overflow *over, int columns) {
    char text[80];
    sb_out line = sb_out_fixed(text, sizeof text);
    sb_puts(&line, "--");
    if (over->lines > 0) sb_putf(&line, " %d line%s", over->lines, sb_plural((uint64_t)over->lines));
    if (over->columns > 0)
        sb_putf(&line, "%s %d column%s", over->lines > 0 ? " and" : "", over->columns,
                sb_plural((uint64_t)over->columns));
    sb_puts(&line, " do not fit --");
    sb_out_finish(&line);
    sb_putf(out, "\n\x1b[0m%.*s", columns, text);
}

/* Draws the parts on a screen of this size. */
static void show_on(const struct winsize *size, const cli_part *parts, size_t n, int *rows) {
    int row = 0;
    int lines[CLI_PARTS_MAX] = {0};
    sb_out screen = sb_out_growing(), wrapped[CLI_PARTS_MAX];
    for (size_t i = 0; i < n; i++) {
        wrapped[i] = sb_out_growing();
        lines[i] = put_lines(&wrapped[i], &parts[i], size->ws_col);
    }
    leave_out(parts, lines, n, size->ws_row);
    overflow over = measure_overflow(size, parts, lines, n);
    const bool says = (over.lines > 0 || over.columns > 0) && size->ws_row > 2;
    if (says && over.lines >= 0) over.lines++;
    sb_puts(&screen, "\x1b[H\x1b[J");
    for (size_t i = 0; i < n; i++) {
        if (lines[i]) sb_put_out(&screen, &wrapped[i]);
        if (rows) rows[i] = lines[i] && row < size->ws_row ? row : -1;
        row += lines[i];
        sb_out_free(&wrapped[i]);
    }
    screen.size = sb_out_ok(&screen) ? rows_of(screen.data, screen.size, size->ws_row - says) : 0;
    if (says) put_overflow(&screen, &over, size->ws_col);
    if (sb_out_ok(&screen)) write_all(screen.data, screen.size);
    sb_out_free(&screen);
}

static struct winsize screen_size(void) {
    struct winsize size;
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col;
    return known ? size : (struct winsize){.ws_row = 24, .ws_col = 80};
}

bool cli_terminal_size(int *columns, int *rows) {
    const struct winsize size = screen_size();
    *columns = size.ws_col, *rows = size.ws_row;
    return isatty(STDOUT_FILENO);
}

int cli_terminal_lines(const char *text, size_t n, int columns) {
    sb_out wrapped = sb_out_growing();
    const int lines = put_lines(&wrapped, &(cli_part){.text = text, .n = n}, columns);
    sb_out_free(&wrapped);
    return lines;
}

void cli_terminal_show(const cli_terminal *t, const cli_part *parts, size_t n, int *rows) {
    const struct winsize size = screen_size();
    for (size_t i = 0; rows && i < n; i++) rows[i] = -1;
    if (t->raw && !t->dumb)
        show_on(&size, parts, n, rows);
    else
        for (size_t i = 0; i < n; i++)
            if (t->raw)
                write_all(parts[i].text, parts[i].n);
            else
                fwrite(parts[i].text, 1, parts[i].n, stdout);
}

void cli_terminal_point(const cli_terminal *t, int row, int column) {
    char command[48];
    const struct winsize size = screen_size();
    if (!t->raw || t->dumb) return;
    if (row >= 0 && row < size.ws_row && column >= 0 && column < size.ws_col)
        snprintf(command, sizeof command, "\x1b[%d;%dH\x1b[?25h", row + 1, column + 1);
    else
        snprintf(command, sizeof command, "\x1b[?25l");
    write_all(command, strlen(command));
}

void cli_terminal_show_frame(const cli_part *parts, size_t n) {
    static const char clear[] = "\x1b[H\x1b[J", cut_lines[] = "\x1b[?7l", wrap_lines[] = "\x1b[?7h\n";
    struct winsize size = screen_size();
    fflush(stdout);
    if (isatty(STDOUT_FILENO)) {
        size.ws_row -= size.ws_row > 1;
        write_all(cut_lines, sizeof cut_lines - 1);
        show_on(&size, parts, n, NULL);
        write_all(wrap_lines, sizeof wrap_lines - 1);
        return;
    }
    fputs(clear, stdout);
    for (size_t i = 0; i < n; i++) fwrite(parts[i].text, 1, parts[i].n, stdout);
    fflush(stdout);
}
