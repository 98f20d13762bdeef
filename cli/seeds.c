/* seedbed seeds: derives and compares seed packs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/task_page.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "evaluation/atlas/packs.h"
#include "evaluation/certificates/certify.h"
#include "evaluation/certificates/choose.h"
#include "rollout/games.h"
#include "rollout/packs.h"
#include "seeds/pack.h"

/* ---- Pairs with few games ---- */

/* Seed lists whose episodes cannot all be different games, as far as docs/measured/games.json says. */

enum { NAMED = 8 };

/* Whether two of the list's episodes are probably the same game. */
static bool has_few(const cli_known_games *known, const sb_pack *pack, const sb_seed_list *list, sb_games *games) {
    if (!cli_known_games_find(known, pack->family, list->task, list->difficulty, games)) return false;
    const double n = (double)list->n;
    return n * (n - 1) / 2 > sb_games_judge(games).effective.is / 2;
}

/* Prints a note that names the pack's lists with few games, if there are any, and how many games their tasks have. */
static bool note_few_games(const sb_pack *pack, sb_error *error) {
    cli_known_games known = {0};
    sb_games games;
    if (!cli_known_games_load(&known, error)) return false;
    size_t n = 0;
    sb_out out = sb_out_growing();
    for (size_t i = 0; i < pack->n_lists; i++) {
        const sb_seed_list *list = &pack->lists[i];
        if (!has_few(&known, pack, list, &games) || n++ >= NAMED) continue;
        sb_putf(&out, "%s%s has ", n > 1 ? ", " : "", sb_pair_text_of(list->task, list->difficulty).text);
        sb_games_put_number(&games, &out);
    }
    if (n > NAMED) sb_putf(&out, ", and %zu more", n - NAMED);
    if (n)
        cli_warn("seedbed: note: some of these episodes are the same game, because there are few: %.*s\n",
                 (int)out.size, out.data);
    sb_out_free(&out);
    cli_known_games_free(&known);
    return true;
}

/* Puts the pack's lists with few games as a member `few_games` of a JSON object: a list, empty if there are none. */
static bool put_json_few_games(const sb_pack *pack, sb_out *out, sb_error *error) {
    cli_known_games known = {0};
    sb_games games;
    if (!cli_known_games_load(&known, error)) return false;
    sb_put_key(out, "few_games");
    sb_puts(out, "[");
    for (size_t i = 0; i < pack->n_lists; i++) {
        const sb_seed_list *list = &pack->lists[i];
        if (!has_few(&known, pack, list, &games)) continue;
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "task", list->task);
        if (*list->difficulty) sb_member_text(out, "difficulty", list->difficulty);
        sb_member_uint(out, "seeds", list->n);
        sb_games_print(&games, out);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
    cli_known_games_free(&known);
    return true;
}

/* ---- How many games there are ---- */

enum { SB_GAMES_STARTS = 10000 /* starts of each task and difficulty that are counted if nothing else is said */ };

static void put_row(sb_out *out, const sb_selection *selection, size_t index, const sb_games *games) {
    char texts[2][64];
    sb_out number = sb_out_fixed(texts[0], sizeof texts[0]), effective = sb_out_fixed(texts[1], sizeof texts[1]);
    sb_name name;
    sb_selection_name(selection, index, &name);
    sb_games_put_number(games, &number), sb_games_put_effective(games, &effective);
    sb_out_finish(&number), sb_out_finish(&effective);
    sb_putf(out, "%-28s %8llu %9llu  %-32s %-30s %5.1f %%\n", sb_pair_text_of(name.task, name.difficulty).text,
            (unsigned long long)games->starts, (unsigned long long)games->different, texts[0], texts[1],
            sb_games_left(games));
}

static void put_json_row(sb_out *out, const sb_selection *selection, size_t index, const sb_games *games) {
    sb_name name;
    sb_selection_name(selection, index, &name);
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "family", name.family);
    sb_member_text(out, "task", name.task);
    if (*name.difficulty) sb_member_text(out, "difficulty", name.difficulty);
    sb_games_print(games, out);
    sb_puts(out, "}");
}

static bool count(const sb_selection *selection, const cli_common *common, sb_out *out, sb_error *error) {
    cli_progress progress = cli_progress_begin(common->quiet, "started", "episodes");
    const sb_games_counting how = {.jobs = common->jobs, .progress = cli_progress_show, .context = &progress};
    bool ok = true;
    for (size_t begin = 0, end; ok && begin < selection->n; begin = end) {
        sb_games games;
        for (end = begin + 1; end < selection->n;) {
            if (!sb_same_chosen_pair(&selection->episodes[begin], &selection->episodes[end])) break;
            end++;
        }
        ok = sb_games_count(selection, begin, end, &how, &games, error);
        if (ok) (common->json ? put_json_row : put_row)(out, selection, begin, &games);
    }
    cli_progress_end(&progress);
    return ok;
}

/* seedbed seeds games: counts how many different games the starts are, by task and difficulty; returns the exit code. A
 * request that says neither seeds nor a split is of SB_GAMES_STARTS fresh seeds of each task and difficulty. */
static int seed_games(const cli_common *common, const sb_request *request) {
    sb_request wanted = *request;
    sb_selection selection = {0};
    sb_out out = sb_out_growing();
    sb_error error;
    if (!wanted.seeds && !wanted.n_names && !wanted.split) {
        wanted.split = "games";
        if (!wanted.count) wanted.count = SB_GAMES_STARTS;
    }
    if (common->json)
        sb_puts(&out, "[");
    else
        sb_putf(&out, "%-28s %8s %9s  %-32s %-30s %7s\n", "task", "starts", "different", "games", "effective", "left");
    const bool ok = sb_select(&wanted, &selection, &error) && count(&selection, common, &out, &error);
    if (common->json) sb_puts(&out, "]\n");
    sb_selection_free(&selection);
    if (ok) return cli_emit(&out, cli_data_if(common->json));
    sb_out_free(&out);
    return cli_fail(&error);
}

typedef struct seeds_options {
    cli_common common;
    sb_request request;
    const char *output;
    bool published, digests, solvable, unique;
    uint64_t budget;
} seeds_options;

static const cli_option options[] = {
    {"output", 'o', "FILE", "write the pack here (default: standard output); FILE.gz is compressed",
     CLI_TEXT(seeds_options, output, CLI_OUTPUT)},
    {"digests", 0, NULL, "add a digest of each episode's start, so that others can check that theirs are the same",
     CLI_FLAG(seeds_options, digests)},
    {"published", 0, NULL, "all official evaluation lists, in the published export form",
     CLI_FLAG(seeds_options, published)},
    {"solvable", 0, NULL, "only episodes that can be won, by a certificate (see `seedbed certify`)",
     CLI_FLAG(seeds_options, solvable)},
    {"unique", 0, NULL, "only episodes that begin neither alike nor like an official evaluation episode",
     CLI_FLAG(seeds_options, unique)},
    {"budget", 0, "STATES", "for --solvable: states that a search may look at in an episode (default 1000000)",
     CLI_NUMBER(seeds_options, budget), CLI_RANGE(1, SB_CERTIFY_BUDGET_MAX)},
    CLI_SELECTION_OPTIONS(seeds_options, request)};

static size_t count_left_out(const sb_pack *pack) {
    size_t n = 0;
    for (size_t i = 0; i < pack->n_lists; i++) n += pack->lists[i].left_out;
    return n;
}

static void print_summary(const sb_pack *pack, const seeds_options *o) {
    const char *output = o->output;
    const size_t left_out = count_left_out(pack);
    cli_say("%s: %zu seeds in %zu lists, base %s, hash %.16s...", CLI_PLAIN(output), pack->n_seeds, pack->n_lists,
            CLI_PLAIN(pack->base), pack->hash);
    if (*pack->rules) cli_say(", digests under %s", pack->rules);
    if (left_out)
        cli_say(", %zu left out because %s", left_out,
                sb_pack_demands(pack)      ? "their episodes are not as demanded"
                : o->solvable || o->unique ? "their episodes cannot be won or are the same game as others"
                                           : "an official evaluation list has them or they repeat");
    cli_say("\n");
}

static bool print_json_summary(const sb_pack *pack, const seeds_options *o, sb_error *error) {
    sb_out out = sb_out_growing();
    sb_puts(&out, "{");
    sb_member_text(&out, "file", o->output);
    sb_member_text(&out, "family", pack->family);
    sb_member_text(&out, "base", pack->base);
    sb_member_uint(&out, "seeds", pack->n_seeds);
    sb_member_uint(&out, "lists", pack->n_lists);
    sb_member_uint(&out, "left_out", count_left_out(pack));
    sb_member_text(&out, "hash", pack->hash);
    const bool ok = put_json_few_games(pack, &out, error);
    sb_puts(&out, "}\n");
    if (ok)
        cli_emit(&out, CLI_DATA);
    else
        sb_out_free(&out);
    return ok;
}

static bool print(const sb_pack *pack, bool published, int *status, sb_error *error) {
    sb_out out = sb_out_growing();
    if (!published)
        sb_pack_put(pack, &out);
    else if (!sb_pack_print_published(pack, &out, error))
        return sb_out_free(&out), false;
    *status = cli_emit(&out, CLI_DATA);
    return true;
}

static bool add_digests(sb_pack *pack, const cli_common *common, sb_error *error) {
    cli_progress progress = cli_progress_begin(common->quiet, "started", "episodes");
    const sb_digesting how = {
        .catalogue = common->catalogue, .jobs = common->jobs, .progress = cli_progress_show, .context = &progress};
    const bool ok = sb_pack_make_digests(pack, &how, error);
    cli_progress_end(&progress);
    return ok;
}

static bool choose(sb_pack *pack, const seeds_options *o, sb_error *error) {
    cli_progress progress = cli_progress_begin(o->common.quiet, "chosen", "seeds");
    const sb_pack_choice choice = {.request = &o->request,
                                   .solvable = o->solvable,
                                   .unique = o->unique,
                                   .budget = o->budget ? o->budget : SB_CERTIFY_BUDGET,
                                   .jobs = o->common.jobs,
                                   .progress = cli_progress_show,
                                   .context = &progress};
    const bool ok = sb_pack_choose(pack, &choice, error);
    cli_progress_end(&progress);
    return ok;
}

static bool make_pack(sb_pack *pack, const seeds_options *o, sb_error *error) {
    if (o->published) return sb_pack_official(pack, error);
    if (sb_request_demands(&o->request)) return sb_pack_choose_demanded(pack, &o->request, error);
    if (o->solvable || o->unique) return choose(pack, o, error);
    return sb_pack_select(pack, &o->request, error);
}

static int derive_pack(const cli_command *self, const seeds_options *o) {
    int status = CLI_OK;
    sb_error error;
    sb_pack pack = {0};
    sb_file file = {0};
    const bool json = o->common.json, piped = cli_is_dash(o->output);
    if (o->published && (o->digests || o->solvable || o->unique || !sb_request_is_empty(&o->request)))
        return cli_usage(self, "--published is one fixed document and takes no selection, no choice and no digests");
    if (sb_request_demands(&o->request) && (o->solvable || o->unique))
        return cli_usage(self, "give either demands, or --solvable and --unique; where `steps` is known, a play wins");
    if (o->budget && !o->solvable) return cli_usage(self, "--budget is for --solvable");
    bool ok = cli_output_open(&file, o->output, &error) && make_pack(&pack, o, &error);
    if (ok && o->digests) ok = add_digests(&pack, &o->common, &error);
    if (ok && piped)
        ok = print(&pack, o->published, &status, &error);
    else if (ok)
        ok = (o->published ? sb_pack_write_published : sb_pack_write)(&pack, &file, &error);
    sb_file_discard(&file);
    if (ok && !piped && json) ok = print_json_summary(&pack, o, &error);
    if (ok && !piped && !json && !o->common.quiet) print_summary(&pack, o);
    const bool tells = !o->published && !o->unique && !o->common.quiet && (piped || !json);
    if (ok && tells && status == CLI_OK && fflush(stdout) == 0 && !ferror(stdout)) ok = note_few_games(&pack, &error);
    sb_pack_clear(&pack);
    return ok ? status : cli_fail(&error);
}

static void print_comparison(const sb_out *differences, bool equal, const cli_common *common,
                             const char *const paths[2]) {
    sb_out out = sb_out_growing();
    if (common->json) {
        sb_puts(&out, "{");
        sb_member_bool(&out, "equal", equal);
        sb_put_key(&out, "differences");
        sb_puts(&out, "[");
        for (const char *line = differences->data, *end; line && *line; line = end + 1) {
            end = strchr(line, '\n');
            sb_put_comma(&out);
            sb_puts(&out, "\"");
            out.json = true;
            sb_put(&out, line, (size_t)(end - line));
            out.json = false;
            sb_puts(&out, "\"");
        }
        sb_puts(&out, "]}\n");
    } else if (!common->quiet) {
        const char *one = CLI_PLAIN(paths[0]), *other = CLI_PLAIN(paths[1]);
        if (equal) sb_putf(&out, "%s and %s hold the same pack\n", one, other);
        if (!equal) sb_putf(&out, "%s | %s\n%s", one, other, differences->data);
    }
    cli_emit(&out, cli_data_if(common->json));
}

static int diff(const char *const paths[2], const cli_common *common) {
    sb_error error;
    sb_pack one = {0}, other = {0};
    sb_out differences = sb_out_growing();
    bool equal = false, ok = sb_pack_read_file(&one, paths[0], &error) && sb_pack_read_file(&other, paths[1], &error);
    if (ok) {
        equal = sb_pack_compare(&one, &other, &differences);
        sb_putc(&differences, '\0');
        ok = sb_out_ok(&differences) || sb_fail(&error, SB_MEMORY, "out of memory for the differences");
    }
    if (ok) print_comparison(&differences, equal, common, paths);
    sb_out_free(&differences);
    sb_pack_clear(&one);
    sb_pack_clear(&other);
    if (!ok) return cli_fail(&error);
    return equal ? CLI_OK : CLI_FOUND;
}

static int run(const cli_command *self, void *given, const char *const *arguments, size_t n) {
    seeds_options *o = given;
    o->request.catalogue = o->common.catalogue;
    const bool makes_pack = o->published || o->digests || o->solvable || o->unique || o->budget ||
                            !cli_is_dash(o->output);
    if (n == 0) return derive_pack(self, o);
    if (strcmp(arguments[0], "games") == 0) {
        if (n > 1 || makes_pack) return cli_usage(self, "games wants a selection and nothing else");
        return seed_games(&o->common, &o->request);
    }
    if (strcmp(arguments[0], "diff") != 0) return cli_usage(self, self->arguments.wanted);
    if (n != 3 || makes_pack || !sb_request_is_empty(&o->request))
        return cli_usage(self, "diff wants two packs and nothing else");
    return diff(arguments + 1, &o->common);
}

const cli_command cli_seeds = {
    .name = "seeds",
    .group = CLI_TO_MAKE,
    .summary = "derive seed packs, official or your own, and compare them",
    .usage = "[selection] [--solvable] [--unique] [--digests] [-o FILE] | --published [-o FILE]\n"
             "       seedbed seeds games [selection] [--json]\n       seedbed seeds diff A B [--json]",
    .help = "Writes a seed pack: a JSON document with a list of seeds per task and difficulty, a hash per list and a\n"
            "hash of the whole. Seeds come from SHA-256 of task, difficulty and base.\n\n"
            "  seedbed seeds --split eval -o eval.json             the official evaluation seeds\n"
            "  seedbed seeds --split train --tasks GoToGoal        2000 official training seeds each\n"
            "  seedbed seeds --split my-study --count 500          your own, disjoint from all evaluation seeds\n"
            "  seedbed seeds --split my-study --count 50 --solvable --unique -o mine.json\n"
            "                                                      episodes that can be won, no two alike\n"
            "  seedbed seeds --published -o eval_seeds.json        the published export, byte for byte\n"
            "  seedbed seeds --split eval --digests -o eval.json.gz\n"
            "                                                      with the digest of each episode at its start\n"
            "  seedbed seeds diff eval.json theirs.json            in which lists, seeds and episodes they differ\n"
            "  seedbed seeds games --tasks TileSorting -n 20000    how many games there are, and how large a\n"
            "                                                      part is no evaluation episode\n\n"
            "`seedbed verify FILE` checks any of them; of a pack with digests it starts every episode and compares.\n"
            "Exit code 1 if two packs differ.",
    CLI_OPTIONS(seeds_options, options),
    .defaults = &(const seeds_options){.output = "-"},
    CLI_ARGUMENTS(CLI_FILE, 0, CLI_MANY, "say nothing, games, or diff A B (to check a pack: seedbed verify FILE)"),
    .arguments.words = (const char *const[]){"diff", "games", NULL},
    .run = run,
};
