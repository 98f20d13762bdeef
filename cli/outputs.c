/* Checks what a command is about to write, before it does anything else. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/paths.h"

enum { LONGEST_PATH = 4096 };

/* What is written: the option that names it, and its path. */
typedef struct output {
    const cli_option *option;
    const char *path;
} output;

static const char *text_of(const cli_option *o, const void *options) {
    return *(const char *const *)((const char *)options + o->at);
}

static bool holds_text(cli_kind kind) { return kind > CLI_IS_REAL && kind != CLI_FILES; }

/* Whether the `n` bytes are the path of the output. */
static bool is_path(const output *out, const char *text, size_t n) {
    char path[LONGEST_PATH];
    if (n == 0 || n >= sizeof path) return false;
    memcpy(path, text, n);
    path[n] = '\0';
    return sb_is_same_file(out->path, path);
}

/* Whether the `n` bytes name the output, as it is or as a world with a difficulty behind it. */
static bool is_named(const output *out, const char *text, size_t n) {
    return is_path(out, text, n) || is_path(out, text, cli_path_in(text, n));
}

/* Whether a text names the output: as a whole, as an item of a list, or behind a word such as `tape:`. */
static bool names(const output *out, const char *text) {
    for (const char *at = text; at && *at; at++) {
        const bool begins = at == text || strchr(":=,", at[-1]);
        if (begins && (is_named(out, at, strlen(at)) || is_named(out, at, strcspn(at, ",")))) return true;
    }
    return false;
}

static bool any_names(const output *out, const char *const *texts, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (names(out, texts[i])) return true;
    return false;
}

static bool is_read(const output *out, const cli_command *command, const void *options, char *const *words, size_t n) {
    const cli_option *o;
    if (!sb_file_exists(out->path)) return false;
    if (any_names(out, (const char *const *)words, n)) return true;
    for (size_t i = 0; (o = cli_option_at(command, i)); i++) {
        const cli_paths *paths = (const void *)((const char *)options + o->at);
        if (o->kind == CLI_FILES && any_names(out, paths->items, paths->n)) return true;
        if (holds_text(o->kind) && o->kind != CLI_OUTPUT && names(out, text_of(o, options))) return true;
    }
    return false;
}

/* The first output before this one that is the same; NULL: none. */
static const cli_option *is_written_twice(const output *out, const cli_command *command, const void *options) {
    for (const cli_option *o = command->options; o < out->option; o++) {
        const char *other = o->kind == CLI_OUTPUT ? text_of(o, options) : NULL;
        if (other && (strcmp(other, out->path) == 0 || names(out, other))) return o;
    }
    return NULL;
}

static int check(const output *out, const cli_command *command, const void *options, char *const *words, size_t n) {
    char text[LONGEST_PATH];
    const cli_option *other;
    if (!*out->path)
        snprintf(text, sizeof text, "--%s wants a path, not an empty text", out->option->name);
    else if ((other = is_written_twice(out, command, options)))
        snprintf(text, sizeof text, "--%s and --%s both name %s", other->name, out->option->name, CLI_PLAIN(out->path));
    else if (is_read(out, command, options, words, n))
        snprintf(text, sizeof text, "--%s names %s, which is read: choose another path", out->option->name,
                 CLI_PLAIN(out->path));
    else
        return CLI_OK;
    return cli_usage(command, text);
}

int cli_check_outputs(const cli_command *command, const void *options, char *const *words, size_t n) {
    for (size_t i = 0; i < command->n_options; i++) {
        output out = {.option = &command->options[i]};
        if (out.option->kind != CLI_OUTPUT || !(out.path = text_of(out.option, options)) || cli_is_dash(out.path))
            continue;
        const int status = check(&out, command, options, words, n);
        if (status != CLI_OK) return status;
    }
    return CLI_OK;
}
