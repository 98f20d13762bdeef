#include "generators/autumn/observe.h"

#include <string.h>

#include "base/hash.h"
#include "engine/shipped.h"
#include "generators/autumn/challenges/test_view.h"
#include "generators/autumn/colours.h"
#include "generators/autumn/worlds/tell.h"

extern const unsigned char sb_shipped_frame_schema[], sb_shipped_cells_schema[], sb_shipped_challenge_schema[],
    sb_shipped_objects_schema[];

/* The text frame is what the published benchmark shows its agents. Cells also tell what lies below others and off the
 * grid, and the names of variables. In a test, `frame` and `ascii_color` show the frame only; `ascii` and `challenge`
 * also tell what the test asks for. */
enum { ASCII, ASCII_COLOR, FRAME, CELLS, CHALLENGE, LANGUAGE, STRUCTURED };

const sb_mode sb_autumn_modes[SB_AUTUMN_N_MODES] = {
    {.name = "ascii", .code = ASCII, .cell_width = 1, .first_row = 1},
    {.name = "ascii_color", .code = ASCII_COLOR, .cell_width = 2},
    {.name = "frame", .code = FRAME, .document = true, .schema = SB_SCHEMA(frame)},
    {.name = "cells", .code = CELLS, .document = true, .privileged = true, .schema = SB_SCHEMA(cells)},
    {.name = "challenge", .code = CHALLENGE, .document = true, .schema = SB_SCHEMA(challenge)},
    {.name = "language", .code = LANGUAGE},
    {.name = "structured", .code = STRUCTURED, .document = true, .schema = SB_SCHEMA(objects)},
};

const char *const sb_autumn_dataset_modes[] = {"frame", NULL};

/* ---- Coloured text ---- */

static void put_ground(sb_out *out, uint32_t rgb) {
    sb_puts(out, "\x1b[48;2");
    for (int shift = 16; shift >= 0; shift -= 8) sb_putc(out, ';'), sb_put_uint(out, rgb >> shift & 255);
    sb_putc(out, 'm');
}

/* Two blanks a cell, on its colour; two question marks where it is masked. */
static void put_coloured(const sb_autumn_episode *e, sb_out *out) {
    const uint32_t size = sb_autumn_shown_size(e);
    const char *row[SB_AUTUMN_SIZE_MAX];
    for (uint32_t y = 0; y < size; y++) {
        const char *last = NULL;
        sb_autumn_shown_row(e, y, row);
        if (y) sb_puts(out, "\n");
        for (uint32_t x = 0; x < size; x++) {
            if (row[x] && row[x] != last) put_ground(out, sb_colour_rgb(sb_colour_find(row[x], false)));
            if (!row[x] && (last || !x)) sb_puts(out, "\x1b[0m");
            sb_puts(out, row[x] ? "  " : "??");
            last = row[x];
        }
        sb_puts(out, "\x1b[0m");
    }
}

void sb_autumn_observe(const sb_env *env, const sb_mode *mode, sb_out *out) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    switch (mode->code) {
    case ASCII:
        if (e->test)
            sb_autumn_put_shown_compact(env, out);
        else if (e->task->world)
            sb_autumn_put_map(e, out);
        else
            sb_autumn_put_compact(e->state, out);
        break;
    case ASCII_COLOR: put_coloured(e, out); break;
    case FRAME:
        if (e->test)
            sb_autumn_put_shown(e, out);
        else
            sb_autumn_put_frame(e->state, out);
        break;
    case CHALLENGE: sb_autumn_put_challenge(env, out); break;
    case LANGUAGE: sb_autumn_put_words(e, out); break;
    case STRUCTURED: sb_autumn_put_objects(e, out); break;
    default: sb_autumn_put_cells(e->state, out);
    }
}

/* ---- Arrays ---- */

enum { COLORS, PALETTE, PALETTE_TEXT = 256, MOST_COLOURS = PALETTE_TEXT / sizeof "\"\"," };

const sb_array sb_autumn_arrays[SB_AUTUMN_N_ARRAYS] = {
    [COLORS] = {.name = "colors", .type = SB_UINT8, .rank = 2},
    [PALETTE] = {.name = "palette", .type = SB_CHAR, .rank = 1},
};

void sb_autumn_shape(const sb_task_info *task, size_t difficulty, sb_shape *shape) {
    const sb_autumn_world *world = sb_autumn_task_of(task)->world;
    const size_t variant = sb_autumn_variant_of(task, difficulty);
    const int32_t side = sb_autumn_side_of(task, difficulty);
    shape->n_buttons = SB_AUTUMN_N_BUTTONS;
    shape->max_steps = world ? world->difficulties[difficulty].steps : SB_AUTUMN_MAX_STEPS;
    if (sb_autumn_is_challenge(variant)) sb_autumn_test_shape(variant, shape);
    shape->click_width = shape->click_height = side;
    shape->extent[COLORS][0] = shape->extent[COLORS][1] = side;
    shape->extent[PALETTE][0] = PALETTE_TEXT;
}

/* Writes the colours of what a test shows, as sb_autumn_colours does. */
static void shown_colours(const sb_autumn_episode *e, uint8_t *out, size_t right, size_t down) {
    const uint32_t side = (uint32_t)e->compiled->side, size = sb_autumn_shown_size(e);
    const char *row[SB_AUTUMN_SIZE_MAX];
    for (uint32_t y = 0; y < side; y++) {
        if (y < size) sb_autumn_shown_row(e, y, row);
        for (uint32_t x = 0; x < side; x++) {
            const bool shown = x < size && y < size && row[x];
            out[y * down + x * right] = shown ? sb_colour_find(row[x], false) : SB_NO_COLOUR;
        }
    }
}

/* Later cells cover earlier ones; cells off the area are left out. */
void sb_autumn_state_colours(const sb_autumn_episode *e, uint8_t *out, size_t right, size_t down) {
    const uint32_t side = (uint32_t)e->compiled->side, size = sb_autumn_size(e->state);
    const uint8_t background = e->compiled->exact[sb_autumn_background(e->state)];
    const sb_autumn_cell *cells = sb_autumn_cells(e->state);
    const size_t n = sb_autumn_n_cells(e->state);
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++)
            out[y * down + x * right] = x < size && y < size ? background : SB_NO_COLOUR;
    for (size_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)cells[i].x, y = (uint32_t)cells[i].y;
        if (x < side && y < side && x < size && y < size)
            out[y * down + x * right] = e->compiled->lower[cells[i].colour];
    }
}

void sb_autumn_colours(const sb_env *env, uint8_t *out, size_t right, size_t down) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    if (e->test)
        shown_colours(e, out, right, down);
    else
        sb_autumn_state_colours(e, out, right, down);
}

/* In worlds all colours that have a name have a number: their places in the list, which are the published numbers where
 * there are such. */
static void fill_colors(const sb_env *env, uint8_t *out) {
    const size_t side = (size_t)env->shape.click_width;
    const bool by_place = sb_autumn_episode_of(env)->task->world;
    sb_autumn_colours(env, out, 1, side);
    for (size_t i = 0; i < side * side; i++)
        if (!by_place || out[i] == SB_OTHER_COLOUR) out[i] = sb_colour_number(out[i]);
}

/* Puts a colour as an item of a JSON list; one that does not fit, with the end of the list, is left out. */
static void list_colour(sb_out *out, const char *colour) {
    char item[PALETTE_TEXT];
    sb_out text = sb_out_fixed(item, sizeof item);
    sb_put_json_string(&text, colour);
    if (out->size + text.size + sizeof ", ]" > out->capacity) return;
    sb_put_comma(out);
    sb_put_out(out, &text);
}

static void list_state(sb_out *list, const sb_autumn_state *state) {
    uint32_t colours[MOST_COLOURS];
    const size_t n = sb_autumn_palette(state, colours, MOST_COLOURS);
    for (size_t i = 0; i < n; i++) list_colour(list, sb_autumn_string(sb_autumn_program_of(state), colours[i]));
}

/* Lists colours in order of first appearance in what a test shows. */
static void list_shown(sb_out *list, const sb_autumn_episode *e) {
    const char *colours[MOST_COLOURS], *row[SB_AUTUMN_SIZE_MAX];
    size_t n = 0;
    for (uint32_t y = 0; y < sb_autumn_shown_size(e); y++) {
        sb_autumn_shown_row(e, y, row);
        for (uint32_t x = 0; x < sb_autumn_shown_size(e); x++) {
            size_t i = 0;
            while (row[x] && i < n && strcmp(colours[i], row[x]) != 0) i++;
            if (!row[x] || i < n || n == MOST_COLOURS) continue;
            list_colour(list, colours[n++] = row[x]);
        }
    }
}

static void fill_palette(const sb_autumn_episode *e, char *out) {
    sb_out list = sb_out_fixed(out, PALETTE_TEXT);
    memset(out, 0, PALETTE_TEXT);
    sb_puts(&list, "[");
    if (e->test)
        list_shown(&list, e);
    else
        list_state(&list, e->state);
    sb_puts(&list, "]");
}

void sb_autumn_fill(const sb_env *env, size_t array, void *numbers) {
    if (array == COLORS)
        fill_colors(env, numbers);
    else
        fill_palette(sb_autumn_episode_of(env), numbers);
}

/* ---- Survey ---- */

void sb_autumn_survey(const sb_env *env, sb_grid_survey *survey) {
    const sb_autumn_state *state = sb_autumn_state_of(env);
    const int32_t size = (int32_t)sb_autumn_size(state);
    uint32_t colours[MOST_COLOURS];
    *survey = (sb_grid_survey){.cells = size * size,
                               .kinds = (int32_t)sb_autumn_palette(state, colours, MOST_COLOURS) - 1};
}

/* ---- Digest ---- */

/* Adds where a test is, because frames repeat. */
static void add_test(sb_sha256 *hash, const sb_autumn_test *t) {
    uint8_t bytes[sizeof t->score];
    uint64_t score;
    memcpy(&score, &t->score, sizeof score);
    const uint64_t all[] = {t->phase, t->resets, t->steps, t->at, t->answered, score};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (uint8_t)(all[i] >> 8 * k);
        sb_sha256_add(hash, bytes, sizeof bytes);
    }
}

void sb_autumn_digest(const sb_env *env, uint8_t digest[32]) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    const uint32_t size = sb_autumn_shown_size(e);
    const char *row[SB_AUTUMN_SIZE_MAX];
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    for (uint32_t y = 0; y < size; y++) {
        sb_autumn_shown_row(e, y, row);
        for (uint32_t x = 0; x < size; x++) {
            const char *colour = row[x] ? row[x] : "?";
            sb_sha256_add(&hash, colour, strlen(colour) + 1);
        }
    }
    if (e->test) add_test(&hash, e->test);
    sb_sha256_end(&hash, digest);
}
