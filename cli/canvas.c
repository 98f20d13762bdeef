#include "cli/canvas.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/system.h"
#include "exporters/image.h"

/* ---- Asking the terminal ---- */

enum { ANSWER_MS = 200 };

/* Asks whether a picture of one pixel could be shown, and then what every terminal answers: its attributes. So the
 * answer is complete when the attributes are there, and no terminal leaves us waiting for long. */
static const char question[] = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";

/* Reads what the terminal says, up to the end of its attributes. */
static size_t read_answer(char *answer, size_t capacity) {
    size_t n = 0;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (n + 1 < capacity && sb_wait_for_input(&input, 1, ANSWER_MS) > 0 && read(STDIN_FILENO, answer + n, 1) == 1) {
        n++;
        answer[n] = '\0';
        if (answer[n - 1] == 'c' && strstr(answer, "\x1b[?")) break;
    }
    return n;
}

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

static bool is_dumb(void) { return strcmp(environment("TERM"), "dumb") == 0; }

/* Whether keys were typed ahead. They are for the command that reads them, so such a terminal is not asked. */
static bool has_keys(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return sb_wait_for_input(&input, 1, 0) > 0;
}

static bool terminal_draws(void) {
    struct termios before, raw;
    char answer[256] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || is_dumb() || tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    raw = before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    raw.c_cc[VMIN] = 1, raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    const bool asked = !has_keys() && sb_write_all(STDOUT_FILENO, question, sizeof question - 1);
    if (asked) read_answer(answer, sizeof answer);
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return strstr(answer, "\x1b_Gi=31;OK") != NULL;
}

/* ---- What the environment says ---- */

static bool is_one_of(const char *word, const char *const *words) {
    while (*words && strcasecmp(word, *words) != 0) words++;
    return *words != NULL;
}

/* Whether the terminal is one of those that understand kitty's protocol and say who they are. */
static bool may_know_kitty(void) {
    static const char *const terms[] = {"xterm-kitty", "xterm-ghostty", "wezterm", NULL};
    static const char *const programs[] = {"kitty", "ghostty", "WezTerm", NULL};
    return is_one_of(environment("TERM"), terms) || is_one_of(environment("TERM_PROGRAM"), programs);
}

static bool has_all_colours(void) {
    static const char *const words[] = {"truecolor", "24bit", NULL};
    return is_one_of(environment("COLORTERM"), words) || strstr(environment("TERM"), "-direct") || may_know_kitty();
}

static bool has_256_colours(void) { return strstr(environment("TERM"), "256color") != NULL; }

/* Terminals of today draw half blocks, unless the locale says that the text is in another code. */
static bool has_half_blocks(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    for (size_t i = 0; i < sizeof names / sizeof *names && !*locale; i++) locale = environment(names[i]);
    for (const char *at = locale; *at; at++)
        if (strncasecmp(at, "utf-8", 5) == 0 || strncasecmp(at, "utf8", 4) == 0) return true;
    return !*locale;
}

static bool has_kitty(const cli_wish *wish, bool is_auto) {
    if (!is_auto) return strcmp(wish->how, "kitty") == 0;
    return (wish->is_asked || may_know_kitty()) && terminal_draws();
}

cli_canvas cli_canvas_find(const cli_wish *wish) {
    const bool is_auto = !wish->how || strcmp(wish->how, "auto") == 0, is_terminal = isatty(STDOUT_FILENO);
    cli_canvas canvas = {CLI_NO_PIXELS, .has_all_colours = true};
    if (!wish->is_asked && (!is_terminal || is_dumb() || !wish->color)) return canvas;
    if (has_kitty(wish, is_auto)) return canvas.pixels = CLI_KITTY, canvas;
    if (is_auto && !wish->color) return canvas;
    if (is_terminal && !wish->always_color && !has_all_colours()) {
        if (!wish->is_asked && !has_256_colours()) return canvas; /* sixteen colours would look alike */
        canvas.has_all_colours = !has_256_colours();
    }
    canvas.pixels = is_auto && !has_half_blocks() ? CLI_BLANKS : CLI_HALF_BLOCKS;
    return canvas;
}

/* ---- Sizes ---- */

int cli_canvas_across(const cli_canvas *canvas, int columns) {
    if (canvas->pixels == CLI_KITTY) return columns * (CLI_KITTY_LINE / 2);
    return canvas->pixels == CLI_BLANKS ? columns / 2 : columns;
}

int cli_canvas_down(const cli_canvas *canvas, int lines) {
    if (canvas->pixels == CLI_KITTY) return lines * CLI_KITTY_LINE;
    return canvas->pixels == CLI_BLANKS ? lines : 2 * lines;
}

static size_t count(const sb_image *image, const uint8_t *rgb) {
    size_t n = 0;
    const uint8_t *at = image->pixels, *end = at + (size_t)(3 * image->width * image->height);
    for (; at < end; at += 3) n += memcmp(at, rgb, 3) == 0;
    return n;
}

enum { MOST_COLOURS = 256 };

/* The colours of a picture and how often they occur. Of more colours than there is room for, all count as frequent. */
typedef struct census {
    uint8_t colours[MOST_COLOURS][3];
    size_t often[MOST_COLOURS];
    size_t n;
} census;

static size_t often_in(census *c, const sb_image *image, const uint8_t *rgb) {
    for (size_t i = 0; i < c->n; i++)
        if (memcmp(c->colours[i], rgb, 3) == 0) return c->often[i];
    if (c->n == MOST_COLOURS) return SIZE_MAX;
    memcpy(c->colours[c->n], rgb, 3);
    return c->often[c->n++] = count(image, rgb);
}

void cli_shrink(sb_image *image, int by) {
    const int width = (image->width + by - 1) / by, height = (image->height + by - 1) / by;
    census c = {.n = 0};
    uint8_t *small = malloc((size_t)(3 * width * height)), *to = small;
    if (!small) return;
    for (int y = 0; y < image->height; y += by)
        for (int x = 0; x < image->width; x += by, to += 3) {
            size_t rarest = 0;
            for (int dy = 0; dy < by && y + dy < image->height; dy++)
                for (int dx = 0; dx < by && x + dx < image->width; dx++) {
                    const uint8_t *rgb = image->pixels + (size_t)(3 * ((y + dy) * image->width + x + dx));
                    const size_t often = often_in(&c, image, rgb);
                    if ((dx || dy) && often >= rarest) continue;
                    rarest = often;
                    memcpy(to, rgb, 3);
                }
        }
    memcpy(image->pixels, small, (size_t)(3 * width * height));
    free(small);
    image->width = width, image->height = height;
}

/* ---- Characters ---- */

enum { LETTER = 38, GROUND = 48 };

static int square(int a) { return a * a; }

static int distance(const uint8_t *a, const int b[3]) {
    return square(a[0] - b[0]) + square(a[1] - b[1]) + square(a[2] - b[2]);
}

/* The number of the colour of xterm that is nearest: of its cube, 16 to 231, or of its greys, 232 to 255. */
static int number_of(const uint8_t *rgb) {
    static const int levels[] = {0, 95, 135, 175, 215, 255};
    enum { LEVELS = 6, CUBE = 16, GREYS = 232, N_GREYS = 24, FIRST_GREY = 8, GREY_STEP = 10 };
    int at[3], cube[3];
    for (int i = 0; i < 3; i++) {
        at[i] = 0;
        for (int k = 1; k < LEVELS; k++)
            if (abs(levels[k] - rgb[i]) < abs(levels[at[i]] - rgb[i])) at[i] = k;
        cube[i] = levels[at[i]];
    }
    int number = CUBE + 36 * at[0] + 6 * at[1] + at[2], least = distance(rgb, cube);
    for (int k = 0; k < N_GREYS; k++) {
        const int grey = FIRST_GREY + k * GREY_STEP, away = distance(rgb, (int[]){grey, grey, grey});
        if (away < least) least = away, number = GREYS + k;
    }
    return number;
}

static void put_colour(sb_out *out, const cli_canvas *canvas, int ground, const uint8_t *rgb) {
    if (canvas->has_all_colours)
        sb_putf(out, "\x1b[%d;2;%d;%d;%dm", ground, rgb[0], rgb[1], rgb[2]);
    else
        sb_putf(out, "\x1b[%d;5;%dm", ground, number_of(rgb));
}

/* The upper half of a character has the colour of the letter, the lower half that of the ground. Colours are written
 * where they change. */
static void put_half_blocks(sb_out *out, const cli_canvas *canvas, const sb_image *image) {
    static const uint8_t black[3] = {0, 0, 0};
    for (int y = 0; y < image->height; y += 2) {
        const uint8_t *above = image->pixels + (size_t)(3 * y * image->width);
        const uint8_t *below = above + (size_t)(3 * image->width);
        const bool is_last = y + 1 == image->height;
        for (int x = 0; x < image->width; x++, above += 3, below += 3) {
            if (x == 0 || memcmp(above, above - 3, 3) != 0) put_colour(out, canvas, LETTER, above);
            if (x == 0 || (!is_last && memcmp(below, below - 3, 3) != 0))
                put_colour(out, canvas, GROUND, is_last ? black : below);
            sb_puts(out, "\u2580");
        }
        sb_puts(out, "\x1b[0m\n");
    }
}

static void put_blanks(sb_out *out, const cli_canvas *canvas, const sb_image *image) {
    const uint8_t *at = image->pixels;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++, at += 3) {
            if (x == 0 || memcmp(at, at - 3, 3) != 0) put_colour(out, canvas, GROUND, at);
            sb_puts(out, "  ");
        }
        sb_puts(out, "\x1b[0m\n");
    }
}

/* ---- Kitty's protocol ---- */

/* Sends a PNG file in pieces, as the protocol wants it, as picture 1, which replaces the last one, unless all are to be
 * kept. The cursor stays, and lines follow. */
static bool put_kitty(sb_out *out, const cli_canvas *canvas, const sb_image *image, int line_pixels, sb_error *error) {
    enum { PIECE = 3072 /* bytes, 4096 letters */ };
    sb_out png = sb_out_growing();
    const int rows = (image->height + line_pixels - 1) / line_pixels;
    const int columns = (2 * image->width + line_pixels - 1) / line_pixels;
    const bool ok = sb_put_png(&png, image->pixels, image->width, image->height, NULL, 0, error);
    for (size_t at = 0; ok && at < png.size; at += PIECE) {
        const size_t n = png.size - at < PIECE ? png.size - at : PIECE;
        const bool more = at + n < png.size;
        sb_puts(out, "\x1b_G");
        if (at == 0) sb_putf(out, "a=T,f=100,%sq=2,C=1,c=%d,r=%d,", canvas->keeps ? "" : "i=1,p=1,", columns, rows);
        sb_putf(out, "m=%d;", more);
        sb_put_base64(out, png.data + at, n);
        sb_puts(out, "\x1b\\");
    }
    for (int i = 0; i < rows; i++) sb_putc(out, '\n');
    sb_out_free(&png);
    return ok;
}

bool cli_canvas_put(sb_out *out, const cli_canvas *canvas, const sb_image *image, int line_pixels, sb_error *error) {
    switch (canvas->pixels) {
    case CLI_KITTY: return put_kitty(out, canvas, image, line_pixels, error);
    case CLI_BLANKS: return put_blanks(out, canvas, image), true;
    default: return put_half_blocks(out, canvas, image), true;
    }
}
