#include "cli/display.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/terminal.h"
#include "engine/brush.h"
#include "engine/lookup.h"
#include "engine/testing.h"

cli_room cli_room_below(int lines, int needed_lines) {
    int columns, rows;
    if (!cli_terminal_size(&columns, &rows)) return (cli_room){0};
    return (cli_room){.columns = columns, .lines = rows - lines, .most_lines = rows - needed_lines};
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
static int shared(int n, int by) { return (n + by - 1) / by; }

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

static bool refuse_pictures(const cli_common *common, sb_error *error) {
    if (isatty(STDOUT_FILENO) && !cli_wants_color(common))
        return sb_fail(
            error, SB_INVALID,
            "--look draws on a terminal in colours, and these are switched off (TERM=dumb, NO_COLOR, --color "
            "never): use -o or --film with the name of a file, or --color always");
    return sb_fail(error, SB_INVALID,
                   "--look draws on a terminal, and standard output is none: use -o or --film with the name of a file, "
                   "or --color always");
}

bool cli_display_begin(cli_display *display, const cli_common *common, const cli_showing *showing, sb_error *error) {
    const bool always = common->color && strcmp(common->color, "always") == 0;
    *display = (cli_display){.showing = showing, .color = cli_wants_color(common)};
    if (!showing) return true;
    display->is_asked = showing->look.name;
    if (showing->look.name && showing->mode)
        return sb_fail(error, SB_INVALID, "--look draws pictures, and --mode is for texts: choose one");
    if (showing->mode) return true;
    display->canvas = cli_canvas_find(&(cli_wish){showing->pictures, display->is_asked, display->color, always});
    return !display->is_asked || display->canvas.pixels || refuse_pictures(common, error);
}

void cli_display_end(cli_display *display) {
    sb_brush_free(display->brush);
    sb_image_free(&display->image);
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

/* Returns the family's first mode, or its coloured form if the family has a mode `<name>_color`. */
static const sb_mode *first_mode(const sb_family *family, bool color) {
    const char *plain = family->modes[0].name;
    const size_t n = strlen(plain);
    for (size_t i = 0; color && i < family->n_modes; i++) {
        const char *name = family->modes[i].name;
        if (strncmp(name, plain, n) == 0 && strcmp(name + n, "_color") == 0) return &family->modes[i];
    }
    return &family->modes[0];
}

/* Returns the mode that the options name; NULL: none. */
static const char *mode_name(const cli_display *display) { return display->showing ? display->showing->mode : NULL; }

static const sb_mode *mode_of(const cli_display *display, const sb_family *family, sb_error *error) {
    const char *name = mode_name(display);
    const sb_mode *mode = name ? sb_mode_find(family, name, error) : &family->modes[0];
    return mode == &family->modes[0] ? first_mode(family, display->color) : mode;
}

static const char *end_of_line(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static const char *behind_lines(const char *at, const char *end, int lines) {
    for (; lines > 0 && at < end; lines--) {
        const char *newline = end_of_line(at, end);
        at = newline + (newline < end);
    }
    return at;
}

static int lines_of(const char *at, const char *end) {
    int lines = 0;
    for (; at < end; lines++) at = behind_lines(at, end, 1);
    return lines;
}

/* Finds the cells of a text. The grid may be smaller or larger than the click area. An empty line ends it. */
static cli_cells cells_of_text(const sb_mode *mode, const sb_shape *shape, const char *at, const char *end) {
    cli_cells cells = {.across = {mode->cell_width, 1}, .down = {2, 1}};
    if (at < end) cells.n_x = least(cli_columns_of(at, end_of_line(at, end)) / mode->cell_width, shape->click_width);
    for (; at < end && *at != '\n' && cells.n_y < shape->click_height; cells.n_y++) at = behind_lines(at, end, 1);
    return cells;
}

/* Returns where the legend of an observation begins, behind the last empty line; `n` if there is none. */
static size_t legend_of(const char *observation, size_t n) {
    for (size_t i = n; i > 1; i--)
        if (observation[i - 1] == '\n' && observation[i - 2] == '\n' && i < n) return i - 1;
    return n;
}

/* The coloured frame of a test does not say what the test asks for. The plain text does, around its own frame. */
static bool put_task_of_test(sb_out *out, const sb_env *env, int rows) {
    const sb_mode *plain = &env->family->modes[0];
    sb_out text = sb_out_growing();
    env->family->observe(env, plain, &text);
    if (!sb_out_ok(&text)) return sb_out_free(&text), false;
    const char *end = text.data + text.size, *frame = behind_lines(text.data, end, plain->first_row);
    const char *after = behind_lines(frame, end, rows);
    if (after < end) {
        sb_putc(out, '\n');
        sb_put(out, text.data, (size_t)(frame - text.data));
        sb_put(out, after, (size_t)(end - after));
    }
    sb_out_free(&text);
    return true;
}

static bool put_text(sb_out *out, const sb_env *env, cli_display *display, const cli_room *room, sb_error *error) {
    const sb_mode *mode = mode_of(display, env->family, error);
    const size_t from = out->size;
    if (!mode) return false;
    env->family->observe(env, mode, out);
    if (!sb_out_ok(out)) return true; /* whoever prints it says so */
    if (room->columns && !mode_name(display) && mode != &env->family->modes[0] && sb_test_kind_in(env))
        put_task_of_test(out, env, lines_of(out->data + from, out->data + out->size));
    const char *text = out->data + from, *end = out->data + out->size;
    display->is_drawn = mode->cell_width > 0;
    if (mode->cell_width && sb_has_clicks(&env->shape)) {
        const char *grid = behind_lines(text, end, mode->first_row);
        display->cells = cells_of_text(mode, &env->shape, grid, end);
        if (display->cells.n_y) display->grid = (size_t)(grid - out->data);
    }
    sb_puts(out, "\n");
    display->below = from + legend_of(out->data + from, out->size - from);
    return true;
}

/* ---- Fitting pictures -------------------------------------------------------------------------------------------- */

/* The look for people is the last one that shows no more than the agent may see. */
static const sb_look *look_for_people(const sb_family *family) {
    const sb_look *look, *found = NULL;
    for (size_t i = 0; (look = sb_look_at(family, i)); i++)
        if (!look->privileged) found = look;
    return found;
}

static bool make_brush(cli_display *display, const cli_look *look, sb_error *error) {
    sb_brush_free(display->brush);
    return (display->brush = cli_brush_make(display->family, look, false, error)) != NULL;
}

static void drop_brush(cli_display *display) {
    sb_brush_free(display->brush);
    display->brush = NULL;
}

/* Whether a picture tells the same with tiles of any size: the tiles have one colour each. */
static bool has_plain_tiles(const sb_brush *brush) {
    return brush->look->indexed && !brush->look->is_sized && !brush->family->pictures->is_small;
}

/* Gives the height and the width of the picture in tiles. */
static void count_tiles(const cli_display *display, int tiles[2]) {
    const sb_brush *brush = display->brush;
    int32_t size[2];
    brush->family->pictures->size(brush, display->task, display->difficulty, size);
    for (int i = 0; i < 2; i++) tiles[i] = size[i] / brush->options.tile;
}

/* The room for a picture, in pixels. */
typedef struct place {
    int across, down, most_down;
} place;

static place place_of(const cli_display *display) {
    const cli_room *room = &display->room;
    return (place){most(1, cli_canvas_across(&display->canvas, room->columns)),
                   most(1, cli_canvas_down(&display->canvas, room->lines)),
                   most(1, cli_canvas_down(&display->canvas, room->most_lines))};
}

/* How many tiles become one, in each direction, so that a picture fits below the line that says so. */
static int reduction(const cli_display *display, const int tiles[2], int across, int down) {
    const int left = most(1, down - cli_canvas_down(&display->canvas, 1));
    return most(shared(tiles[1], across), shared(tiles[0], left));
}

/* Plain tiles are as large as fits. Where not even single pixels fit, several of them become one; twice as many as need
 * be, where the lines that name the keys would not fit otherwise. */
static bool fit_plain(cli_display *display, cli_look *look, sb_error *error) {
    const int largest = display->canvas.pixels == CLI_KITTY ? 32 : 8;
    const place p = place_of(display);
    int tiles[2];
    count_tiles(display, tiles);
    const int tile = least(least(p.across / tiles[1], p.down / tiles[0]), largest);
    look->tile = (uint64_t)most(tile, 1);
    if (p.across < tiles[1] || p.most_down < tiles[0]) {
        const int needed = reduction(display, tiles, p.across, p.most_down);
        const int beside_all = reduction(display, tiles, p.across, p.down);
        display->shrink = beside_all <= 2 * needed ? beside_all : needed;
    }
    return make_brush(display, look, error);
}

/* Chooses how large tiles are that are drawn, which takes some pixels. */
static bool fit_drawn(cli_display *display, cli_look *look, sb_error *error) {
    enum { LEGIBLE = 8, LARGEST = 16 };
    const int unit = display->canvas.pixels == CLI_KITTY ? 2 : 1;
    const place p = place_of(display);
    int tiles[2];
    count_tiles(display, tiles);
    const int across = p.across / tiles[1], tile = least(across, p.down / tiles[0]);
    if (least(across, p.most_down / tiles[0]) < LEGIBLE * unit) return drop_brush(display), true;
    look->tile = (uint64_t)most(LEGIBLE * unit, least(tile, LARGEST * unit));
    return make_brush(display, look, error);
}

static bool is_legible(const cli_display *display) {
    return !sb_brush_is_small(display->brush, display->task, display->difficulty);
}

/* Looks of any size need so many pixels that the picture tells every fact. */
static bool fit_sized(cli_display *display, cli_look *look, sb_error *error) {
    enum { SMALLEST = 64, LARGEST = 512 };
    const place p = place_of(display);
    const int sides[] = {least(least(p.across, p.down), LARGEST), least(least(p.across, p.most_down), LARGEST)};
    for (int i = 0; i < 2; i++) {
        look->size = (uint64_t)sides[i];
        if (sides[i] < SMALLEST) continue;
        if (!make_brush(display, look, error)) return false;
        if (is_legible(display)) return true;
    }
    return drop_brush(display), true;
}

/* Half blocks are large, so pictures that are asked for and may have any size are small. */
enum { SMALL = 96 /* pixels of a side; the least size with a clock in digits */ };

/* Makes a brush for this place; without one, texts are better. What the options say is not changed. */
static bool fit_look(cli_display *display, const sb_look *which, sb_error *error) {
    cli_look look = display->showing->look;
    const bool is_free = display->room.columns && !look.tile && !look.size;
    look.name = which->name;
    if (which->is_sized && is_free && !display->is_asked) return fit_sized(display, &look, error);
    if (which->is_sized && !look.size && display->canvas.pixels != CLI_KITTY) look.size = SMALL;
    if (!make_brush(display, &look, error)) return false;
    const bool is_plain = has_plain_tiles(display->brush);
    if (is_free && is_plain) return fit_plain(display, &look, error);
    if (is_free && !display->is_asked) return fit_drawn(display, &look, error);
    if (!which->is_sized) display->line_pixels = (int)display->brush->options.tile;
    return true;
}

static bool is_fitted(const cli_display *display, const sb_env *env, const cli_room *room) {
    return display->family == env->family && display->task == env->task &&
           display->difficulty == env->difficulty_index && memcmp(&display->room, room, sizeof *room) == 0;
}

static bool fit(cli_display *display, const sb_env *env, const cli_room *room, const sb_look *look, sb_error *error) {
    if (is_fitted(display, env, room)) return true;
    drop_brush(display);
    display->family = env->family, display->task = env->task, display->difficulty = env->difficulty_index;
    display->room = *room, display->line_pixels = CLI_KITTY_LINE, display->shrink = 1;
    if (fit_look(display, look, error)) return true;
    display->family = NULL;
    return false;
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* What a text tells above and below the cells for which a picture stands. */
typedef struct surroundings {
    sb_out text;
    /* Where the part above the cells ends, and where the part below begins, in `text`. */
    const char *above_end, *below;
    int row_cells; /* how many cells the text's first row has; 0: not known */
} surroundings;

/* Finds what a text tells around its cells. A text that does not draw the click area tells its own way what a picture
 * tells in another: of it, only what is above the cells counts. */
static bool look_around(const sb_env *env, const cli_display *display, surroundings *s, sb_error *error) {
    const sb_mode *mode = first_mode(env->family, display->color);
    *s = (surroundings){.text = sb_out_growing()};
    env->family->observe(env, mode, &s->text);
    if (!sb_out_ok(&s->text)) return sb_fail(error, SB_MEMORY, "out of memory for an observation");
    const char *end = s->text.data + s->text.size;
    s->above_end = behind_lines(s->text.data, end, mode->first_row);
    s->below = mode->cell_width ? s->above_end : end;
    const int width = cli_columns_of(s->above_end, end_of_line(s->above_end, end)); /* columns of every row of cells */
    if (!mode->cell_width) return true;
    s->row_cells = width / mode->cell_width;
    while (s->below < end && cli_columns_of(s->below, end_of_line(s->below, end)) == width)
        s->below = behind_lines(s->below, end, 1);
    return true;
}

/* A picture draws the click area if it has a tile for each cell and nothing else. */
static cli_cells cells_of_picture(const cli_display *display, const sb_shape *shape) {
    const int tile = display->brush->options.tile, shrink = display->shrink;
    const sb_image *image = &display->image;
    if (image->width != tile * shape->click_width || image->height != tile * shape->click_height) return (cli_cells){0};
    cli_cells cells = {.n_x = shape->click_width, .n_y = shape->click_height};
    if (display->canvas.pixels == CLI_KITTY) {
        cells.across = (cli_scale){shared(2 * image->width, display->line_pixels), cells.n_x};
        cells.down = (cli_scale){2 * shared(image->height, display->line_pixels), cells.n_y};
    } else {
        const int places = display->canvas.pixels == CLI_BLANKS ? 2 * tile : tile;
        cells.across = cells.down = (cli_scale){places, shrink};
    }
    return cells;
}

/* Says how much smaller than usual the picture is, if it is. */
static void put_shrinking(sb_out *out, const cli_display *display) {
    if (display->shrink > 1) sb_putf(out, "Reduced 1:%d to fit the window.\n", display->shrink);
}

static bool put_picture(sb_out *out, const sb_env *env, cli_display *display, const surroundings *s, sb_error *error) {
    if (!sb_image_draw(&display->image, display->brush, env, error)) return false;
    if (sb_has_clicks(&env->shape)) display->cells = cells_of_picture(display, &env->shape);
    if (display->shrink > 1) cli_shrink(&display->image, display->shrink);
    sb_put(out, s->text.data, (size_t)(s->above_end - s->text.data));
    put_shrinking(out, display);
    display->grid = out->size, display->is_picture = display->is_drawn = true;
    if (!cli_canvas_put(out, &display->canvas, &display->image, display->line_pixels, error)) return false;
    display->below = out->size;
    const char *end = s->text.data + s->text.size;
    sb_put(out, s->below, (size_t)(end - s->below));
    if (s->below < end && end[-1] != '\n') sb_putc(out, '\n');
    return true;
}

/* The room that a text's parts above and below the cells leave for the picture. The part below can be left out where
 * anything can. */
static cli_room room_within(const cli_room *room, const surroundings *s) {
    const char *end = s->text.data + s->text.size;
    if (!room->columns) return *room;
    const int above = cli_terminal_lines(s->text.data, (size_t)(s->above_end - s->text.data), room->columns);
    const int below = cli_terminal_lines(s->below, (size_t)(end - s->below), room->columns);
    const int kept = room->most_lines > room->lines ? above : above + below;
    return (cli_room){room->columns, room->lines - kept, room->most_lines - kept};
}

/* Whether a text has more cells in a row than the picture has tiles, because the picture has the size of the first
 * frame. */
static bool has_outgrown(const cli_display *display, const surroundings *s) {
    int tiles[2];
    if (!s->row_cells) return false;
    count_tiles(display, tiles);
    return s->row_cells > tiles[1];
}

static bool put_fitted(sb_out *out, const sb_env *env, cli_display *display, const cli_room *room, const sb_look *look,
                       surroundings *s, sb_error *error) {
    if (room->columns && !look_around(env, display, s, error)) return false;
    const cli_room within = room_within(room, s);
    if (!fit(display, env, &within, look, error)) return false;
    if (!display->brush || (!display->is_asked && has_outgrown(display, s)))
        return put_text(out, env, display, room, error);
    return put_picture(out, env, display, s, error);
}

static const sb_look *look_of(const cli_display *display, const sb_family *family, sb_error *error) {
    return display->is_asked ? sb_look_find(family, display->showing->look.name, error) : look_for_people(family);
}

bool cli_display_suits(const cli_display *display, const sb_family *family, sb_error *error) {
    if (display->is_asked && !look_of(display, family, error)) return false;
    return mode_of(display, family, error) != NULL;
}

/* Whether to draw a picture. A test gets one only if the options name a look: pictures do not show what its frames
 * hide. */
static bool wants_picture(const cli_display *display, const sb_env *env) {
    return display->canvas.pixels && (display->is_asked || !sb_test_kind_in(env));
}

bool cli_put_shown(sb_out *out, const sb_env *env, cli_display *display, const cli_room *room, sb_error *error) {
    display->cells = (cli_cells){0}, display->is_picture = display->is_drawn = false;
    display->grid = display->below = out->size;
    if (!wants_picture(display, env)) return put_text(out, env, display, room, error);
    const sb_look *look = look_of(display, env->family, error);
    if (!look) return !display->is_asked && put_text(out, env, display, room, error);
    surroundings s = {.text = sb_out_growing()};
    const bool ok = put_fitted(out, env, display, room, look, &s, error);
    sb_out_free(&s.text);
    return ok;
}
