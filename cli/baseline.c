/* seedbed baseline: what returns are normalised with. */
#include "evaluation/baseline.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"

/* A frozen baseline is replaced by nobody: old scores would no longer say what they were normalised with. */
static bool is_free(const char *path, sb_error *error) {
    sb_baseline there = {0};
    sb_error ignored;
    if (cli_is_dash(path) || !sb_file_exists(path)) return true;
    const unsigned frozen = sb_baseline_load_file(&there, path, &ignored) ? there.frozen : 0;
    sb_baseline_free(&there);
    return !frozen ||
           sb_fail(error, SB_MISMATCH,
                   "%.100s is baseline %u, which is frozen so that scores stay comparable: write another file", path,
                   frozen);
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_request request = {0};
    const char *output = "-";
    const cli_option options[] = {{.name = "output",
                                   .letter = 'o',
                                   .argument = "FILE",
                                   .help = "where to (default: standard output)",
                                   .text = &output},
                                  CLI_TASK_OPTIONS(request),
                                  CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n) return cli_usage(self, "no arguments are expected");
    request.catalogue = common.catalogue;
    sb_error error;
    sb_out document = sb_out_growing();
    sb_file file = {0};
    cli_progress progress = cli_progress_begin(&common, "played");
    bool ok = is_free(output, &error) && cli_output_open(&file, output, &error) &&
              sb_baseline_make(&request, (size_t)common.jobs, cli_progress_show, &progress, &document, &error);
    cli_progress_end(&progress);
    ok = ok && (sb_out_ok(&document) || sb_fail(&error, SB_MEMORY, "out of memory for the baseline"));
    if (ok && cli_is_dash(output)) return cli_emit(&document, CLI_DATA);
    ok = ok && cli_output_save(&file, &document, &error);
    sb_file_discard(&file);
    sb_out_free(&document);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_baseline = {
    .name = "baseline",
    .summary = "measure what random actions and the expert get, to normalise returns with",
    .usage = "[--family NAME] [--tasks A,B] [--category A,B] [--difficulty A,B] [-o FILE]",
    .help =
        "Plays, for every task and difficulty, 50 episodes with random actions (seeds 0..49) and 20 with the expert\n"
        "(seeds 0..19), and writes the mean returns as a JSON document. Where there is no expert, ten times the\n"
        "random return stands in. A call that names no family, task, category or difficulty measures every family.\n"
        "The baselines that are built in were made so once, by the experts of their day, and are frozen: better\n"
        "experts do not move anybody's scores. `seedbed eval --baseline FILE` takes a file instead.\n\n"
        "  seedbed baseline -o mine.json\n"
        "  seedbed baseline --family babyai -o babyai.json\n"
        "  seedbed baseline --tasks GoToGoal -d easy",
    .run = run,
};
