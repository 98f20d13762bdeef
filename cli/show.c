/* seedbed show: an episode at its start. */
#include <string.h>

#include "cli/cli.h"
#include "engine/family.h"

static bool show(sb_env *env, const sb_name *name, const char *mode_name, bool color, sb_out *out, sb_error *error) {
    char text[SB_NAME_MAX];
    if (!sb_reset_name(env, name, error)) return false;
    const sb_mode *mode = mode_name ? sb_mode_find(env->family, mode_name, error) : &env->family->modes[0];
    if (!mode) return false;
    if (color && strcmp(mode->name, "ascii") == 0) mode = sb_mode_find(env->family, "ascii_color", error);
    if (!mode) return false;
    sb_name_print(name, text, sizeof text);
    sb_putf(out, "%s: %s (%d steps)\n", text, env->task->summary, env->status.max_steps);
    env->family->observe(env, mode, out);
    sb_puts(out, "\n");
    return true;
}

static bool show_json(sb_env *env, const sb_name *name, const char *mode_name, sb_out *out, sb_error *error) {
    char text[SB_NAME_MAX];
    if (!sb_reset_name(env, name, error)) return false;
    const sb_mode *mode = mode_name ? sb_mode_find(env->family, mode_name, error) : &env->family->modes[0];
    if (!mode) return false;
    sb_name_print(name, text, sizeof text);
    sb_puts(out, "{");
    sb_member_text(out, "name", text);
    sb_member_int(out, "max_steps", env->status.max_steps);
    sb_member_text(out, "mode", mode->name);
    sb_put_key(out, "observation");
    sb_put_observation(out, env, mode);
    sb_puts(out, "}\n");
    return true;
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    const char *mode = NULL;
    const cli_option options[] = {{.name = "mode",
                                   .letter = 'm',
                                   .argument = "MODE",
                                   .help = "observation mode (see `seedbed tasks`)",
                                   .text = &mode},
                                  CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n == 0) return cli_usage(self, "name at least one episode, such as KeyDoorPuzzle-v0/medium#42");
    sb_error error;
    bool color;
    sb_out out = sb_out_growing();
    sb_env *env = sb_make(NULL, &error);
    bool ok = env && cli_wants_color(&common, stdout, &color, &error);
    for (int i = 0; ok && i < n; i++) {
        sb_name name;
        ok = sb_name_parse(argv[i], &name, &error) &&
             (common.json ? show_json(env, &name, mode, &out, &error) : show(env, &name, mode, color, &out, &error));
    }
    sb_free(env);
    if (ok) return cli_emit(&out);
    sb_out_free(&out);
    return cli_fail(&error);
}

const cli_command cli_show = {
    .name = "show",
    .summary = "show an episode at its start",
    .usage = "NAME... [--mode MODE] [--json]",
    .help = "Prints what the agent sees before its first step.\n\n"
            "  seedbed show KeyDoorPuzzle-v0/medium#42\n"
            "  seedbed show GoToGoal-v0/expert#0 --mode language\n\n"
            "A name is task/difficulty#seed; the seed is any whole number below 2^64.",
    .run = run,
};
