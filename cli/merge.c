/* seedbed merge: joins the parts of a dataset, or the results of the parts of an evaluation. */
#include "evaluation/merge.h"

#include "base/error.h"
#include "cli/dataset.h"
#include "cli/kinds.h"
#include "evaluation/atlas/atlas.h"

typedef struct merge_options {
    cli_common common;
    const char *output, *baseline;
    bool force;
} merge_options;

static const cli_option options[] = {
    {"output", 'o', "PATH", "folder of the joined dataset, or file of the joined result or atlas (required)",
     CLI_TEXT(merge_options, output, CLI_OUTPUT)},
    {"force", 0, NULL, "replace an existing dataset", CLI_FLAG(merge_options, force)},
    {"baseline", 0, "FILE", "results: the baseline that normalised them, if it is not built in",
     CLI_TEXT(merge_options, baseline, CLI_FILE)}};

static bool merge_datasets(const merge_options *o, const char *const *parts, size_t n, sb_error *error) {
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
    bool ok = sb_merge_run(&merge, &made, error);
    if (ok) cli_print_made(&made, o->output, &o->common);
    ok = ok && sb_manifest_check_rows(&made, o->output, error);
    sb_manifest_free(&made);
    return ok;
}

static void tell_joined(const merge_options *o, const char *what, size_t parts, size_t episodes) {
    sb_out out = sb_out_growing();
    if (o->common.json) {
        sb_puts(&out, "{");
        sb_member_text(&out, what, o->output);
        sb_member_uint(&out, "parts", parts);
        sb_member_uint(&out, "episodes", episodes);
        sb_puts(&out, "}\n");
        cli_emit(&out, CLI_DATA);
    } else if (!o->common.quiet) {
        cli_say("%s: %zu episodes of %zu parts\n", CLI_PLAIN(o->output), episodes, parts);
    }
}

static bool merge_results(const merge_options *o, const char *const *parts, size_t n, sb_error *error) {
    sb_file file = {0};
    sb_out document = sb_out_growing();
    size_t episodes;
    const sb_results_merging merging = {
        .catalogue = o->common.catalogue, .paths = parts, .n = n, .baseline = o->baseline};
    const bool ok = cli_output_open(&file, o->output, error) &&
                    sb_results_merge(&merging, &document, &episodes, error) &&
                    cli_output_put(&file, o->output, &document, error);
    if (ok && !cli_is_dash(o->output)) tell_joined(o, "result", n, episodes);
    sb_file_discard(&file);
    sb_out_free(&document);
    return ok;
}

static bool merge_atlases(const merge_options *o, const char *const *parts, size_t n, sb_error *error) {
    size_t episodes;
    if (cli_is_dash(o->output)) return sb_fail(error, SB_INVALID, "an atlas is a file: name it with -o");
    if (!sb_atlas_merge(o->common.catalogue, parts, n, o->output, &episodes, error)) return false;
    tell_joined(o, "atlas", n, episodes);
    return true;
}

/* Parts are folders of a dataset, or files of results or atlases. */
static bool check_parts(const char *const *parts, size_t n, size_t *folders, sb_error *error) {
    *folders = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_folder = sb_is_folder(parts[i]);
        if (!is_folder && !sb_file_exists(parts[i]))
            return sb_fail(error, SB_IO,
                           "there is no %s: name the folders of `seedbed build --shard`, or the files of `seedbed eval "
                           "--shard` or `seedbed atlas --shard`",
                           sb_path_end(parts[i]));
        if (i && is_folder != (*folders > 0))
            return sb_fail(error, SB_INVALID,
                           "%s is %s, but %s is %s: join the parts of one dataset, of one evaluation, or of one atlas",
                           sb_path_end(parts[0]), *folders ? "a folder" : "a file", sb_path_end(parts[i]),
                           is_folder ? "a folder" : "a file");
        *folders += is_folder;
    }
    return true;
}

static bool is_atlas_file(const char *path) {
    cli_file_kind kind;
    sb_error ignored;
    return cli_find_kind(path, &kind, &ignored) && kind == CLI_ATLAS;
}

static int run(const cli_command *self, void *given, const char *const *parts, size_t n) {
    const merge_options *o = given;
    if (!o->output) return cli_usage(self, "say where the joined dataset, result or atlas goes with -o PATH");
    sb_error error;
    size_t folders;
    if (!check_parts(parts, n, &folders, &error)) return cli_fail(&error);
    if (folders && o->baseline) return cli_usage(self, "--baseline is for results");
    if (!folders && o->force) return cli_usage(self, "--force is for datasets: a file is replaced without it");
    const bool is_atlas = !folders && is_atlas_file(parts[0]);
    if (is_atlas && o->baseline) return cli_usage(self, "--baseline is for results");
    const bool ok = (folders ? merge_datasets : is_atlas ? merge_atlases : merge_results)(o, parts, n, &error);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_merge = {
    .name = "merge",
    .group = CLI_TO_MAKE,
    .summary = "join the parts of a dataset, an evaluation or an atlas that were made separately",
    .usage = "PART... -o PATH",
    .help = "Three commands make parts with --shard I/N: `seedbed build` those of a dataset, each in its own folder,\n"
            "`seedbed eval` those of an evaluation, and `seedbed atlas` those of an atlas.\n"
            "What is joined is byte for byte what a single call would have made. The parts are not changed.\n\n"
            "  seedbed build recipe.json --shard 1/2 -o part1\n"
            "  seedbed build recipe.json --shard 2/2 -o part2\n"
            "  seedbed merge part1 part2 -o dataset\n"
            "  seedbed eval --agent observer --shard 1/2 -o part1.json\n"
            "  seedbed eval --agent observer --shard 2/2 -o part2.json\n"
            "  seedbed merge part1.json part2.json -o result.json",
    CLI_OPTIONS(merge_options, options),
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "name the folders, the results or the atlases of the parts"),
    .run = run,
};
