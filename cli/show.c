/* seedbed show: shows an episode at its start. */
#include <unistd.h>

#include "cli/picture.h"
#include "engine/lookup.h"
#include "rollout/testing.h"

typedef struct show_options {
    cli_common common;
    cli_showing showing;
    const char *output; /* where a picture goes; NULL: the terminal */
} show_options;

static const cli_option options[] = {CLI_MODE_OPTION(show_options, showing, 'm'),
                                     CLI_SHOWING_OPTIONS(show_options, showing),
                                     {"output", 'o', "FILE",
                                      "write the picture of one episode as a PNG file (-: to standard output)",
                                      CLI_TEXT(show_options, output, CLI_OUTPUT)}};

static const sb_mode *mode_of(const sb_family *family, const show_options *o, sb_error *error) {
    return o->showing.mode ? sb_mode_find(family, o->showing.mode, error) : &family->modes[0];
}

static void put_json(sb_out *out, const sb_env *env, const char *name, const sb_mode *mode) {
    sb_puts(out, "{");
    sb_member_text(out, "name", name);
    sb_member_int(out, "max_steps", env->status.max_steps);
    sb_member_text(out, "mode", mode->name);
    sb_put_key(out, "observation");
    sb_put_observation(out, env, mode);
    sb_puts(out, "}\n");
}

/* Puts what stands above the episode. Of a challenge this is also what an agent is told to do. */
static void put_head(sb_out *out, const sb_env *env, const char *name) {
    sb_putf(out, "%s: ", name);
    cli_put_purpose(out, env);
    sb_putf(out, " (%d steps)\n", env->status.max_steps);
    const size_t n = out->size;
    sb_put_instructions(out, &(sb_testing_rules){0}, env);
    if (out->size > n) sb_puts(out, "\n\n");
}

/* The room that a head leaves below it, with a line to spare for the shell's prompt. */
static cli_room room_below(const sb_out *out, size_t from) {
    int columns, rows;
    if (!cli_terminal_size(&columns, &rows) || !sb_out_ok(out)) return (cli_room){0};
    const int lines = cli_terminal_lines(out->data + from, out->size - from, columns) + 1;
    return cli_room_below(lines, lines);
}

/* Says that the beginning of a text is above the window, if it is. */
static void tell_height(sb_out *out, size_t from) {
    int columns, rows;
    if (!cli_terminal_size(&columns, &rows) || !sb_out_ok(out)) return;
    const int lines = cli_terminal_lines(out->data + from, out->size - from, columns);
    if (lines >= rows) sb_putf(out, "(%d lines, and the window has %d: scroll back, or enlarge it)\n", lines, rows);
}

static bool show(sb_env *env, const char *text, const show_options *o, cli_display *display, sb_out *out,
                 sb_error *error) {
    char name[SB_NAME_MAX];
    if (!sb_reset(env, text, error)) return false;
    const sb_mode *mode = mode_of(env->family, o, error);
    if (!mode) return false;
    sb_name_print(&env->name, name, sizeof name);
    if (o->common.json) {
        put_json(out, env, name, mode);
        return true;
    }
    const size_t from = out->size;
    if (!mode->document || isatty(STDOUT_FILENO)) put_head(out, env, name);
    const cli_room room = room_below(out, from);
    const bool ok = cli_put_shown(out, env, display, &room, error);
    if (ok && !display->is_picture) tell_height(out, from);
    return ok;
}

static bool show_all(const show_options *o, const char *const *names, size_t n, sb_out *out, sb_error *error) {
    cli_display display;
    sb_env *env = sb_make(o->common.catalogue, NULL, error);
    bool ok = env && cli_display_begin(&display, &o->common, o->common.json ? NULL : &o->showing, error);
    display.canvas.keeps = true;
    for (size_t i = 0; ok && i < n; i++) ok = show(env, names[i], o, &display, out, error);
    if (env) cli_display_end(&display);
    sb_free(env);
    return ok;
}

static bool put_still(const show_options *o, const char *name, sb_out *out, sb_error *error) {
    sb_env *env = sb_make(o->common.catalogue, name, error);
    const bool ok = env && cli_put_still(out, env, &o->showing.look, error);
    sb_free(env);
    return ok;
}

static int save_still(const show_options *o, const char *name) {
    sb_file file;
    sb_error error;
    sb_out picture = sb_out_growing();
    const bool ok = cli_output_open(&file, o->output, &error) && put_still(o, name, &picture, &error) &&
                    cli_output_put(&file, o->output, &picture, &error);
    sb_file_discard(&file);
    sb_out_free(&picture);
    return ok ? CLI_OK : cli_fail(&error);
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    const show_options *o = given;
    sb_error error;
    sb_out out = sb_out_growing();
    if (!o->output && o->showing.look.name && (o->showing.mode || o->common.json))
        return cli_usage(self, "--look draws pictures, --mode and --json are for texts: choose one");
    if (o->output && (n > 1 || o->showing.mode || o->common.json))
        return cli_usage(self, "--output takes the picture of one episode, without --mode and --json");
    if (o->output) return save_still(o, names[0]);
    if (show_all(o, names, n, &out, &error)) return cli_emit(&out, CLI_DATA);
    sb_out_free(&out);
    return cli_fail(&error);
}

const cli_command cli_show = {
    .name = "show",
    .group = CLI_TO_LOOK,
    .summary = "show an episode at its start",
    .usage = "NAME... [--mode MODE] [--json] | NAME... --look LOOK [-o FILE.png]",
    .help =
        "Shows what the agent sees before its first step, and what it is told before a challenge: on a terminal that\n"
        "can draw it as a picture (docs/pictures.md), else as a text.\n\n"
        "  seedbed show KeyDoorPuzzle-v0/medium#42\n"
        "  seedbed show GoToGoal-v0/expert#0 --mode language\n"
        "  seedbed show GoTo#5\n"
        "  seedbed show GoTo#5 --look view -o goto.png\n\n"
        "A name is task/difficulty#seed, or family:task/difficulty#seed; the difficulty is left out in families that\n"
        "have none. The seed is any whole number below 2^64.",
    CLI_OPTIONS(show_options, options),
    CLI_ARGUMENTS(CLI_EPISODE, 1, CLI_MANY, "name at least one episode, such as KeyDoorPuzzle-v0/medium#42"),
    .run = run,
};
