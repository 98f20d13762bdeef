#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/manual.h"

/* ---- Subcommands ---- */

const cli_command *cli_find_command(const char *name) {
    for (const cli_command *const *command = cli_commands; *command; command++)
        if (strcmp((*command)->name, name) == 0) return *command;
    return NULL;
}

static int run(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return cli_help(0, NULL);
    if (strcmp(name, "help") == 0) return cli_help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0) return puts("seedbed " SB_VERSION), CLI_OK;
    const cli_command *command = cli_find_command(name);
    if (command) return command->run(command, argc - 2, argv + 2);
    if (!*name) return cli_print_overview(stderr), CLI_USAGE;
    fprintf(stderr, "seedbed: there is no command `%s`; `seedbed --help` lists them\n", name);
    return CLI_USAGE;
}

/* What a command printed may still be in a buffer, and the disk full: only a flush tells. */
int cli_main(int argc, char **argv) {
    const int status = run(argc, argv);
    sb_error error;
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    sb_fail_errno(&error, "cannot write to standard output");
    return cli_fail(&error);
}

/* ---- Options ---- */

const cli_option *cli_find_option(const cli_option *options, size_t n, const char *argument, const char **value) {
    *value = NULL;
    for (size_t i = 0; i < n; i++) {
        const cli_option *o = &options[i];
        const size_t length = strlen(o->name);
        if (o->letter && argument[1] == o->letter) {
            if (!argument[2]) return o;
            if (!o->flag) return *value = argument + 2, o; /* -j4 */
        }
        if (argument[1] != '-' || strncmp(argument + 2, o->name, length) != 0) continue;
        if (argument[2 + length] == '=') return *value = argument + 3 + length, o;
        if (!argument[2 + length]) return o;
    }
    return NULL;
}

static bool set_option(const cli_option *o, const char *value, sb_error *error) {
    if (o->flag) return *o->flag = true;
    if (o->text) return *o->text = value, true;
    return sb_parse_uint(value, o->number) ||
           sb_fail(error, SB_INVALID, "--%s wants a whole number, not `%.40s`", o->name, value);
}

int cli_parse(const cli_command *self, const cli_option *options, size_t n, int argc, char **argv, int *status) {
    int kept = 0;
    sb_error error;
    *status = CLI_USAGE;
    for (int i = 0; i < argc; i++) {
        const char *argument = argv[i], *value;
        const cli_manual *manual = cli_manual_asked(argument);
        if (manual) {
            const cli_asked asked = {self, options, n, argv + i + 1, argc - i - 1};
            return cli_print_manual(manual, &asked), *status = CLI_OK, -1;
        }
        if (argument[0] != '-' || !argument[1]) {
            argv[kept++] = argv[i];
            continue;
        }
        const cli_option *o = cli_find_option(options, n, argument, &value);
        if (!o) {
            fprintf(stderr, "seedbed %s: there is no option %s; `seedbed %s --help` lists them\n", self->name, argument,
                    self->name);
            return -1;
        }
        if (o->flag && value) {
            fprintf(stderr, "seedbed %s: --%s takes no value\n", self->name, o->name);
            return -1;
        }
        if (!o->flag && !value && !(value = ++i < argc ? argv[i] : NULL)) {
            fprintf(stderr, "seedbed %s: --%s wants %s\n", self->name, o->name, o->argument);
            return -1;
        }
        if (!set_option(o, value, &error)) return *status = cli_fail(&error), -1;
    }
    *status = CLI_OK;
    return kept;
}

/* As people expect: not into files and pipes, not on a terminal that knows no colours, and see no-color.org. */
static bool shows_colors(FILE *stream) {
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(fileno(stream)) && !(terminal && strcmp(terminal, "dumb") == 0) && !(no_color && *no_color);
}

bool cli_wants_color(const cli_common *common, FILE *stream, bool *color, sb_error *error) {
    const char *when = common->color ? common->color : "auto";
    *color = strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && shows_colors(stream));
    return *color || strcmp(when, "auto") == 0 || strcmp(when, "never") == 0 ||
           sb_fail(error, SB_INVALID, "--color is auto, always or never, not `%.20s`", when);
}

/* ---- Errors ---- */

int cli_fail(const sb_error *error) {
    fprintf(stderr, "seedbed: %s\n", error->text);
    return error->code == SB_INVALID || error->code == SB_UNKNOWN ? CLI_USAGE : CLI_FOUND;
}

int cli_usage(const cli_command *self, const char *what) {
    fprintf(stderr, "seedbed %s: %s; see `seedbed %s --help`\n", self->name, what, self->name);
    return CLI_USAGE;
}

int cli_emit(sb_out *out) {
    sb_error error;
    const bool whole = sb_out_ok(out);
    if (whole && out->size) fwrite(out->data, 1, out->size, stdout); /* cli_main sees whether it arrived */
    sb_out_free(out);
    if (whole) return CLI_OK;
    sb_fail(&error, SB_MEMORY, "out of memory for the output");
    return cli_fail(&error);
}

/* ---- Progress ---- */

double cli_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

cli_progress cli_progress_begin(const cli_common *common, const char *what) {
    return (cli_progress){.shown = !common->quiet && isatty(2), .what = what, .began = cli_now()};
}

void cli_progress_show(void *context, size_t done, size_t total) {
    cli_progress *p = context;
    const double now = cli_now(), spent = now - p->began;
    if (!p->shown || (now - p->last < 0.1 && done < total)) return;
    p->last = now;
    const double rate = spent > 0 ? (double)done / spent : 0;
    fprintf(stderr, "\r\x1b[K%s %zu of %zu episodes, %.0f a second, %.0f s left", p->what, done, total, rate,
            rate > 0 ? (double)(total - done) / rate : 0);
}

void cli_progress_end(cli_progress *progress) {
    if (progress->shown) fputs("\r\x1b[K", stderr);
}
