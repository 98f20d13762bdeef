/* seedbed build: builds datasets. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/word.h"
#include "cli/dataset.h"
#include "cli/estimate.h"
#include "cli/interruption.h"
#include "cli/plugin.h"
#include "datasets/build.h"
#include "rollout/testing.h"

typedef struct build_options {
    cli_common common;
    sb_recipe recipe; /* from the options; unused if `file` is given */
    sb_agent_options program;
    uint64_t log_mib, attempts;
    const char *output, *file, *shard, *into, *mixture, *instructions, *failures, *unreadable;
    sb_tokenizer_source tokenizer;
    bool force, resume, dry_run, extend;
} build_options;

static const cli_option options[] = {
    {"output", 'o', "DIR", "folder of the dataset (required, except with --dry-run)",
     CLI_TEXT(build_options, output, CLI_OUTPUT)},
    {"recipe", 'r', "FILE", "take agents, formats, filters and selection from a JSON recipe (--recipe may be left out)",
     CLI_TEXT(build_options, file, CLI_FILE), CLI_RARE},
    {"force", 0, NULL, "replace an existing dataset", CLI_FLAG(build_options, force)},
    {"resume", 0, NULL, "resume an interrupted build of this recipe", CLI_FLAG(build_options, resume)},
    {"extend", 0, NULL, "add episodes to the finished dataset in DIR; its files stay as they are",
     CLI_FLAG(build_options, extend)},
    {"into", 0, "TEXT", "with --extend: the name of the split that is extended (default: train, if there are splits)",
     CLI_TEXT(build_options, into, CLI_ANYTHING), CLI_RARE},
    {"shard", 0, "I/N", "build part I of N (from 1); `seedbed merge` joins them",
     CLI_TEXT(build_options, shard, CLI_ANYTHING), CLI_RARE},
    {"dry-run", 0, NULL, "estimate the dataset from a sample, and write nothing", CLI_FLAG(build_options, dry_run)},
    {"agent", 'a', "AGENT",
     "observer (default), random, tape:FILE, exec:COMMAND, plugin:FILE; mixed: expert:3,random:1",
     CLI_TEXT(build_options, recipe.casting.agent, CLI_AGENT)},
    {"oracle", 0, "AGENT", "the same as --agent", CLI_TEXT(build_options, recipe.casting.agent, CLI_AGENT), CLI_RARE},
    {"attempts", 0, "N", "let a program play every episode N times (default 1)", CLI_NUMBER(build_options, attempts),
     CLI_RANGE(1, SB_ATTEMPTS_MAX), CLI_RARE},
    CLI_PROGRAM_OPTIONS(build_options, program, log_mib, "agent-", "new ones"),
    {"epsilon", 0, "P", "take a random action with this probability; rows are labelled with the oracle's",
     CLI_REAL(build_options, recipe.casting.epsilon), CLI_RARE},
    {"labels", 0, "NAME", "label rows with what this oracle would do in the same state",
     CLI_TEXT(build_options, recipe.casting.labels, CLI_ORACLE)},
    {"intents", 0, NULL, "keep the oracle's intents in the tapes", CLI_FLAG(build_options, recipe.casting.intents),
     CLI_RARE},
    {"format", 'f', "A,B", "steps (default), chat, npz, ... (--help-all lists all), by name or as JSON with options",
     CLI_TEXT(build_options, recipe.format, CLI_FORMATS)},
    {"modes", 'm', "A,B", "observations in the rows (default ascii,language)",
     CLI_TEXT(build_options, recipe.modes, CLI_MODES)},
    {"reward", 0, "KIND", "sparse (default), dense, or progress: whether each step helped",
     CLI_TEXT(build_options, recipe.rewards.kind, CLI_ANYTHING), CLI_WORDS("sparse", "dense", "progress")},
    {"gamma", 0, "G", "discount of the rewards of progress, 0 to 1 (default 1)",
     CLI_REAL(build_options, recipe.rewards.gamma), CLI_RARE},
    {"mask", 0, "KIND", "masks of actions in arrays: sound (default) or published",
     CLI_SWITCH(build_options, recipe.published_mask, "sound", "published"), CLI_RARE},
    {"success", 0, NULL, "only rows of solved episodes", CLI_FLAG(build_options, recipe.filter.success),
     CLI_GIVEN(build_options, recipe.filter.has_success)},
    {"min-return", 0, "X", "only rows of episodes with this return or more",
     CLI_REAL(build_options, recipe.filter.min_return), CLI_GIVEN(build_options, recipe.filter.has_min_return),
     CLI_RARE},
    {"max-return", 0, "X", "only rows of episodes with this return or less",
     CLI_REAL(build_options, recipe.filter.max_return), CLI_GIVEN(build_options, recipe.filter.has_max_return),
     CLI_RARE},
    {"min-steps", 0, "N", "only rows of episodes with N steps or more",
     CLI_NUMBER(build_options, recipe.filter.min_steps), CLI_GIVEN(build_options, recipe.filter.has_min_steps),
     CLI_RARE},
    {"max-steps", 0, "N", "only rows of episodes with N steps or less",
     CLI_NUMBER(build_options, recipe.filter.max_steps), CLI_GIVEN(build_options, recipe.filter.has_max_steps),
     CLI_RARE},
    {"best", 0, "N", "only rows of the best N of an episode's recorded tapes that pass the other filters",
     CLI_NUMBER(build_options, recipe.filter.best), CLI_RANGE(1, 0), CLI_RARE},
    {"failures", 0, "WHAT", "keep or drop episodes that failed (default: see docs/datasets.md)",
     CLI_TEXT(build_options, failures, CLI_WORD), CLI_WORDS("keep", "drop")},
    {"unreadable", 0, "WHAT",
     "keep or drop episodes with an unreadable answer (default: drop, unless rows have labels)",
     CLI_TEXT(build_options, unreadable, CLI_WORD), CLI_WORDS("keep", "drop"), CLI_RARE},
    {"evaluation", 0, "WHAT", "drop (default) or keep evaluation episodes and the same games, outside split eval",
     CLI_SWITCH(build_options, recipe.keep_evaluation, "drop", "keep"), CLI_RARE},
    {"duplicates", 0, "WHAT", "keep (default) or drop episodes that are the same game as an earlier one",
     CLI_SWITCH(build_options, recipe.drop_duplicates, "keep", "drop"), CLI_RARE},
    {"row-duplicates", 0, "WHAT", "keep (default) or drop rows with the prompt and the answer of an earlier row",
     CLI_SWITCH(build_options, recipe.rows.drop_duplicates, "keep", "drop"), CLI_RARE},
    {"rows-apart-from", 0, "WHAT", "drop rows whose prompt stands in evaluation rows: eval, or a seed pack's file",
     CLI_TEXT(build_options, recipe.rows.apart_from, CLI_FILE), CLI_RARE},
    {"episodes", 0, "N", "take so many episodes, counted after all that is left out or filtered",
     CLI_NUMBER(build_options, recipe.composition.budget[SB_EPISODES]), CLI_RANGE(1, 0)},
    {"rows", 0, "N", "take so many rows of the first format, to the end of the last episode",
     CLI_NUMBER(build_options, recipe.composition.budget[SB_ROWS]), CLI_RANGE(1, 0)},
    {"characters", 0, "N", "take so many characters of texts in rows of the first format, likewise",
     CLI_NUMBER(build_options, recipe.composition.budget[SB_CHARACTERS]), CLI_RANGE(1, 0), CLI_RARE},
    {"tokens", 0, "N", "take so many tokens, as --tokenizer counts them, likewise",
     CLI_NUMBER(build_options, recipe.composition.budget[SB_TOKENS]), CLI_RANGE(1, 0), CLI_RARE},
    {"tokenizer", 0, "FILE", "the tokenizer.json for --tokens, or the one that a recipe or a dataset was counted with",
     CLI_TEXT(build_options, tokenizer.file, CLI_FILE), CLI_RARE},
    {"python", 0, "PROGRAM", "a Python that has the library tokenizers (default " SB_TOKENIZER_PYTHON ")",
     CLI_TEXT(build_options, tokenizer.python, CLI_FILE), CLI_RARE},
    {"mixture", 0, "TEXT", "draw tasks and difficulties by weight: JSON, as a recipe's `mixture`",
     CLI_TEXT(build_options, mixture, CLI_ANYTHING), CLI_RARE},
    {"instructions", 0, "FILE", "challenges: what agents are told before the test: a JSON object with texts by kind",
     CLI_TEXT(build_options, instructions, CLI_FILE), CLI_RARE},
    {"order", 0, "ORDER", "order of the episodes: tasks (default), drawn, shuffled",
     CLI_TEXT(build_options, recipe.composition.order, CLI_ANYTHING), CLI_WORDS("tasks", "drawn", "shuffled"),
     CLI_RARE},
    {"level", 0, "1..9", "compression (default 6)", CLI_NUMBER(build_options, recipe.level), CLI_RANGE(1, 9), CLI_RARE},
    {"shard-episodes", 0, "N", "episodes per file (default 4096)", CLI_NUMBER(build_options, recipe.shard_episodes),
     CLI_RARE},
    {"name", 0, "TEXT", "name of the dataset, for its card", CLI_TEXT(build_options, recipe.name, CLI_ANYTHING),
     CLI_RARE},
    {"license", 0, "TEXT", "license of the dataset, for its card",
     CLI_TEXT(build_options, recipe.license, CLI_ANYTHING), CLI_RARE},
    {"description", 0, "TEXT", "description of the dataset, for its card",
     CLI_TEXT(build_options, recipe.description, CLI_ANYTHING), CLI_RARE},
    CLI_SELECTION_OPTIONS(build_options, recipe.selection)};

/* ---- Formats and agents ---- */

/* --format takes names, or JSON as in a recipe's `formats`, which `*formats` then owns. */
static bool read_formats(sb_recipe *recipe, cJSON **formats, sb_error *error) {
    const char *text = recipe->format;
    if (*text != '{' && *text != '[') return true;
    *formats = sb_json_parse(text, strlen(text), error);
    if (!*formats) return sb_fail_at(error, "--format");
    if (cJSON_IsObject(*formats)) {
        cJSON *list = cJSON_CreateArray();
        if (!cJSON_AddItemToArray(list, *formats)) return sb_fail(error, SB_MEMORY, "out of memory for formats");
        *formats = list;
    }
    recipe->formats = *formats;
    return sb_recipe_embed(*formats, error) || sb_fail_at(error, "--format");
}

/* --agent takes a text, or JSON as in a recipe's `oracle`, which `*agents` then owns. */
static bool read_agents(sb_recipe *recipe, cJSON **agents, sb_error *error) {
    const char *text = recipe->casting.agent;
    recipe->casting.may_start = true;
    if (!text || *text != '[') return true;
    *agents = sb_json_parse(text, strlen(text), error);
    recipe->casting.agents = *agents;
    return *agents || sb_fail_at(error, "--agent");
}

/* --instructions names a file, whose content `*texts` then owns. */
static bool read_instructions(build_options *o, cJSON **texts, sb_error *error) {
    sb_out text = sb_out_growing();
    if (!o->instructions) return true;
    *texts = sb_instructions_load(o->instructions, &text, error);
    sb_out_free(&text);
    o->recipe.instructions = *texts;
    return *texts;
}

static sb_keeping keeping_of(const char *word) {
    return !word ? SB_KEEPING_UNSAID : strcmp(word, "keep") == 0 ? SB_KEEPING_KEPT : SB_KEEPING_DROPPED;
}

/* --rows-apart-from may name a pack, whose list of episodes `*names` then owns. */
static bool read_rows(build_options *o, cJSON **names, sb_error *error) {
    sb_row_rules *rules = &o->recipe.rows;
    if (!rules->apart_from || strcmp(rules->apart_from, SB_APART_FROM_EVAL) == 0) return true;
    *names = sb_row_rules_load(o->common.catalogue, rules->apart_from, error);
    rules->apart_from = NULL, rules->names = *names;
    return *names || sb_fail_at(error, "--rows-apart-from");
}

/* Checks the keys of a recipe that are options here, and reads --mixture, which `*document` then owns. */
static bool read_composition(build_options *o, cJSON **document, sb_error *error) {
    sb_composition *c = &o->recipe.composition;
    sb_out text = sb_out_growing();
    c->tokenizer.file = o->tokenizer.file;
    const sb_composition said = *c;
    for (sb_unit unit = SB_EPISODES, other = sb_budget_unit(c); unit < SB_UNITS; unit++)
        if (unit != other && c->budget[unit])
            return sb_fail(error, SB_INVALID, "give either --%s or --%s", sb_unit_names[other], sb_unit_names[unit]);
    if (c->budget[SB_TOKENS] && !o->tokenizer.file)
        return sb_fail(error, SB_INVALID, "--tokens needs the tokenizer.json that counts them: --tokenizer FILE");
    sb_puts(&text, "{");
    sb_composition_print(&said, &text);
    if (o->mixture) sb_put_key(&text, "mixture"), sb_puts(&text, o->mixture);
    sb_puts(&text, "}");
    *document = sb_out_ok(&text) ? sb_json_parse(text.data, text.size, error)
                                 : (sb_fail(error, SB_MEMORY, "out of memory for options"), NULL);
    sb_out_free(&text);
    return *document ? sb_composition_read(*document, c, error) : sb_fail_at(error, "--mixture");
}

/* Returns the `exec:COMMAND` or `plugin:FILE` of the recipe; NULL: neither plays. */
static const char *program_of(const sb_casting *casting) {
    const cJSON *item;
    if (!casting->agents)
        return casting->agent && sb_agent_is_process(sb_agent_kind_of(casting->agent)) ? casting->agent : NULL;
    cJSON_ArrayForEach(item, casting->agents) {
        const char *agent = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "agent"));
        if (agent && sb_agent_is_process(sb_agent_kind_of(agent))) return agent;
    }
    return NULL;
}

/* Whether any option was given that belongs in a recipe. */
static bool says_anything(const sb_recipe *recipe) {
    const sb_recipe standard = sb_recipe_default();
    sb_out said = sb_out_growing(), usual = sb_out_growing();
    sb_recipe_print(recipe, &said), sb_recipe_print(&standard, &usual);
    const bool differs = !sb_request_is_empty(&recipe->selection) || !sb_composition_is_empty(&recipe->composition) ||
                         recipe->published_mask || said.size != usual.size ||
                         memcmp(said.data, usual.data, said.size) != 0;
    sb_out_free(&said), sb_out_free(&usual);
    return differs;
}

/* ---- Building ---- */

static bool dry_run(const sb_recipe *recipe, const cli_common *common, sb_error *error) {
    sb_dataset_estimate estimate;
    /* A sample is soon played, so no progress is shown. */
    cli_progress none = cli_progress_begin(true, "", "episodes");
    sb_out out = sb_out_growing();
    const bool ok = sb_build_estimate(recipe, common->jobs, cli_now, cli_note, &none, &estimate, error) &&
                    cli_put_estimate(&estimate, recipe->selection.catalogue, common->json, &out, error);
    if (ok) cli_emit(&out, cli_data_if(common->json));
    if (!ok) sb_out_free(&out);
    return ok;
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

/* What the callbacks of a build need. */
typedef struct building {
    cli_progress progress;
    cli_interruption interruption;
    bool watches, counts; /* counts: a program's episodes, of which some may have been played before */
} building;

static void count(void *context, size_t done, size_t total) {
    building *b = context;
    atomic_store(&b->interruption.done, done);
    atomic_store(&b->interruption.total, total);
    if (b->counts || done < b->progress.before) b->progress.before = b->counts && done ? done - 1 : 0;
    b->counts = false;
    cli_progress_show(&b->progress, done, total);
}

static void started(void *context) {
    building *b = context;
    if (!b->watches) cli_interruption_begin(&b->interruption, 0);
    b->watches = true;
}

/* Says what is left before the work begins: to those who asked for quiet only if nothing is left of some task. */
static void tell_left(void *context, const sb_left *left) {
    building *b = context;
    char text[2048];
    sb_out out = sb_out_fixed(text, sizeof text);
    if (!left->n_exhausted && (!left->guarded || !b->progress.shown)) return;
    sb_left_put(left, &out);
    sb_out_finish(&out);
    cli_note(&b->progress, text);
}

static void tell(void *context, const char *text) { cli_note(&((building *)context)->progress, text); }

static void end(building *b) {
    cli_progress_end(&b->progress);
    if (!b->watches) return;
    cli_interruption_end(&b->interruption);
}

static bool build(const build_options *o, const sb_recipe *recipe, sb_error *error) {
    sb_manifest made = {0};
    sb_part part = {0};
    sb_agent_options program = o->program;
    building b = {.progress = cli_progress_begin(o->common.quiet, "built", "episodes"),
                  .interruption.advice = "finished shards are kept, and the same command with --resume goes on"};
    program.spec = program_of(&recipe->casting);
    program.plugins = cli_has_plugins();
    char *const texts = recipe->instructions ? cJSON_PrintUnformatted(recipe->instructions) : NULL;
    program.instructions = texts;
    if (program.spec) b.interruption.advice = "the tapes are kept, and the same command with --resume goes on";
    program.log_bytes = o->log_mib << 20, b.counts = program.spec != NULL;
    program.note = tell, program.note_context = &b;
    sb_build work = {.recipe = recipe,
                     .program = program.spec ? &program : NULL,
                     .attempts = o->attempts,
                     .folder = o->output,
                     .jobs = o->common.jobs,
                     .overwrite = o->force,
                     .resume = o->resume,
                     .progress = count,
                     .started = started,
                     .left = tell_left,
                     .note = tell,
                     .context = &b};
    bool ok = !recipe->instructions || texts || sb_fail(error, SB_MEMORY, "out of memory for instructions");
    ok = ok && (!o->shard || sb_part_parse(o->shard, &part, error));
    work.part = part;
    ok = ok && sb_build_run(&work, &made, error);
    end(&b);
    cJSON_free(texts);
    if (ok && part.of) print_part(&part, o->output, &o->common);
    if (ok && !part.of) cli_print_made(&made, o->output, &o->common);
    ok = ok && (part.of || sb_manifest_check_rows(&made, o->output, error));
    sb_manifest_free(&made);
    return ok;
}

/* ---- Extending ---- */

/* Fails if the recipe says anything but which episodes are added, unless it says what the dataset's own recipe says. */
static bool check_rest(const sb_recipe *added, const char *folder, sb_error *error) {
    sb_manifest there = {0};
    const sb_recipe standard = sb_recipe_default();
    sb_recipe rest = *added;
    rest.selection = (sb_request){.catalogue = added->selection.catalogue};
    rest.composition = (sb_composition){0};
    bool ok = sb_recipe_same(&rest, &standard);
    if (!ok && sb_manifest_load(added->selection.catalogue, folder, &there, error)) {
        sb_recipe old = there.recipe;
        old.selection = (sb_request){.catalogue = added->selection.catalogue};
        old.composition = (sb_composition){0};
        old.n_splits = old.n_extensions = 0;
        if (!rest.defaults) rest.defaults = old.defaults;
        if (!rest.filter.failures) rest.filter.failures = old.filter.failures;
        if (!rest.filter.unreadable) rest.filter.unreadable = old.filter.unreadable;
        ok = sb_recipe_same(&rest, &old) ||
             sb_fail(error, SB_INVALID,
                     "--extend adds episodes to a dataset and changes nothing else: agents, formats, filters and so on "
                     "are those of %s",
                     folder);
    }
    sb_manifest_free(&there);
    return ok;
}

/* Without an amount, all of the published list would be added: few want thousands of episodes more by default. */
static bool check_amount(const sb_recipe *added, sb_error *error) {
    const sb_request *asked = &added->selection;
    const sb_composition *c = &added->composition;
    return asked->count || asked->counts || asked->seeds || asked->n_names || sb_has_budget(c) ||
           sb_fail(error, SB_INVALID, "say how much --extend adds: --episodes N, --rows N, -n N or --seeds LIST");
}

static bool extend(const build_options *o, const sb_recipe *recipe, sb_error *error) {
    sb_manifest made = {0};
    size_t unchanged = 0;
    building b = {.progress = cli_progress_begin(o->common.quiet, "built", "episodes"),
                  .interruption.advice = "finished shards are kept, and the same command with --resume goes on"};
    const sb_extend what = {.recipe = recipe,
                            .split = o->into,
                            .folder = o->output,
                            .jobs = o->common.jobs,
                            .resume = o->resume,
                            .overwrite = o->force,
                            .progress = count,
                            .left = tell_left,
                            .note = tell,
                            .context = &b};
    bool ok = check_amount(recipe, error) && check_rest(recipe, o->output, error);
    if (ok) started(&b);
    ok = ok && sb_extend_run(&what, &made, &unchanged, error);
    end(&b);
    if (ok) cli_print_made(&made, o->output, &o->common);
    if (ok && unchanged && !o->common.quiet && !o->common.json)
        cli_say("%zu files that were there are unchanged: their SHA-256 was compared before and after\n", unchanged);
    sb_manifest_free(&made);
    return ok;
}

static bool looks_like_a_file(const char *argument) {
    return !strchr(argument, '#') && (sb_ends_with(argument, ".json") || sb_file_exists(argument));
}

/* Builds or estimates, by the recipe file or by the options. */
static bool make(build_options *o, sb_error *error) {
    sb_recipe loaded = {0};
    bool ok = !o->file || sb_recipe_load(o->common.catalogue, o->file, &loaded, error);
    sb_recipe *chosen = o->file ? &loaded : &o->recipe;
    chosen->tokenizer_source = o->tokenizer, chosen->tokenizer_source.now = cli_now;
    ok = ok && (o->dry_run  ? dry_run(chosen, &o->common, error)
                : o->extend ? extend(o, chosen, error)
                            : build(o, chosen, error));
    sb_recipe_free(&loaded);
    return ok;
}

/* Says what is wrong with the combination of options; NULL: nothing. */
static const char *contradiction(const build_options *o) {
    if ((cli_limits_programs(&o->program, o->log_mib) || o->attempts) && !program_of(&o->recipe.casting))
        return "--attempts, --reply-seconds, --start-seconds, --agent-steps, --fresh, --salt, --agent-log and "
               "--agent-log-mib are for programs, exec:COMMAND or plugin:FILE";
    if ((o->tokenizer.file || o->tokenizer.python) && !o->file && !o->extend && !o->dry_run &&
        !o->recipe.composition.budget[SB_TOKENS])
        return "--tokenizer and --python are for --tokens N, a recipe with that budget, --extend and --dry-run";
    return NULL;
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    build_options *o = given;
    if (!o->output && !o->dry_run) return cli_usage(self, "say where the dataset goes with -o DIR");
    if (o->dry_run && o->shard)
        return cli_usage(self, "--dry-run estimates the whole dataset, not a part: leave out --shard");
    if (o->extend && (o->dry_run || o->shard))
        return cli_usage(self, "--extend adds to a whole dataset: leave out --dry-run and --shard");
    if (o->into && !o->extend) return cli_usage(self, "--into names the split for --extend");
    if (o->force && o->resume) return cli_usage(self, CLI_RESUME_OR_FORCE);
    if (!o->file && n == 1 && looks_like_a_file(names[0])) o->file = names[0], n = 0;
    sb_error error;
    cJSON *formats = NULL, *agents = NULL, *composition = NULL, *texts = NULL, *names_apart = NULL;
    o->recipe.filter.failures = keeping_of(o->failures), o->recipe.filter.unreadable = keeping_of(o->unreadable);
    bool ok = read_formats(&o->recipe, &formats, &error) && read_agents(&o->recipe, &agents, &error) &&
              read_composition(o, &composition, &error) && read_instructions(o, &texts, &error) &&
              read_rows(o, &names_apart, &error);
    const char *wrong = ok ? contradiction(o) : NULL;
    if (ok && o->file && (n || says_anything(&o->recipe)))
        wrong = "a recipe says everything itself: give either a recipe or options";
    if (wrong) {
        cJSON_Delete(formats), cJSON_Delete(agents), cJSON_Delete(composition), cJSON_Delete(texts),
            cJSON_Delete(names_apart);
        return cli_usage(self, wrong);
    }
    cli_expect_programs();
    sb_request *selection = &o->recipe.selection;
    selection->catalogue = o->common.catalogue, selection->names = names, selection->n_names = n;
    ok = ok && make(o, &error);
    cJSON_Delete(formats), cJSON_Delete(agents), cJSON_Delete(composition), cJSON_Delete(texts),
        cJSON_Delete(names_apart);
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_build = {
    .name = "build",
    .group = CLI_TO_MAKE,
    .summary = "build a dataset: solve episodes, keep the tapes, render rows",
    .usage = "-o DIR [RECIPE.json | selection | NAME...] [options]",
    .help =
        "Lets an agent play every selected episode and writes the rows, the tapes from which they are rendered, and a\n"
        "manifest. The same recipe gives the same bytes, whatever the number of workers, interruptions and parts.\n\n"
        "  seedbed build --split train --count 100 -o dataset\n"
        "  seedbed build --tasks KeyDoorPuzzle -d easy,medium --modes ascii,state --reward dense -o keys\n"
        "  seedbed build recipe.json --resume -o dataset\n"
        "  seedbed build --extend --episodes 5000 -o dataset\n\n"
        "`seedbed verify DIR` checks it, `render` adds formats (docs/datasets.md). Exit code 1 if no episode has rows.",
    .more =
        "  seedbed build recipe.json --dry-run\n"
        "  seedbed build --split train --episodes 120000 --order shuffled -o large\n"
        "  seedbed build --agent 'exec:python3 policy.py' --split train -n 20 --labels observer -o round1\n\n"
        "A program plays first; its tapes are kept, also when it is interrupted, and the dataset is built from them\n"
        "(docs/data-that-teaches.md). Recipes start no programs. In Python: gzip + json, or\n"
        "datasets.load_dataset(\"json\", data_files=\"DIR/steps-*.jsonl.gz\")",
    .makes_formats = true,
    CLI_OPTIONS(build_options, options),
    .defaults = &(
        const build_options){.recipe = SB_RECIPE_DEFAULT, .program = {CLI_PROGRAM_DEFAULTS}, .log_mib = CLI_LOG_MIB},
    CLI_ARGUMENTS(CLI_EPISODE_OR_FILE, 0, CLI_MANY, NULL),
    .run = run,
};
