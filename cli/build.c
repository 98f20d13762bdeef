/* seedbed build: datasets. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/dataset.h"

/* Options as they were given, before they are a recipe. */
typedef struct given {
    const char *output, *file, *shard, *reward, *epsilon, *min_return, *max_return, *min_steps, *max_steps, *evaluation,
        *duplicates;
    bool force, resume, dry_run, success;
    cJSON *formats; /* of a --format that is JSON */
} given;

/* ---- Reading ---- */

static bool read_number(const char *option, const char *text, double *value, bool *has, sb_error *error) {
    char *end;
    if (!text) return true;
    if (has) *has = true;
    *value = strtod(text, &end);
    return (*text && !*end && isfinite(*value)) ||
           sb_fail(error, SB_INVALID, "--%s wants a number, not `%.40s`", option, text);
}

static bool read_count(const char *option, const char *text, uint64_t *value, bool *has, sb_error *error) {
    if (!text) return true;
    *has = true;
    return sb_parse_uint(text, value) ||
           sb_fail(error, SB_INVALID, "--%s wants a whole number, not `%.40s`", option, text);
}

static bool is_word(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

/* Names, or JSON as in a recipe's `formats`. */
static bool read_formats(given *g, sb_recipe *recipe, sb_error *error) {
    const char *text = recipe->format;
    if (*text != '{' && *text != '[') return true;
    g->formats = sb_json_parse(text, strlen(text), error);
    if (!g->formats) return sb_fail_at(error, "--format");
    if (cJSON_IsObject(g->formats)) {
        cJSON *list = cJSON_CreateArray();
        if (!cJSON_AddItemToArray(list, g->formats)) return sb_fail(error, SB_MEMORY, "out of memory for formats");
        g->formats = list;
    }
    recipe->formats = g->formats;
    return sb_recipe_embed(g->formats, error) || sb_fail_at(error, "--format");
}

static bool read_part(const char *text, sb_part *part, sb_error *error) {
    char number[24];
    uint64_t i, n;
    const char *slash = text ? strchr(text, '/') : NULL;
    if (!text) return true;
    if (slash && slash - text < 20) {
        memcpy(number, text, (size_t)(slash - text));
        number[slash - text] = '\0';
        if (sb_parse_uint(number, &i) && sb_parse_uint(slash + 1, &n) && i >= 1 && i <= n && n <= 100000)
            return *part = (sb_part){(size_t)i, (size_t)n}, true;
    }
    return sb_fail(error, SB_INVALID, "--shard wants which part of how many, as in 1/8, not `%.40s`", text);
}

static bool read_flags(given *g, sb_recipe *recipe, sb_error *error) {
    sb_filter *filter = &recipe->filter;
    filter->has_success = filter->success = g->success;
    recipe->dense = is_word(g->reward, "dense");
    recipe->keep_evaluation = is_word(g->evaluation, "keep");
    recipe->drop_duplicates = is_word(g->duplicates, "drop");
    return read_number("epsilon", g->epsilon, &recipe->casting.epsilon, NULL, error) &&
           read_number("min-return", g->min_return, &filter->min_return, &filter->has_min_return, error) &&
           read_number("max-return", g->max_return, &filter->max_return, &filter->has_max_return, error) &&
           read_count("min-steps", g->min_steps, &filter->min_steps, &filter->has_min_steps, error) &&
           read_count("max-steps", g->max_steps, &filter->max_steps, &filter->has_max_steps, error) &&
           read_formats(g, recipe, error);
}

/* Whether the flags say anything that a recipe should say. */
static bool says_anything(const sb_recipe *recipe) {
    const sb_recipe standard = sb_recipe_default();
    sb_out said = sb_out_growing(), usual = sb_out_growing();
    sb_recipe_print(recipe, &said), sb_recipe_print(&standard, &usual);
    const bool differs = !sb_request_is_empty(&recipe->selection) || said.size != usual.size ||
                         memcmp(said.data, usual.data, said.size) != 0;
    sb_out_free(&said), sb_out_free(&usual);
    return differs;
}

/* ---- Doing ---- */

static void put_json_format(sb_out *out, const sb_estimate *e, size_t k) {
    sb_put_key(out, e->formats[k].name);
    sb_puts(out, "{");
    sb_member_double(out, "rows", round(e->formats[k].rows));
    sb_member_double(out, "content_bytes", round(e->formats[k].content_bytes));
    sb_member_double(out, "bytes", round(e->formats[k].bytes));
    sb_puts(out, "}");
}

static void put_json_estimate(sb_out *out, const sb_estimate *e) {
    sb_puts(out, "{");
    sb_member_uint(out, "selected", e->selected);
    sb_member_uint(out, "evaluation", e->evaluation);
    sb_member_uint(out, "duplicates", e->duplicates);
    sb_member_uint(out, "across", e->across);
    sb_member_uint(out, "played", e->played);
    sb_member_uint(out, "sampled", e->sampled);
    sb_member_uint(out, "shards", e->n_shards);
    sb_member_double(out, "episodes", round(e->episodes));
    sb_member_double(out, "successes", round(e->successes));
    sb_member_double(out, "steps", round(e->steps));
    sb_member_double(out, "tape_bytes", round(e->tape_bytes));
    sb_put_key(out, "formats");
    sb_puts(out, "{");
    for (size_t k = 0; k < e->n_formats; k++) put_json_format(out, e, k);
    sb_puts(out, "}}\n");
}

static void put_estimate(sb_out *out, const sb_estimate *e) {
    sb_putf(
        out,
        "%llu episodes selected; %llu to evaluate with, %llu that begin like one of those, %llu like another of the "
        "selection: %llu played\n",
        (unsigned long long)e->selected, (unsigned long long)e->evaluation, (unsigned long long)e->across,
        (unsigned long long)e->duplicates, (unsigned long long)e->played);
    sb_putf(out, "from %llu that were really played, in %zu shards:\n", (unsigned long long)e->sampled, e->n_shards);
    sb_putf(out, "  about %.0f episodes (%.0f solved), %.0f steps, %.1f MB of tapes\n", e->episodes, e->successes,
            e->steps, e->tape_bytes / 1e6);
    for (size_t k = 0; k < e->n_formats; k++)
        sb_putf(out, "  %-16s about %.0f rows, %.1f MB (%.1f MB unpacked)\n", e->formats[k].name, e->formats[k].rows,
                e->formats[k].bytes / 1e6, e->formats[k].content_bytes / 1e6);
}

static bool dry_run(const sb_recipe *recipe, const cli_common *common, sb_error *error) {
    sb_estimate estimate;
    if (!sb_build_estimate(recipe, (size_t)common->jobs, &estimate, error)) return false;
    sb_out out = sb_out_growing();
    (common->json ? put_json_estimate : put_estimate)(&out, &estimate);
    cli_emit(&out, cli_data_if(common->json));
    return true;
}

static void print_json_part(const sb_part *part, const char *folder) {
    sb_out out = sb_out_growing();
    sb_puts(&out, "{");
    sb_member_text(&out, "folder", folder);
    sb_member_uint(&out, "part", part->number);
    sb_member_uint(&out, "of", part->of);
    sb_puts(&out, "}\n");
    cli_emit(&out, CLI_DATA);
}

static void print_part(const sb_part *part, const char *folder, const cli_common *common) {
    if (common->json)
        print_json_part(part, folder);
    else if (!common->quiet)
        cli_say("%s: part %zu of %zu; `seedbed merge` joins them\n", CLI_PLAIN(folder), part->number, part->of);
}

static bool build(const given *g, const sb_recipe *recipe, const cli_common *common, sb_error *error) {
    sb_manifest made = {0};
    sb_part part = {0};
    cli_progress progress = cli_progress_begin(common, "built");
    sb_build work = {.recipe = recipe,
                     .folder = g->output,
                     .jobs = (size_t)common->jobs,
                     .overwrite = g->force,
                     .resume = g->resume,
                     .progress = cli_progress_show,
                     .note = cli_note,
                     .context = &progress};
    const bool ok = read_part(g->shard, &part, error) && (work.part = part, sb_build_run(&work, &made, error));
    cli_progress_end(&progress);
    if (ok && part.of) print_part(&part, g->output, common);
    if (ok && !part.of) cli_print_made(&made, g->output, common);
    sb_manifest_free(&made);
    return ok;
}

static bool looks_like_a_file(const char *argument) {
    const size_t n = strlen(argument);
    return !strchr(argument, '#') && ((n > 5 && strcmp(argument + n - 5, ".json") == 0) || sb_file_exists(argument));
}

/* As cli_parse. */
static int read_options(const cli_command *self, int argc, char **argv, given *g, sb_recipe *recipe, cli_common *common,
                        int *status) {
    static const char *const rewards[] = {"sparse", "dense", NULL}, *const fates[] = {"drop", "keep", NULL};
    const cli_option options[] = {
        {.name = "output",
         .letter = 'o',
         .argument = "DIR",
         .help = "folder of the dataset (required, but for --dry-run)",
         .text = &g->output},
        {.name = "recipe",
         .letter = 'r',
         .argument = "FILE",
         .help = "take everything but -o from a JSON recipe; the same as naming it",
         .text = &g->file},
        {.name = "force", .help = "replace whatever dataset is there", .flag = &g->force},
        {.name = "resume", .help = "go on where a build of this recipe was interrupted", .flag = &g->resume},
        {.name = "shard",
         .argument = "I/N",
         .help = "build part I of N (from 1); `seedbed merge` joins them",
         .text = &g->shard},
        {.name = "dry-run", .help = "say what to expect, from a sample, and write nothing", .flag = &g->dry_run},
        CLI_AGENT_OPTIONS(recipe->casting.agent),
        {.name = "epsilon",
         .argument = "P",
         .help = "take a random action with this probability; rows are labelled with the oracle's",
         .text = &g->epsilon},
        {.name = "labels",
         .argument = "NAME",
         .help = "rows say what this oracle would do in their state, whoever acted",
         .text = &recipe->casting.labels},
        {.name = "intents", .help = "keep in the tapes what the oracle is up to", .flag = &recipe->casting.intents},
        {.name = "format",
         .letter = 'f',
         .argument = "A,B",
         .help = "formats of the list below, by name or as JSON with options (default steps)",
         .text = &recipe->format},
        {.name = "modes",
         .letter = 'm',
         .argument = "A,B",
         .help = "observations in the rows (default ascii,language)",
         .text = &recipe->modes},
        {.name = "reward",
         .argument = "KIND",
         .help = "sparse (default) or dense",
         .words = rewards,
         .text = &g->reward},
        {.name = "success", .help = "rows of solved episodes only", .flag = &g->success},
        {.name = "min-return",
         .argument = "X",
         .help = "rows of episodes with this return or more",
         .text = &g->min_return},
        {.name = "max-return",
         .argument = "X",
         .help = "rows of episodes with this return or less",
         .text = &g->max_return},
        {.name = "min-steps", .argument = "N", .help = "rows of episodes of N steps or more", .text = &g->min_steps},
        {.name = "max-steps", .argument = "N", .help = "rows of episodes of N steps or less", .text = &g->max_steps},
        {.name = "evaluation",
         .argument = "WHAT",
         .help = "drop (default) or keep episodes to evaluate with, outside the split eval",
         .words = fates,
         .text = &g->evaluation},
        {.name = "duplicates",
         .argument = "WHAT",
         .help = "keep (default) or drop episodes that begin like an earlier one",
         .words = fates,
         .text = &g->duplicates},
        {.name = "level", .argument = "1..9", .help = "compression (default 6)", .number = &recipe->level},
        {.name = "shard-episodes",
         .argument = "N",
         .help = "episodes a file (default 4096)",
         .number = &recipe->shard_episodes},
        {.name = "name", .argument = "TEXT", .help = "of the dataset, for its card", .text = &recipe->name},
        {.name = "license", .argument = "TEXT", .help = "the same", .text = &recipe->license},
        {.name = "description", .argument = "TEXT", .help = "the same", .text = &recipe->description},
        CLI_SELECTION_OPTIONS(recipe->selection),
        CLI_COMMON_OPTIONS(*common)};
    return CLI_PARSE(self, options, argc, argv, status);
}

/* By flags, or by the recipe that they name. */
static bool make(given *g, sb_recipe *flags, const cli_common *common, sb_error *error) {
    sb_recipe loaded = {0};
    bool ok = !g->file || sb_recipe_load(common->catalogue, g->file, &loaded, error);
    const sb_recipe *chosen = g->file ? &loaded : flags;
    ok = ok && (g->dry_run ? dry_run(chosen, common, error) : build(g, chosen, common, error));
    sb_recipe_free(&loaded);
    return ok;
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_recipe recipe = sb_recipe_default();
    given g = {0};
    int status, n = read_options(self, argc, argv, &g, &recipe, &common, &status);
    if (n < 0) return status;
    if (!g.output && !g.dry_run) return cli_usage(self, "say where to with -o DIR");
    if (g.dry_run && g.shard) return cli_usage(self, "--dry-run tells of the whole, not of a part: leave out --shard");
    if (g.force && g.resume)
        return cli_usage(self, "give either --resume, which goes on, or --force, which starts anew");
    if (!g.file && n == 1 && looks_like_a_file(argv[0])) g.file = argv[0], n = 0;
    sb_error error;
    bool ok = read_flags(&g, &recipe, &error);
    if (ok && g.file && (n || says_anything(&recipe))) {
        cJSON_Delete(g.formats);
        return cli_usage(self, "a recipe says everything itself: give either a recipe or flags");
    }
    recipe.selection.catalogue = common.catalogue;
    recipe.selection.names = (const char *const *)argv, recipe.selection.n_names = (size_t)n;
    ok = ok && make(&g, &recipe, &common, &error);
    cJSON_Delete(g.formats);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_build = {
    .name = "build",
    .summary = "build a dataset: solve episodes, keep the tapes, render rows",
    .usage = "-o DIR [RECIPE.json | selection | NAME...] [options]",
    .help =
        "Lets an agent play every selected episode and writes the rows, the tapes that they were rendered from, and a\n"
        "manifest. The same recipe gives the same bytes, whatever the number of workers, interruptions and parts.\n\n"
        "  seedbed build --split train --count 100 -o dataset\n"
        "  seedbed build --tasks KeyDoorPuzzle -d easy,medium --modes ascii,state --reward dense -o keys\n"
        "  seedbed build recipe.json --dry-run\n"
        "  seedbed build recipe.json --resume -o dataset\n\n"
        "`seedbed verify DIR` replays and compares everything, `seedbed render DIR` adds formats. In Python: gzip + "
        "json,\n"
        "or datasets.load_dataset(\"json\", data_files=\"DIR/steps-*.jsonl.gz\")",
    .makes_formats = true,
    .run = run,
};
