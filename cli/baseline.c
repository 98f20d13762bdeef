/* seedbed baseline: measures the returns with which scores are normalised. */
#include "evaluation/baseline.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"

typedef struct baseline_options {
    cli_common common;
    sb_request request;
    const char *output;
} baseline_options;

static const cli_option options[] = {{"output", 'o', "FILE", "write the baseline here (default: standard output)",
                                      CLI_TEXT(baseline_options, output, CLI_OUTPUT)},
                                     CLI_TASK_OPTIONS(baseline_options, request)};

/* Refuses to replace a frozen baseline, because old scores refer to it. */
static bool is_free(const char *path, sb_error *error) {
    sb_baseline there = {0};
    sb_error ignored;
    if (cli_is_dash(path) || !sb_file_exists(path)) return true;
    const unsigned frozen = sb_baseline_load_file(&there, path, &ignored) ? there.frozen : 0;
    sb_baseline_free(&there);
    return !frozen || sb_fail(error, SB_MISMATCH,
                              "%s is baseline %u, which is frozen so that scores stay comparable: write another file",
                              sb_path_end(path), frozen);
}

static int run(const cli_command *self, void *given, const char *const *arguments, size_t n) {
    (void)self, (void)arguments, (void)n;
    baseline_options *o = given;
    sb_error error;
    sb_out document = sb_out_growing();
    sb_file file = {0};
    o->request.catalogue = o->common.catalogue;
    cli_progress progress = cli_progress_begin(o->common.quiet, "played", "episodes");
    bool ok = is_free(o->output, &error) && cli_output_open(&file, o->output, &error) &&
              sb_baseline_make(&o->request, o->common.jobs, cli_progress_show, &progress, &document, &error);
    cli_progress_end(&progress);
    ok = ok && cli_output_put(&file, o->output, &document, &error);
    sb_file_discard(&file);
    sb_out_free(&document);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_baseline = {
    .name = "baseline",
    .group = CLI_TO_MEASURE,
    .summary = "measure the returns of random actions and of the expert, to normalise scores",
    .usage = "[--family NAME] [--tasks A,B] [--category A,B] [--difficulty A,B] [-o FILE]",
    .help =
        "Plays, for every task and difficulty, 50 episodes with random actions (seeds 0..49) and 20 with the expert\n"
        "(seeds 0..19), and writes the mean returns as a JSON document. Where there is no expert, ten times the\n"
        "random return is used instead. A call that names no family, task, category or difficulty measures every "
        "family.\n"
        "The built-in baselines were measured like this once and are frozen, so better experts do not change old\n"
        "scores. `seedbed eval --baseline FILE` uses a file instead.\n\n"
        "  seedbed baseline -o mine.json\n"
        "  seedbed baseline --family babyai -o babyai.json\n"
        "  seedbed baseline --tasks GoToGoal -d easy",
    CLI_OPTIONS(baseline_options, options),
    .defaults = &(const baseline_options){.output = "-"},
    .run = run,
};
