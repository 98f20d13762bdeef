/* seedbed show: an episode at its start. */
#include "cli/cli.h"
#include "cli/picture.h"
#include "engine/lookup.h"

typedef struct showing {
    const char *mode; /* NULL: the family's first */
    bool json, color;
} showing;

/* A picture is coloured where the family has colours for it. */
static const sb_mode *mode_of(const sb_family *family, const showing *what, sb_error *error) {
    const sb_mode *mode = what->mode ? sb_mode_find(family, what->mode, error) : &family->modes[0];
    return mode == &family->modes[0] ? cli_picture_mode(family, what->color && !what->json) : mode;
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

static bool show(sb_env *env, const char *text, const showing *what, sb_out *out, sb_error *error) {
    char name[SB_NAME_MAX];
    if (!sb_reset(env, text, error)) return false;
    const sb_mode *mode = mode_of(env->family, what, error);
    if (!mode) return false;
    sb_name_print(&env->name, name, sizeof name);
    if (what->json) {
        put_json(out, env, name, mode);
        return true;
    }
    sb_putf(out, "%s: %s (%d steps)\n", name, env->task->summary, env->status.max_steps);
    env->family->observe(env, mode, out);
    sb_puts(out, "\n");
    return true;
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    showing what = {0};
    const cli_option options[] = {{.name = "mode",
                                   .letter = 'm',
                                   .argument = "MODE",
                                   .help = "observation mode (see `seedbed tasks`)",
                                   .text = &what.mode},
                                  CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n == 0) return cli_usage(self, "name at least one episode, such as KeyDoorPuzzle-v0/medium#42");
    sb_error error;
    sb_out out = sb_out_growing();
    sb_env *env = sb_make(common.catalogue, NULL, &error);
    bool ok = env;
    what.json = common.json, what.color = cli_wants_color(&common);
    for (int i = 0; ok && i < n; i++) ok = show(env, argv[i], &what, &out, &error);
    sb_free(env);
    if (ok) return cli_emit(&out, CLI_DATA);
    sb_out_free(&out);
    return cli_fail(&error);
}

const cli_command cli_show = {
    .name = "show",
    .summary = "show an episode at its start",
    .usage = "NAME... [--mode MODE] [--json]",
    .help =
        "Prints what the agent sees before its first step.\n\n"
        "  seedbed show KeyDoorPuzzle-v0/medium#42\n"
        "  seedbed show GoToGoal-v0/expert#0 --mode language\n"
        "  seedbed show GoTo#5\n\n"
        "A name is task/difficulty#seed, or family:task/difficulty#seed; the difficulty is left out in families that\n"
        "have none. The seed is any whole number below 2^64.",
    .run = run,
};
