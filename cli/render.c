/* seedbed render: adds formats to an existing dataset. */
#include "cli/dataset.h"

typedef struct render_options {
    cli_common common;
    const char *formats;
    bool resume, force;
} render_options;

static const cli_option options[] = {
    {"format", 'f', "A,B", "formats of the list below, by name or as JSON with options",
     CLI_TEXT(render_options, formats, CLI_FORMATS)},
    {"resume", 0, NULL, "resume an interrupted rendering; --format is not needed", CLI_FLAG(render_options, resume)},
    {"force", 0, NULL, "discard what an interrupted rendering left", CLI_FLAG(render_options, force)}};

static int run(const cli_command *self, void *given, const char *const *folders, size_t n) {
    (void)n;
    const render_options *o = given;
    if (!o->formats && !o->resume) return cli_usage(self, "name the formats with --format");
    if (o->resume && o->force) return cli_usage(self, CLI_RESUME_OR_FORCE);
    sb_error error;
    sb_manifest made = {0};
    cli_progress progress = cli_progress_begin(o->common.quiet, "rendered", "episodes");
    const sb_render render = {.catalogue = o->common.catalogue,
                              .folder = folders[0],
                              .formats = o->formats,
                              .jobs = o->common.jobs,
                              .resume = o->resume,
                              .overwrite = o->force,
                              .progress = cli_progress_show,
                              .note = cli_note,
                              .context = &progress};
    const bool ok = sb_render_run(&render, &made, &error);
    cli_progress_end(&progress);
    if (ok) cli_print_made(&made, folders[0], &o->common);
    sb_manifest_free(&made);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_render = {
    .name = "render",
    .group = CLI_TO_MAKE,
    .summary = "render more formats from the tapes of a dataset",
    .usage = "DIR (--format A,B | --resume)",
    .help =
        "Adds formats to a dataset by replaying its tapes. The dataset is then byte for byte what a single build with\n"
        "all of these formats would have made. If the rendering is interrupted, the dataset does not verify until the\n"
        "rendering is resumed.\n\n"
        "  seedbed render dataset --format trajectories\n"
        "  seedbed render dataset --format '{\"format\": \"chat\", \"modes\": \"language\", \"rows\": \"episode\"}'",
    .makes_formats = true,
    CLI_OPTIONS(render_options, options),
    CLI_ARGUMENTS(CLI_FILE, 1, 1, "name one dataset's folder"),
    .run = run,
};
