/* seedbed build: datasets. */
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "datasets/build.h"

static bool read_reward(const char *reward, sb_recipe *recipe, sb_error *error) {
    if (!reward) return true;
    recipe->dense = strcmp(reward, "dense") == 0;
    return recipe->dense || strcmp(reward, "sparse") == 0 ||
           sb_fail(error, SB_INVALID, "--reward is sparse or dense, not `%.20s`", reward);
}

static void print_made(const sb_manifest *m, const char *folder, bool json) {
    const unsigned long long episodes = m->episodes, rows = m->rows, successes = m->successes;
    uint64_t bytes = 0;
    for (size_t i = 0; i < m->n_shards; i++) bytes += m->rows_files[i].bytes;
    if (json) {
        sb_out out = sb_out_growing();
        sb_puts(&out, "{");
        sb_member_text(&out, "folder", folder);
        sb_member_uint(&out, "episodes", m->episodes);
        sb_member_uint(&out, "successes", m->successes);
        sb_member_uint(&out, "rows", m->rows);
        sb_member_uint(&out, "content_bytes", m->content_bytes);
        sb_member_uint(&out, "bytes", bytes);
        sb_member_text(&out, "content_sha256", m->content_sha256);
        sb_puts(&out, "}\n");
        cli_emit(&out);
        return;
    }
    printf("%s: %llu episodes (%llu solved), %llu rows, %.1f MB in %zu files (%.1f MB unpacked), content %.16s...\n",
           folder, episodes, successes, rows, (double)bytes / 1e6, 2 * m->n_shards, (double)m->content_bytes / 1e6,
           m->content_sha256);
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_recipe recipe = sb_recipe_default(), loaded = {0};
    const char *output = NULL, *reward = NULL, *file = NULL;
    bool force = false;
    sb_request *request = &recipe.selection;
    const cli_option options[] = {
        {.name = "output",
         .letter = 'o',
         .argument = "DIR",
         .help = "folder of the dataset (required)",
         .text = &output},
        {.name = "force", .help = "replace a dataset that is there", .flag = &force},
        {.name = "recipe",
         .letter = 'r',
         .argument = "FILE",
         .help = "take everything but -o from a JSON recipe",
         .text = &file},
        CLI_AGENT_OPTIONS(recipe.agent),
        {.name = "format",
         .letter = 'f',
         .argument = "NAME",
         .help = "format of the rows (default steps)",
         .text = &recipe.format},
        {.name = "modes",
         .letter = 'm',
         .argument = "A,B",
         .help = "observations in the rows (default ascii,language)",
         .text = &recipe.modes},
        {.name = "reward", .argument = "KIND", .help = "sparse (default) or dense", .text = &reward},
        {.name = "level", .argument = "1..9", .help = "compression (default 6)", .number = &recipe.level},
        {.name = "shard-episodes",
         .argument = "N",
         .help = "episodes a file (default 4096)",
         .number = &recipe.shard_episodes},
        CLI_SELECTION_OPTIONS(*request),
        CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (!output) return cli_usage(self, "say where to with -o DIR");
    if (file && (n || !sb_request_is_empty(request) || reward))
        return cli_usage(self, "a recipe says everything itself: give either --recipe or a selection");
    sb_error error;
    sb_manifest made = {0};
    request->names = (const char *const *)argv, request->n_names = (size_t)n;
    cli_progress progress = cli_progress_begin(&common, "built");
    const sb_build build = {.recipe = file ? &loaded : &recipe,
                            .folder = output,
                            .jobs = (size_t)common.jobs,
                            .overwrite = force,
                            .progress = cli_progress_show,
                            .context = &progress};
    const bool ok = read_reward(reward, &recipe, &error) && (!file || sb_recipe_load(file, &loaded, &error)) &&
                    sb_build_run(&build, &made, &error);
    cli_progress_end(&progress);
    if (ok && (!common.quiet || common.json)) print_made(&made, output, common.json);
    sb_manifest_free(&made);
    sb_recipe_free(&loaded);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_build = {
    .name = "build",
    .summary = "build a dataset: solve episodes, keep the tapes, render rows",
    .usage = "-o DIR [selection | NAME... | --recipe FILE] [options]",
    .help =
        "Lets an agent play every selected episode and writes the rows, the tapes that they were rendered from, and a\n"
        "manifest. The same recipe gives the same bytes, whatever the number of workers.\n\n"
        "  seedbed build --split train --count 100 -o dataset\n"
        "  seedbed build --tasks KeyDoorPuzzle -d easy,medium --modes ascii,state --reward dense -o keys\n\n"
        "`seedbed verify DIR` replays and compares everything. In Python: gzip + json, or\n"
        "  datasets.load_dataset(\"json\", data_files=\"DIR/steps-*.jsonl.gz\")",
    .run = run,
};
