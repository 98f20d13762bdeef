#include "cli/display.h"

#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/terminal.h"
#include "engine/brush.h"
#include "exporters/png.h"

/* ---- Asking the terminal ---- */

enum { ANSWER_MS = 200 };

/* Asks whether a picture of one pixel could be shown, and then what every terminal answers: its attributes. So the
 * answer is complete when the attributes are there, and no terminal leaves us waiting for long. */
static const char question[] = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";

/* Reads what the terminal says, up to the end of its attributes. */
static size_t read_answer(char *answer, size_t capacity) {
    size_t n = 0;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (n + 1 < capacity && poll(&input, 1, ANSWER_MS) > 0 && read(STDIN_FILENO, answer + n, 1) == 1) {
        n++;
        answer[n] = '\0';
        if (answer[n - 1] == 'c' && strstr(answer, "\x1b[?")) break;
    }
    return n;
}

static bool terminal_draws(void) {
    struct termios before, raw;
    char answer[256] = "";
    const char *kind = getenv("TERM");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || (kind && strcmp(kind, "dumb") == 0) ||
        tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    raw = before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    raw.c_cc[VMIN] = 1, raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    const bool asked = sb_write_all(STDOUT_FILENO, question, sizeof question - 1);
    if (asked) read_answer(answer, sizeof answer);
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return strstr(answer, "\x1b_Gi=31;OK") != NULL;
}

/* ---- Half blocks ---- */

static void put_colour(sb_out *out, int ground, const uint8_t *rgb) {
    sb_putf(out, "\x1b[%d;2;%d;%d;%dm", ground, rgb[0], rgb[1], rgb[2]);
}

/* The upper half of a character has the colour of the letter, the lower half that of the ground. Colours are written
 * where they change. */
void cli_put_blocks(sb_out *out, const sb_image *image) {
    enum { LETTER = 38, GROUND = 48 };
    static const uint8_t black[3] = {0, 0, 0};
    for (int y = 0; y < image->height; y += 2) {
        const uint8_t *above = image->pixels + (size_t)(3 * y * image->width);
        const uint8_t *below = above + (size_t)(3 * image->width);
        const bool is_last = y + 1 == image->height;
        for (int x = 0; x < image->width; x++, above += 3, below += 3) {
            if (x == 0 || memcmp(above, above - 3, 3) != 0) put_colour(out, LETTER, above);
            if (x == 0 || (!is_last && memcmp(below, below - 3, 3) != 0))
                put_colour(out, GROUND, is_last ? black : below);
            sb_puts(out, "\u2580");
        }
        sb_puts(out, "\x1b[0m\n");
    }
}

/* ---- Kitty's protocol ---- */

/* Sends a PNG file in pieces, as the protocol wants it, as picture 1, which replaces the last one. It takes two columns
 * and one row for each tile, like the grid of characters that it stands for; the cursor stays, and lines follow. */
static bool put_pixels(sb_out *out, const sb_image *image, int tile, sb_error *error) {
    enum { PIECE = 3072 /* bytes, 4096 letters */ };
    sb_out png = sb_out_growing();
    const int rows = (image->height + tile - 1) / tile;
    const bool ok = sb_put_png(&png, image->pixels, image->width, image->height, NULL, 0, error);
    for (size_t at = 0; ok && at < png.size; at += PIECE) {
        const size_t n = png.size - at < PIECE ? png.size - at : PIECE;
        const bool more = at + n < png.size;
        sb_puts(out, "\x1b_G");
        if (at == 0) sb_putf(out, "a=T,f=100,i=1,p=1,q=2,C=1,c=%d,r=%d,", 2 * image->width / tile, rows);
        sb_putf(out, "m=%d;", more);
        sb_put_base64(out, png.data + at, n);
        sb_puts(out, "\x1b\\");
    }
    for (int i = 0; i < rows; i++) sb_putc(out, '\n');
    sb_out_free(&png);
    return ok;
}

/* ---- Showing ---- */

const sb_mode *cli_picture_mode(const sb_family *family, bool color) {
    const char *plain = family->modes[0].name;
    const size_t n = strlen(plain);
    for (size_t i = 0; color && i < family->n_modes; i++) {
        const char *name = family->modes[i].name;
        if (strncmp(name, plain, n) == 0 && strcmp(name + n, "_color") == 0) return &family->modes[i];
    }
    return &family->modes[0];
}

bool cli_display_begin(cli_display *display, const cli_common *common, const cli_look *look, const char *how,
                       sb_error *error) {
    *display = (cli_display){.color = cli_wants_color(common), .look = look->name ? look : NULL};
    if (!display->look) return true;
    const bool is_auto = !how || strcmp(how, "auto") == 0;
    display->has_pixels = is_auto ? terminal_draws() : strcmp(how, "kitty") == 0;
    return display->color || !is_auto || display->has_pixels ||
           sb_fail(error, SB_INVALID,
                   "--look draws on a terminal, and standard output is none: use -o or --film with the name of a file, "
                   "or --color always");
}

void cli_display_end(cli_display *display) {
    sb_brush_free(display->brush);
    sb_image_free(&display->image);
}

/* Half blocks are large, so pictures of looks that may have any size are small unless the options say otherwise. */
static cli_look look_for(const cli_display *display, const sb_family *family) {
    enum { SMALL = 96 /* pixels; the least size with a clock in digits */ };
    sb_error unknown;
    cli_look look = *display->look;
    const sb_look *which = look.name ? sb_look_find(family, look.name, &unknown) : NULL;
    if (which && which->is_sized && !look.size && !display->has_pixels) look.size = SMALL;
    return look;
}

/* How many pixels a row of the terminal shows with kitty's protocol. */
static int row_pixels(const cli_display *display) {
    const sb_brush *brush = display->brush;
    return brush->look->is_sized ? 2 * CLI_TILE : (int)brush->options.tile;
}

static bool is_too_wide(const sb_brush *brush, const sb_env *env, int columns) {
    int32_t size[2];
    brush->family->pictures->size(brush, env->task, env->difficulty_index, size);
    return size[1] > columns;
}

/* Whether a picture tells the same with tiles of any size: the tiles have one colour each. */
static bool has_plain_tiles(const sb_brush *brush) {
    return brush->look->indexed && !brush->look->is_sized && !brush->family->pictures->is_small;
}

static bool make_brush(cli_display *display, const cli_look *look, sb_error *error) {
    sb_brush_free(display->brush);
    return (display->brush = cli_brush_make(display->family, look, false, error)) != NULL;
}

/* Plain tiles are made smaller until the picture has no more pixels in a row than the terminal has columns, unless the
 * options say how large they are. */
static bool turn_to(cli_display *display, const sb_env *env, sb_error *error) {
    const int columns = display->has_pixels ? 0 : cli_terminal_columns();
    if (display->brush && display->family == env->family) return true;
    display->family = env->family;
    cli_look look = look_for(display, env->family);
    const bool may_shrink = columns && !look.tile;
    if (!make_brush(display, &look, error)) return false;
    if (!may_shrink || !has_plain_tiles(display->brush)) return true;
    for (look.tile = CLI_TILE; look.tile > 1 && is_too_wide(display->brush, env, columns);) {
        look.tile /= 2;
        if (!make_brush(display, &look, error)) return false;
    }
    return true;
}

static int least(int a, int b) { return a < b ? a : b; }

static const char *end_of_line(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static const char *next_line(const char *at, const char *end) {
    const char *newline = end_of_line(at, end);
    return newline + (newline < end);
}

/* The grid may be smaller or larger than the click area. An empty line ends it. */
static cli_cells cells_of_text(const sb_mode *mode, const sb_shape *shape, const char *at, const char *end) {
    cli_cells cells = {.first_line = mode->first_row, .width = mode->cell_width, .half_lines = 2};
    for (int i = 0; i < cells.first_line && at < end; i++) at = next_line(at, end);
    if (at < end) cells.n_x = least(cli_columns_of(at, end_of_line(at, end)) / cells.width, shape->click_width);
    for (; at < end && *at != '\n' && cells.n_y < shape->click_height; cells.n_y++) at = next_line(at, end);
    return cells;
}

/* A picture draws the click area if it has a tile for each cell and nothing else. In kitty's protocol a tile takes two
 * columns and a line, as half blocks a column and half a line for each pixel. */
static cli_cells cells_of_picture(const cli_display *display, const sb_shape *shape) {
    const int tile = display->brush->options.tile;
    if (display->image.width != tile * shape->click_width || display->image.height != tile * shape->click_height)
        return (cli_cells){0};
    return (cli_cells){.width = display->has_pixels ? 2 : tile,
                       .half_lines = display->has_pixels ? 2 : tile,
                       .n_x = shape->click_width,
                       .n_y = shape->click_height};
}

static void put_text(sb_out *out, const sb_env *env, cli_display *display) {
    const sb_mode *mode = cli_picture_mode(env->family, display->color);
    const size_t from = out->size;
    env->family->observe(env, mode, out);
    if (mode->cell_width && sb_has_clicks(&env->shape) && sb_out_ok(out))
        display->cells = cells_of_text(mode, &env->shape, out->data + from, out->data + out->size);
    sb_puts(out, "\n");
}

bool cli_put_shown(sb_out *out, const sb_env *env, cli_display *display, sb_error *error) {
    display->cells = (cli_cells){0};
    if (!display->look) return put_text(out, env, display), true;
    if (!turn_to(display, env, error) || !sb_image_draw(&display->image, display->brush, env, error)) return false;
    if (sb_has_clicks(&env->shape)) display->cells = cells_of_picture(display, &env->shape);
    if (display->has_pixels) return put_pixels(out, &display->image, row_pixels(display), error);
    cli_put_blocks(out, &display->image);
    return true;
}
