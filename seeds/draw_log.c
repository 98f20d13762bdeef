#include "seeds/draw_log.h"

/* Puts a comma without a space, as recordings do. */
static void separate(sb_out *out) {
    if (out->last != '[') sb_putc(out, ',');
}

/* Puts `[number,"operation",[` and leaves the arguments open. */
static sb_out *open_draw(sb_draw_log *log, int number, const char *operation) {
    sb_putf(&log->text, "[%d,\"%s\",[", number, operation);
    return &log->text;
}

static void close_draw(sb_out *out) { sb_puts(out, "]\n"); }

static void put_xy(sb_out *out, sb_xy item) { sb_putf(out, "[%d,%d]", item.x, item.y); }

static void put_cells(sb_out *out, const sb_xy *items, size_t n) {
    sb_putc(out, '[');
    for (size_t i = 0; i < n; i++) {
        separate(out);
        put_xy(out, items[i]);
    }
    sb_putc(out, ']');
}

static void put_ints(sb_out *out, const int32_t *items, size_t n) {
    sb_putc(out, '[');
    for (size_t i = 0; i < n; i++) {
        separate(out);
        sb_put_int(out, items[i]);
    }
    sb_putc(out, ']');
}

static void put_longs(sb_out *out, const int64_t *items, size_t n) {
    for (size_t i = 0; i < n; i++) {
        separate(out);
        sb_put_int(out, items[i]);
    }
}

static void put_seeding(sb_draw_log *log, int number, uint64_t seed) {
    sb_out *out = open_draw(log, number, "default_rng");
    sb_put_uint(out, seed);
    sb_puts(out, "],null");
    close_draw(out);
}

void sb_draw_log_begin(sb_draw_log *log, uint64_t seed) {
    enum { OF_THE_ENVIRONMENT = 2 };
    sb_out_clear(&log->text);
    for (log->generators = 0; log->generators < OF_THE_ENVIRONMENT; log->generators++)
        put_seeding(log, log->generators, seed);
}

uint16_t sb_log_seed(sb_draw_log *log, uint64_t seed) {
    const uint16_t number = log->generators++;
    put_seeding(log, number, seed);
    return number;
}

void sb_log_integer(sb_draw_log *log, uint16_t number, const char *operation, size_t n, const int64_t *arguments,
                    int64_t result) {
    sb_out *out = open_draw(log, number, operation);
    put_longs(out, arguments, n);
    sb_puts(out, "],");
    sb_put_int(out, result);
    close_draw(out);
}

void sb_log_random(sb_draw_log *log, uint16_t number, double result) {
    sb_out *out = open_draw(log, number, "random");
    sb_puts(out, "],");
    sb_put_double(out, result);
    close_draw(out);
}

void sb_log_choice_of(sb_draw_log *log, uint16_t number, const int32_t *items, size_t n, int32_t result) {
    sb_out *out = open_draw(log, number, "choice");
    put_ints(out, items, n);
    sb_puts(out, "],");
    sb_put_int(out, result);
    close_draw(out);
}

void sb_log_choices(sb_draw_log *log, uint16_t number, int64_t n, size_t k, bool replace, const int64_t *result) {
    sb_out *out = open_draw(log, number, "choice");
    sb_put_int(out, n);
    sb_putf(out, ",{\"size\":%zu,\"replace\":%s}],[", k, replace ? "true" : "false");
    put_longs(out, result, k);
    sb_putc(out, ']');
    close_draw(out);
}

/* Puts a shuffle without its result; returns NULL if the result is to be hidden, because then the line is complete. */
static sb_out *open_shuffle(sb_draw_log *log, uint16_t number, size_t n) {
    sb_out *out = open_draw(log, number, "shuffle");
    sb_put_uint(out, n);
    sb_puts(out, "],");
    if (!log->hide_shuffled) return out;
    sb_puts(out, "null");
    close_draw(out);
    return NULL;
}

void sb_log_shuffle_xy(sb_draw_log *log, uint16_t number, const sb_xy *items, size_t n) {
    sb_out *out = open_shuffle(log, number, n);
    if (!out) return;
    put_cells(out, items, n);
    close_draw(out);
}

void sb_log_shuffle_ints(sb_draw_log *log, uint16_t number, const int32_t *items, size_t n) {
    sb_out *out = open_shuffle(log, number, n);
    if (!out) return;
    put_ints(out, items, n);
    close_draw(out);
}

void sb_log_shuffle_rows(sb_draw_log *log, uint16_t number, const sb_xy *items, size_t n, size_t width) {
    sb_out *out = open_shuffle(log, number, n);
    if (!out) return;
    sb_putc(out, '[');
    for (size_t i = 0; i < n; i++) {
        separate(out);
        put_cells(out, items + i * width, width);
    }
    sb_putc(out, ']');
    close_draw(out);
}

void sb_log_permutation(sb_draw_log *log, uint16_t number, const int32_t *items, size_t n) {
    sb_out *out = open_draw(log, number, "permutation");
    sb_put_uint(out, n);
    sb_puts(out, "],");
    put_ints(out, items, n);
    close_draw(out);
}
