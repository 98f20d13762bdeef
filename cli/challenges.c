/* seedbed challenges: derives packs of challenges from programs in Autumn. */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/interruption.h"
#include "generators/autumn/challenges/pack.h"

typedef struct challenges_options {
    cli_common common;
    const char *kinds, *levels, *tasks, *output, *apart_from;
    uint64_t count, seed;
    bool one;
} challenges_options;

static const cli_option options[] = {
    {"output", 'o', "PACK.jsonl", "write the challenges here, and the answers to PACK.answers.jsonl",
     CLI_TEXT(challenges_options, output, CLI_OUTPUT)},
    {"kinds", 'k', "A,B", "mfp, planning, change (default: all three)", CLI_TEXT(challenges_options, kinds, CLI_LIST),
     CLI_WORDS("mfp", "planning", "change")},
    {"levels", 'l', "A..B", "levels, 1 to 4 (default 1..4)", CLI_TEXT(challenges_options, levels, CLI_LIST),
     CLI_WORDS("1..4", "1..3", "1", "2", "3", "4")},
    {"count", 'n', "N", "seeds for each program, kind and level (default 1)", CLI_NUMBER(challenges_options, count),
     CLI_RANGE(1, SB_AUTUMN_PACK_SEEDS)},
    {"seed", 's', "N", "the first seed (default 1)", CLI_NUMBER(challenges_options, seed)},
    {"one", 0, NULL, "one for each program and kind: the first that can be derived, of level 2, 3, 1, 4",
     CLI_FLAG(challenges_options, one)},
    {"apart-from", 0, "PACK", "leave out challenges that this pack has under the same name, or that ask the same",
     CLI_TEXT(challenges_options, apart_from, CLI_FILE)},
    {"tasks", 't', "A,B", "only these programs (default: all, with those of --program)",
     CLI_TEXT(challenges_options, tasks, CLI_TASKS)},
};

/* Adds all programs that were given with --program. */
static bool add_brought(const challenges_options *o, sb_autumn_pack_plan *plan, sb_error *error) {
    const sb_program *program;
    for (size_t i = 0; (program = sb_program_at(o->common.catalogue, i)); i++)
        if (!sb_autumn_pack_read_programs(program->task->name, o->common.catalogue, plan, error)) return false;
    return true;
}

static bool read_plan(const challenges_options *o, sb_autumn_pack_plan *plan, sb_error *error) {
    *plan = (sb_autumn_pack_plan){.first_seed = o->seed, .seeds = o->count, .one = o->one};
    if (!o->tasks) memset(plan->programs, true, sizeof plan->programs);
    if (!o->tasks && !add_brought(o, plan, error)) return false;
    return sb_autumn_pack_read_kinds(o->kinds, plan, error) && sb_autumn_pack_read_levels(o->levels, plan, error) &&
           (!o->tasks || sb_autumn_pack_read_programs(o->tasks, o->common.catalogue, plan, error)) &&
           sb_autumn_pack_has_programs(plan, o->common.catalogue, error);
}

static void put_heading(sb_out *out, int kind, int level, bool one) {
    sb_puts(out, sb_autumn_challenge_names[kind]);
    if (!one) sb_putf(out, "-%d", level + 1);
}

/* Prints how many challenges were derived: a row for each kind, a column for each level. */
static void print_counts(const sb_autumn_pack_counts *counts, bool one, const cli_common *common) {
    sb_out out = sb_out_growing();
    if (common->json) sb_puts(&out, "{");
    for (int k = 0; k < SB_AUTUMN_N_CHALLENGES; k++)
        for (int l = 0; l < SB_AUTUMN_LEVELS; l++) {
            const uint32_t derived = counts->derived[k][l], asked = counts->asked[k][l], left = counts->left_out[k][l];
            if (!asked) continue;
            if (common->json) {
                char key[32];
                sb_out name = sb_out_fixed(key, sizeof key);
                put_heading(&name, k, l, one);
                sb_out_finish(&name);
                sb_put_key(&out, key);
                sb_putf(&out, "{\"derived\": %u, \"asked\": %u, \"left_out\": %u}", derived, asked, left);
            } else {
                put_heading(&out, k, l, one);
                sb_putf(&out, ": %u of %u derived", derived, asked);
                if (left) sb_putf(&out, ", %u left out to keep the packs apart", left);
                sb_puts(&out, "\n");
            }
        }
    if (common->json) sb_puts(&out, "}\n");
    if (common->quiet && !common->json) sb_out_clear(&out);
    cli_emit(&out, cli_data_if(common->json));
}

/* Reads the pack that is kept apart, if there is one, and notes it in the plan. */
static bool read_apart(const challenges_options *o, sb_autumn_apart *apart, sb_autumn_pack_plan *plan,
                       sb_error *error) {
    if (!o->apart_from) return true;
    if (!sb_autumn_pack_keep_apart(o->apart_from, apart, error)) return false;
    memcpy(plan->apart_from, apart->sha256, sizeof plan->apart_from);
    return true;
}

typedef struct deriving {
    cli_progress progress;
    cli_interruption interruption;
} deriving;

static void show(void *context, size_t done, size_t total) {
    deriving *d = context;
    cli_progress_show(&d->progress, done, total);
    atomic_store(&d->interruption.done, done);
    atomic_store(&d->interruption.total, total);
}

static void note(void *context, const char *text) { cli_note(&((deriving *)context)->progress, text); }

static bool derive(const challenges_options *o, sb_autumn_pack_plan *plan, sb_autumn_pack_counts *counts,
                   sb_error *error) {
    sb_autumn_apart apart = {0};
    bool ok = read_apart(o, &apart, plan, error);
    deriving d = {.progress = cli_progress_begin(o->common.quiet, "derived", "challenges"),
                  .interruption = {.things = "challenges", .advice = CLI_KEEPS_WRITTEN}};
    const sb_autumn_packing how = {.path = o->output,
                                   .apart = o->apart_from ? &apart : NULL,
                                   .catalogue = o->common.catalogue,
                                   .jobs = o->common.jobs,
                                   .progress = show,
                                   .note = note,
                                   .context = &d};
    if (ok) cli_interruption_begin(&d.interruption, 0);
    ok = ok && sb_autumn_pack_derive(plan, &how, counts, error);
    cli_interruption_end(&d.interruption);
    cli_progress_end(&d.progress);
    sb_autumn_apart_free(&apart);
    return ok;
}

static int run(const cli_command *self, void *given, const char *const *arguments, size_t n) {
    const challenges_options *o = given;
    sb_autumn_pack_plan plan;
    sb_autumn_pack_counts counts;
    sb_error error;
    (void)arguments, (void)n;
    if (!o->output || cli_is_dash(o->output)) return cli_usage(self, "-o wants a file for the challenges");
    if (!read_plan(o, &plan, &error)) return cli_usage(self, error.text);
    if (!derive(o, &plan, &counts, &error)) return cli_fail(&error);
    print_counts(&counts, o->one, &o->common);
    return CLI_OK;
}

const cli_command cli_challenges = {
    .name = "challenges",
    .group = CLI_TO_MAKE,
    .summary = "derive challenges with certificates from programs in Autumn",
    .usage = "-o PACK.jsonl [--kinds A,B] [--levels A..B] [--count N] [--seed N] [--one] "
             "[--apart-from PACK]",
    .help =
        "Derives masked frame predictions, planning tasks and change detections from the programs, without a person\n"
        "choosing. Each has a certificate, which `seedbed verify PACK.jsonl` replays. The answers stand in a file of\n"
        "their own, PACK.answers.jsonl, which also says what could not be derived and why.\n\n"
        "  seedbed challenges -o pack.jsonl --kinds mfp,planning --levels 1..3 --count 5\n"
        "  seedbed challenges -o seesaw.jsonl --tasks Seesaw,Basket && seedbed verify seesaw.jsonl\n"
        "  seedbed challenges -o train.jsonl --seed 1001 --count 20 --apart-from seeds/autumn.jsonl.gz\n\n"
        "The seeds 1 to 5 are those of the pack that comes with Seedbed. Challenges to train with have other seeds,\n"
        "and with --apart-from PACK none that asks what a challenge of that pack asks; the answers say which were\n"
        "left out.\n\n"
        "An interrupted call leaves PACK.jsonl.part, and the same call goes on from there. The same options give the\n"
        "same bytes for any number of --jobs.",
    CLI_OPTIONS(challenges_options, options),
    .defaults = &(const challenges_options){.kinds = "mfp,planning,change", .levels = "1..4", .count = 1, .seed = 1},
    CLI_ARGUMENTS(CLI_NOTHING, 0, 0, "this command takes options only"),
    .run = run,
};
