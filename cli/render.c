/* seedbed render: more formats of a dataset that is there. */
#include "cli/dataset.h"

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_render render = {0};
    const cli_option options[] = {
        {.name = "format",
         .letter = 'f',
         .argument = "A,B",
         .help = "formats of the list below, by name or as JSON with options",
         .text = &render.formats},
        {.name = "resume",
         .help = "go on with what an interrupted rendering left; --format is not needed",
         .flag = &render.resume},
        {.name = "force", .help = "throw away what an interrupted rendering left", .flag = &render.overwrite},
        CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n != 1) return cli_usage(self, "name one dataset's folder");
    if (!render.formats && !render.resume) return cli_usage(self, "say which formats with --format");
    if (render.resume && render.overwrite)
        return cli_usage(self, "give either --resume, which goes on, or --force, which begins anew");
    sb_error error;
    sb_manifest made = {0};
    cli_progress progress = cli_progress_begin(&common, "rendered");
    render.catalogue = common.catalogue;
    render.folder = argv[0], render.jobs = (size_t)common.jobs;
    render.progress = cli_progress_show, render.note = cli_note, render.context = &progress;
    const bool ok = sb_render_run(&render, &made, &error);
    cli_progress_end(&progress);
    if (ok) cli_print_made(&made, argv[0], &common);
    sb_manifest_free(&made);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_render = {
    .name = "render",
    .summary = "render more formats from the tapes of a dataset",
    .usage = "DIR (--format A,B | --resume)",
    .help =
        "Adds formats to a dataset. Nobody plays: the tapes are replayed. The dataset is then, to the last byte, the\n"
        "one that a build that had asked for all of its formats would have made. Until a rendering that was "
        "interrupted\n"
        "is resumed, the dataset does not verify.\n\n"
        "  seedbed render dataset --format trajectories\n"
        "  seedbed render dataset --format '{\"format\": \"chat\", \"modes\": \"language\", \"rows\": \"episode\"}'",
    .makes_formats = true,
    .run = run,
};
