/* seedbed merge: parts of a dataset become the whole. */
#include "cli/dataset.h"

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    const char *output = NULL;
    bool force = false;
    const cli_option options[] = {
        {.name = "output", .letter = 'o', .argument = "DIR", .help = "folder of the whole (required)", .text = &output},
        {.name = "force", .help = "replace whatever dataset is there", .flag = &force},
        CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (!output) return cli_usage(self, "say where to with -o DIR");
    if (n == 0) return cli_usage(self, "name the folders of the parts");
    sb_error error;
    sb_manifest made = {0};
    cli_progress progress = {0};
    const sb_merge merge = {.catalogue = common.catalogue,
                            .parts = (const char *const *)argv,
                            .n_parts = (size_t)n,
                            .folder = output,
                            .jobs = (size_t)common.jobs,
                            .overwrite = force,
                            .note = cli_note,
                            .context = &progress};
    const bool ok = sb_merge_run(&merge, &made, &error);
    if (ok) cli_print_made(&made, output, &common);
    sb_manifest_free(&made);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_merge = {
    .name = "merge",
    .summary = "join the parts of a dataset that were built apart",
    .usage = "PART... -o DIR",
    .help =
        "Parts come from `seedbed build --shard I/N`, each into a folder of its own. The whole is, to the last byte,\n"
        "what a single build would have made. Parts stay as they are.\n\n"
        "  seedbed build recipe.json --shard 1/2 -o part1\n"
        "  seedbed build recipe.json --shard 2/2 -o part2\n"
        "  seedbed merge part1 part2 -o dataset",
    .run = run,
};
