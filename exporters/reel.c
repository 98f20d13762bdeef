#include "exporters/reel.h"

#include <stdlib.h>

#include "base/error.h"
#include "engine/brush.h"
#include "engine/contract.h"
#include "oracles/reasons.h"
#include "rollout/view.h"

enum { BLOCK = 16 /* pixels of a square's side, in looks without tiles */, NONE = -1 };

sb_mosaic sb_reel_mosaic(const sb_brush *brush) {
    const int side = brush->look->is_sized ? BLOCK : brush->options.tile;
    return (sb_mosaic){.side = side, .depth = sb_brush_depth(brush)};
}

bool sb_reel_begin(sb_reel *r, sb_error *error) {
    sb_out *const outs[] = {&r->pictures, &r->said, &r->frames, &r->lines, &r->texts, &r->seen};
    for (size_t i = 0; i < sizeof outs / sizeof *outs; i++) outs[i]->grows = true, sb_out_clear(outs[i]);
    r->n_lines = r->n_cells = 0;
    if (!r->brush) return true;
    if (!r->tile) {
        r->tiles = sb_reel_mosaic(r->brush);
        if (!(r->tile = malloc(sb_mosaic_bytes(&r->tiles))))
            return sb_fail(error, SB_MEMORY, "out of memory for tiles");
    }
    sb_mosaic_clear(&r->tiles);
    return true;
}

/* ---- Pictures ---- */

static void put_number(sb_out *out, uint32_t n) { sb_put(out, (const char *)&n, sizeof n); }

static void set_number(sb_out *out, size_t at, uint32_t n) {
    if (sb_out_ok(out)) memcpy(out->data + at, &n, sizeof n);
}

/* Makes room for the tiles of a picture. In the first picture of an episode all are new. */
static bool prepare(sb_reel *r, size_t n, sb_error *error) {
    if (r->n_cells == n) return true;
    if (n > r->n_room) {
        uint32_t *before = realloc(r->before, n * sizeof *before);
        if (!before) return sb_fail(error, SB_MEMORY, "out of memory for a picture");
        r->before = before, r->n_room = n;
    }
    r->n_cells = n;
    memset(r->before, NONE, n * sizeof *r->before);
    return true;
}

/* The runs of a picture while they are written. */
typedef struct runs {
    uint32_t skipped; /* tiles that were skipped since the last run */
    size_t at;        /* place where the length of the run that is being written stands; 0: no run is being written */
    uint32_t n;
} runs;

static void add_tile(sb_out *out, runs *w, uint32_t tile) {
    if (!w->at) {
        put_number(out, w->skipped);
        w->at = out->size, w->n = 0, w->skipped = 0;
        put_number(out, 0);
    }
    put_number(out, tile);
    w->n++;
}

static void end_run(sb_out *out, runs *w) {
    if (w->at) set_number(out, w->at, w->n);
    w->at = 0;
}

static bool add_picture(sb_reel *r, const sb_env *env, sb_error *error) {
    if (!sb_image_draw(&r->image, r->brush, env, error)) return false;
    const sb_image *image = &r->image;
    const int side = r->tiles.side, columns = (image->width + side - 1) / side;
    const int rows = (image->height + side - 1) / side;
    const size_t begin = r->pictures.size;
    runs written = {0};
    if (!prepare(r, (size_t)(columns * rows), error)) return false;
    put_number(&r->pictures, 0);
    for (int i = 0; i < columns * rows; i++) {
        uint32_t tile;
        sb_mosaic_cut(&r->tiles, image->pixels, image->width, image->height, i % columns, i / columns, r->tile);
        if (!sb_mosaic_number(&r->tiles, r->tile, &tile, error)) return false;
        if (tile == r->before[i])
            end_run(&r->pictures, &written), written.skipped++;
        else
            add_tile(&r->pictures, &written, tile), r->before[i] = tile;
    }
    end_run(&r->pictures, &written);
    set_number(&r->pictures, begin, (uint32_t)((r->pictures.size - begin) / sizeof(uint32_t) - 1));
    return true;
}

/* ---- Texts ---- */

/* Returns the number of a line, and adds the line if it is new. */
static size_t number_of_line(sb_reel *r, const char *line, size_t n) {
    const char *at = r->texts.data;
    for (size_t i = 0; i < r->n_lines && sb_out_ok(&r->texts); i++) {
        const size_t length = strlen(at);
        if (length == n && memcmp(at, line, n) == 0) return i;
        at += length + 1;
    }
    sb_put(&r->texts, line, n);
    sb_putc(&r->texts, '\0');
    if (r->n_lines) sb_putc(&r->lines, ',');
    sb_put_json_bytes(&r->lines, line, n);
    return r->n_lines++;
}

static bool add_text(sb_reel *r, const sb_env *env) {
    sb_out_clear(&r->seen);
    env->family->observe(env, &env->family->modes[0], &r->seen);
    if (!sb_out_ok(&r->seen)) return false; /* whoever clears the text next would forget the failure */
    if (r->frames.size) sb_putc(&r->frames, ',');
    sb_putc(&r->frames, '[');
    const char *line = r->seen.data, *end = line + r->seen.size;
    for (bool first = true; line < end; first = false) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const size_t n = (size_t)((newline ? newline : end) - line);
        if (!first) sb_putc(&r->frames, ',');
        sb_put_uint(&r->frames, number_of_line(r, line, n));
        line += n + 1;
    }
    sb_putc(&r->frames, ']');
    return true;
}

/* Adds what was done in a step: `move_up: fetch the gold key at (1,3), reward 1.0`. */
static void add_said(sb_reel *r, const sb_env *env, sb_action action, const sb_result *result) {
    char name[64] = "start";
    if (result) sb_action_name(env, action, name, sizeof name);
    sb_out_clear(&r->seen);
    sb_puts(&r->seen, name);
    if (result && r->intent && r->intent->verb) sb_puts(&r->seen, ": "), sb_put_intent(&r->seen, r->intent);
    if (result && result->reward != 0) sb_puts(&r->seen, ", reward "), sb_put_double(&r->seen, result->reward);
    if (r->said.size) sb_putc(&r->said, ',');
    if (sb_out_ok(&r->seen)) sb_put_uint(&r->said, number_of_line(r, r->seen.data, r->seen.size));
}

static bool is_whole(const sb_reel *r) {
    return sb_out_ok(&r->pictures) && sb_out_ok(&r->said) && sb_out_ok(&r->frames) && sb_out_ok(&r->lines) &&
           sb_out_ok(&r->texts) && sb_out_ok(&r->seen);
}

bool sb_reel_visit(void *reel, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    sb_reel *r = reel;
    if (r->brush && !add_picture(r, env, error)) return false;
    const bool has_text = !r->has_text || add_text(r, env);
    add_said(r, env, action, result);
    return (has_text && is_whole(r)) || sb_fail(error, SB_MEMORY, "out of memory for the page");
}

/* ---- Writing ---- */

static void put_list(sb_out *out, const char *key, const sb_out *items) {
    sb_put_key(out, key);
    sb_putc(out, '[');
    sb_put_out(out, items);
    sb_putc(out, ']');
}

/* Gives the number in `all` of each of the episode's tiles. */
static bool number_all(const sb_mosaic *tiles, sb_mosaic *all, uint32_t *numbers, sb_error *error) {
    for (size_t i = 0; i < tiles->n; i++)
        if (!sb_mosaic_number(all, tiles->tiles + i * sb_mosaic_bytes(tiles), &numbers[i], error)) return false;
    return true;
}

static uint32_t number_at(const sb_out *numbers, size_t i) {
    uint32_t n;
    memcpy(&n, numbers->data + i * sizeof n, sizeof n);
    return n;
}

/* Writes the runs of one picture, whose n numbers begin at `at`. */
static void put_picture(const sb_out *numbers, size_t at, size_t n, const uint32_t *in_all, sb_out *out) {
    sb_putc(out, '[');
    for (const size_t begin = at, end = at + n; at < end;) {
        const uint32_t skipped = number_at(numbers, at), length = number_at(numbers, at + 1);
        if (at > begin) sb_putc(out, ',');
        sb_put_uint(out, skipped), sb_putc(out, ','), sb_put_uint(out, length);
        at += 2;
        for (uint32_t i = 0; i < length; i++, at++) sb_putc(out, ','), sb_put_uint(out, in_all[number_at(numbers, at)]);
    }
    sb_putc(out, ']');
}

static void put_pictures(const sb_reel *r, const uint32_t *in_all, sb_out *out) {
    const size_t n = r->pictures.size / sizeof(uint32_t);
    sb_member_int(out, "width", r->image.width);
    sb_member_int(out, "height", r->image.height);
    sb_put_key(out, "pictures");
    sb_putc(out, '[');
    for (size_t at = 0; at < n;) {
        const size_t length = number_at(&r->pictures, at);
        if (at) sb_putc(out, ',');
        put_picture(&r->pictures, at + 1, length, in_all, out);
        at += 1 + length;
    }
    sb_putc(out, ']');
}

bool sb_reel_put(const sb_reel *r, sb_mosaic *all, sb_out *out, sb_error *error) {
    put_list(out, "lines", &r->lines);
    put_list(out, "said", &r->said);
    if (r->has_text) put_list(out, "texts", &r->frames);
    if (!r->brush) return true;
    uint32_t *in_all = malloc((r->tiles.n + 1) * sizeof *in_all);
    const bool ok = in_all ? number_all(&r->tiles, all, in_all, error)
                           : sb_fail(error, SB_MEMORY, "out of memory for tiles");
    if (ok) put_pictures(r, in_all, out);
    free(in_all);
    return ok;
}

void sb_reel_free(sb_reel *r) {
    sb_out_free(&r->pictures), sb_out_free(&r->said), sb_out_free(&r->frames);
    sb_out_free(&r->lines), sb_out_free(&r->texts), sb_out_free(&r->seen);
    sb_image_free(&r->image);
    sb_mosaic_free(&r->tiles);
    free(r->before);
    free(r->tile);
}
