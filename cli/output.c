#include "cli/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/numerals.h"

int cli_fail(const sb_error *error) {
    cli_warn("seedbed: %s\n", error->text);
    return error->code == SB_INVALID || error->code == SB_UNKNOWN ? CLI_USAGE : CLI_FOUND;
}

int cli_emit(sb_out *out, cli_content content) {
    sb_error error;
    const bool whole = sb_out_ok(out);
    if (whole) cli_print(out, content);
    sb_out_free(out);
    if (whole) return CLI_OK;
    sb_fail(&error, SB_MEMORY, "out of memory for the output");
    return cli_fail(&error);
}

/* ---- Printing ---- */

enum { SHORT = 2048 /* texts up to this size are printed without the heap, so "out of memory" can be said */ };

/* Writes without checking for errors: cli_main does when it flushes. */
static void write_text(FILE *to, const char *text, size_t n) {
    char some[SHORT];
    sb_out shown = sb_out_fixed(some, sizeof some);
    sb_put_visible_lines(&shown, text, n);
    if (!sb_out_ok(&shown)) {
        shown = sb_out_growing();
        sb_put_visible_lines(&shown, text, n);
    }
    if (sb_out_ok(&shown) && shown.size) fwrite(shown.data, 1, shown.size, to);
    sb_out_free(&shown);
}

static void say(FILE *to, const char *format, va_list arguments) {
    char some[SHORT];
    va_list again;
    va_copy(again, arguments);
    const int n = sb_format(some, sizeof some, format, arguments);
    char *text = n < SHORT ? some : malloc((size_t)n + 1);
    if (text && text != some) sb_format(text, (size_t)n + 1, format, again);
    if (text && n > 0) write_text(to, text, (size_t)n);
    if (text != some) free(text);
    va_end(again);
}

void cli_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(stdout, format, arguments);
    va_end(arguments);
}

void cli_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(stderr, format, arguments);
    va_end(arguments);
}

void cli_print(const sb_out *out, cli_content content) {
    if (content == CLI_PROSE)
        write_text(stdout, out->data, out->size);
    else if (out->size)
        fwrite(out->data, 1, out->size, stdout);
}

bool cli_is_dash(const char *output) { return output && strcmp(output, "-") == 0; }

bool cli_output_open(sb_file *file, const char *output, sb_error *error) {
    *file = (sb_file){0};
    if (!output || cli_is_dash(output)) return true;
    if (!sb_file_create(file, output, error)) return false;
    if (file->lock.missing) cli_warn("seedbed: note: %s: " SB_LOCK_MISSING "\n", CLI_PLAIN(output));
    return true;
}

const char *cli_playground_beside(const char *output) {
    static const char *const names[] = {"playground.html", "play.html", NULL};
    const int folder = (int)(sb_file_name(output) - output);
    char path[CLI_PLAIN_MAX];
    if (cli_is_dash(output)) return NULL;
    for (size_t i = 0; names[i]; i++) {
        const int n = snprintf(path, sizeof path, "%.*s%s", folder, output, names[i]);
        if (n < CLI_PLAIN_MAX && access(path, R_OK) == 0) return names[i];
    }
    return NULL;
}

bool cli_output_save(sb_file *file, const sb_out *document, sb_error *error) {
    if (!sb_out_ok(document)) return sb_fail(error, SB_MEMORY, "out of memory for %s", file->path);
    return sb_file_write(file, document->data, document->size, error) && sb_file_commit(file, NULL, error);
}

bool cli_output_put(sb_file *file, const char *output, const sb_out *document, sb_error *error) {
    if (!cli_is_dash(output)) return cli_output_save(file, document, error);
    if (!sb_out_ok(document)) return sb_fail(error, SB_MEMORY, "out of memory for the output");
    cli_print(document, CLI_DATA);
    return true;
}

/* ---- Progress ---- */

double cli_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

cli_progress cli_progress_begin(bool quiet, const char *what, const char *unit) {
    const double now = cli_now();
    return (cli_progress){
        .shown = !quiet, .on_terminal = isatty(2), .what = what, .unit = unit, .began = now, .last = now};
}

void cli_progress_again(cli_progress *progress, const char *what) {
    progress->what = what, progress->began = cli_now(), progress->before = 0;
}

static void show_left(double seconds) {
    if (seconds < 600)
        fprintf(stderr, ", %.0f s left", seconds);
    else if (seconds < 2 * 3600)
        fprintf(stderr, ", %.0f min left", seconds / 60);
    else
        fprintf(stderr, ", %.1f h left", seconds / 3600);
}

static void show_line(const cli_progress *p, size_t done, size_t total, double rate) {
    fprintf(stderr, "%s%s %zu", p->on_terminal ? "\r\x1b[K" : "seedbed: ", p->what, done);
    if (total) fprintf(stderr, " of %zu", total);
    fprintf(stderr, " %s, %.*f a second", p->unit, rate < 1 ? 2 : 0, rate);
    if (total && !p->ends_early && (rate > 0 || done >= total)) show_left(rate > 0 ? (double)(total - done) / rate : 0);
    if (!p->on_terminal) fputs("\n", stderr);
}

void cli_progress_show(void *context, size_t done, size_t total) {
    cli_progress *p = context;
    const double now = cli_now(), spent = now - p->began;
    const bool due = p->on_terminal ? now - p->last >= 0.1 || (total && done >= total)
                                    : now - p->last >= CLI_PROGRESS_SECONDS;
    if (!p->shown || !due) return;
    p->last = now;
    const double rate = spent > 0 && done > p->before ? (double)(done - p->before) / spent : 0;
    show_line(p, done, total, rate);
}

void cli_clear_line(void) {
    if (isatty(STDERR_FILENO)) fputs("\r\x1b[K", stderr);
}

void cli_note(void *context, const char *text) {
    cli_progress_end(context);
    cli_warn("seedbed: note: %s\n", CLI_PLAIN(text));
}

void cli_progress_end(cli_progress *progress) {
    if (progress->shown && progress->on_terminal) cli_clear_line();
}
