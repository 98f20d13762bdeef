/* seedbed exploration: how agents explored, from their actions. */
#include "evaluation/exploration.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "rollout/recorded.h"
#include "rollout/testing.h"

typedef struct exploration_options {
    cli_common common;
    uint64_t window, frames;
} exploration_options;

static const cli_option options[] = {
    {"window", 'w', "N", "measure the variety of N consecutive actions (default 20)",
     CLI_NUMBER(exploration_options, window), CLI_RANGE(2, 1000)},
    {"frames-per-action", 0, "N", "tapes of challenges: N - 1 frames of waiting follow each action, which are left out",
     CLI_NUMBER(exploration_options, frames), CLI_RANGE(1, SB_FRAMES_MAX)},
};

static void put_line(sb_out *out, const char *name, const sb_exploration *m, bool json) {
    if (json) {
        sb_puts(out, "{");
        sb_member_text(out, "episode", name);
        sb_member_exploration(out, m);
        sb_puts(out, "}\n");
        return;
    }
    sb_putf(out, "%-36s %7u %9u %6u %7.4f %7.4f", name, m->actions, m->different, m->resets, m->area, m->final);
    for (int act = 0; act < SB_ACT_OTHER; act++) sb_putf(out, " %6.3f", m->shares[act]);
    sb_putc(out, '\n');
}

static void put_heading(sb_out *out, uint64_t window) {
    sb_putf(out, "perplexity in windows of %llu actions: area under its curve, and of the last window\n",
            (unsigned long long)window);
    sb_putf(out, "%-36s %7s %9s %6s %7s %7s", "episode", "actions", "different", "resets", "area", "final");
    for (int act = 0; act < SB_ACT_OTHER; act++) sb_putf(out, " %6s", sb_act_names[act]);
    sb_putc(out, '\n');
}

static void put_means(sb_out *out, const sb_exploration_means *means) {
    sb_putf(out, "%-36s %7s %9s %6.1f %7.4f %7.4f", "mean", "", "", means->resets, means->area, means->final);
    for (int act = 0; act < SB_ACT_OTHER; act++) sb_putf(out, " %6.3f", means->shares[act]);
    sb_putc(out, '\n');
}

static bool measure(const exploration_options *o, uint64_t frames, const sb_out *line, sb_exploration_means *means,
                    sb_out *out, sb_error *error) {
    char name[SB_NAME_MAX];
    sb_exploration measures;
    bool known = false;
    sb_tape tape = {0};
    bool ok = sb_tape_parse(o->common.catalogue, line->data, line->size, &tape, error) &&
              sb_explore_tape(&tape, frames, o->window, &measures, &known, error);
    if (ok) sb_name_print(&tape.name, name, sizeof name);
    if (ok && !known) ok = sb_fail(error, SB_INVALID, "%s: nobody explores in the family %s", name, tape.name.family);
    if (ok) sb_add_to_means(means, &measures), put_line(out, name, &measures, o->common.json);
    sb_tape_clear(&tape);
    return ok;
}

/* Finds how many frames an action showed: the result's own number, else that of the options. */
static bool read_frames(const exploration_options *o, const sb_recorded *recorded, uint64_t *frames, sb_error *error) {
    *frames = o->frames;
    return !recorded->head ||
           sb_json_optional_uint(cJSON_GetObjectItemCaseSensitive(recorded->head, "agent"), "frames_per_action", frames,
                                 error) ||
           sb_fail_at(error, "agent");
}

static bool measure_all(const exploration_options *o, const char *path, sb_out *out, sb_error *error) {
    sb_recorded recorded;
    sb_exploration_means means = {0};
    uint64_t frames = 0;
    bool ok = sb_recorded_open(&recorded, o->common.catalogue, path, error) &&
              (read_frames(o, &recorded, &frames, error) || sb_fail_at(error, "%s", sb_path_end(path)));
    if (ok && !o->common.json) put_heading(out, o->window);
    while (ok && sb_recorded_next(&recorded, error))
        ok = measure(o, frames, recorded.line, &means, out, error) || sb_fail_at(error, "%s", sb_path_end(path));
    ok = ok && error->code == SB_OK;
    sb_finish_means(&means);
    if (ok && !o->common.json) put_means(out, &means);
    sb_recorded_close(&recorded);
    return ok;
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n) {
    (void)self, (void)n;
    const exploration_options *o = given;
    sb_error error = {0};
    sb_out out = sb_out_growing();
    if (measure_all(o, paths[0], &out, &error)) return cli_emit(&out, cli_data_if(o->common.json));
    sb_out_free(&out);
    return cli_fail(&error);
}

const cli_command cli_exploration = {
    .name = "exploration",
    .group = CLI_TO_MEASURE,
    .summary = "measure how agents explored in Autumn, from a result or tapes",
    .usage = "RESULT|TAPES [--window N] [--frames-per-action N] [--json]",
    .help =
        "Prints for each episode how varied the actions of the interaction were: the normalised perplexity of\n"
        "windows of consecutive actions (0: always the same action, 1: all different), as the area under its curve\n"
        "and in the last window; which shares of the different actions were noop, keys, clicks and resets; and how\n"
        "often the agent reset. Waiting that --frames-per-action of `eval` added is left out: a result says how many\n"
        "frames an action showed, for tapes the option says it. docs/autumn-challenges.md says more.\n\n"
        "  seedbed exploration result.json\n"
        "  seedbed exploration tapes.jsonl --window 50 --json",
    CLI_OPTIONS(exploration_options, options),
    .defaults = &(const exploration_options){.window = SB_EXPLORATION_WINDOW},
    CLI_ARGUMENTS(CLI_FILE, 1, 1, "name one result, or one file of tapes"),
    .run = run,
};
