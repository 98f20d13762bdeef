/* seedbed merge: joins the parts of a dataset. */
#include "cli/dataset.h"

typedef struct merge_options {
    cli_common common;
    const char *output;
    bool force;
} merge_options;

static const cli_option options[] = {
    {"output", 'o', "DIR", "folder of the joined dataset (required)", CLI_TEXT(merge_options, output, CLI_FILE)},
    {"force", 0, NULL, "replace an existing dataset", CLI_FLAG(merge_options, force)}};

static int run(const cli_command *self, void *given, const char *const *parts, size_t n) {
    const merge_options *o = given;
    if (!o->output) return cli_usage(self, "say where the joined dataset goes with -o DIR");
    sb_error error;
    sb_manifest made = {0};
    cli_progress progress = {0};
    const sb_merge merge = {.catalogue = o->common.catalogue,
                            .parts = parts,
                            .n_parts = n,
                            .folder = o->output,
                            .jobs = o->common.jobs,
                            .overwrite = o->force,
                            .note = cli_note,
                            .context = &progress};
    const bool ok = sb_merge_run(&merge, &made, &error);
    if (ok) cli_print_made(&made, o->output, &o->common);
    sb_manifest_free(&made);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_merge = {
    .name = "merge",
    .summary = "join the parts of a dataset that were built separately",
    .usage = "PART... -o DIR",
    .help =
        "`seedbed build --shard I/N` builds the parts, each into a folder of its own. The joined dataset is byte for\n"
        "byte what a single build would have made. The parts are not changed.\n\n"
        "  seedbed build recipe.json --shard 1/2 -o part1\n"
        "  seedbed build recipe.json --shard 2/2 -o part2\n"
        "  seedbed merge part1 part2 -o dataset",
    CLI_OPTIONS(merge_options, options),
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "name the folders of the parts"),
    .run = run,
};
