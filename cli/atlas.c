/* seedbed atlas: measures what episodes demand. */
#include "evaluation/atlas/atlas.h"

#include <math.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/interruption.h"
#include "evaluation/selected.h"

typedef struct atlas_options {
    cli_common common;
    sb_request request;
    const char *output, *shard;
    const char *where; /* what rows must demand to be shown as they come, instead of a selection by it */
    uint64_t first;
    bool measures, names;
} atlas_options;

static const cli_option options[] = {
    {"output", 'o', "FILE.jsonl.gz", "write the atlas here; the same call resumes after an interruption",
     CLI_TEXT(atlas_options, output, CLI_OUTPUT)},
    {"pack", 0, "FILE", "all episodes of a pack of seeds or challenges",
     CLI_TEXT(atlas_options, common.pack, CLI_FILE)},
    {"shard", 0, "I/N", "measure part I of N (from 1); `seedbed merge` joins the files",
     CLI_TEXT(atlas_options, shard, CLI_ANYTHING)},
    {"first", 0, "N", "with --where: stop after N such episodes", CLI_NUMBER(atlas_options, first),
     CLI_RANGE(1, SB_SELECTION_MAX)},
    {"names", 0, NULL, "print names only, for other commands", CLI_FLAG(atlas_options, names)},
    {"measures", 0, NULL, "list the measures and what they mean", CLI_FLAG(atlas_options, measures)},
    CLI_SELECTION_OPTIONS(atlas_options, request)};

typedef struct telling {
    const atlas_options *options;
    cli_progress *progress;
    sb_out out;
    const sb_demand *demand;     /* NULL: none; while episodes are measured */
    size_t done, total, fitting; /* episodes measured, episodes in all, episodes as demanded */
    cli_interruption interruption;
} telling;

static void put_name(const sb_atlas_row *row, sb_out *out) {
    char name[SB_NAME_MAX];
    sb_name_print(&row->name, name, sizeof name);
    sb_putf(out, "%s\n", name);
}

/* The values of a row, or why there are none. */
static void put_row(const sb_atlas_row *row, sb_out *out) {
    put_name(row, out);
    for (int i = 0; i < SB_N_MEASURES; i++) {
        if (row->missing[i] == SB_LACKS_QUESTION) continue;
        if (!isnan(row->values[i]))
            sb_putf(out, "  %-12s %-10.6g %s\n", sb_atlas_measures[i].name, row->values[i], sb_atlas_measures[i].unit);
        else
            sb_putf(out, "  %-12s %-10s %s\n", sb_atlas_measures[i].name, "-", sb_lack_words[row->missing[i]]);
    }
}

static bool take(void *context, const sb_atlas_row *row, sb_error *error) {
    telling *t = context;
    const atlas_options *o = t->options;
    const bool fits = (!t->demand || sb_demand_holds(t->demand, row)) && !(o->first && t->fitting == o->first);
    const bool shown = fits && !o->output, json = o->common.json;
    t->fitting += fits;
    sb_out_clear(&t->out);
    if (shown) (o->names ? put_name : json ? sb_atlas_row_print : put_row)(row, &t->out);
    if (!sb_out_ok(&t->out)) return sb_fail(error, SB_MEMORY, "out of memory for a line of an atlas");
    cli_progress_end(t->progress);
    if (shown) cli_print(&t->out, cli_data_if(json || o->names));
    cli_progress_show(t->progress, ++t->done, t->total);
    atomic_store(&t->interruption.done, t->done);
    return true;
}

static void note(void *context, const char *text) { cli_note(((telling *)context)->progress, text); }

static int list_measures(bool json) {
    sb_out out = sb_out_growing();
    for (int i = 0; i < SB_N_MEASURES; i++) {
        const sb_atlas_measure_info *m = &sb_atlas_measures[i];
        if (!json) {
            sb_putf(&out, "%-12s %-7s %s\n", m->name, m->unit, m->summary);
            continue;
        }
        sb_puts(&out, "{");
        sb_member_text(&out, "name", m->name);
        sb_member_text(&out, "unit", m->unit);
        sb_member_text(&out, "summary", m->summary);
        sb_puts(&out, "}\n");
    }
    return cli_emit(&out, cli_data_if(json));
}

/* Selects the episodes; `selected` says from what. */
static bool choose(atlas_options *o, sb_selection *selection, sb_out *selected, sb_error *error) {
    if (!o->common.pack) {
        if (!sb_select(&o->request, selection, error)) return false;
        sb_selected_print_request(&o->request, selection, &(sb_eval_budget){0}, selected);
        return true;
    }
    if (!sb_request_is_empty(&o->request))
        return sb_fail(error, SB_INVALID, "give either --pack or a selection by names, tasks and seeds");
    return sb_select_pack_file(o->common.catalogue, o->common.pack, selection, selected, error);
}

/* Says how many episodes were as demanded; returns CLI_FOUND if none was. After enough others may be so, too. */
static int tell_fitting(const telling *t) {
    const atlas_options *o = t->options;
    const bool is_said = !o->common.quiet && !o->common.json && !o->names;
    if (is_said && o->first && t->fitting == o->first)
        cli_say("the first %zu that are so, as asked (%zu of %zu episodes measured): %s\n", t->fitting, t->done,
                t->total, CLI_PLAIN(o->where));
    else if (is_said)
        cli_say("%zu of %zu episodes are so: %s\n", t->fitting, t->done, CLI_PLAIN(o->where));
    else if (!t->fitting && o->names)
        cli_warn("seedbed: none of %zu episodes is so: %s\n", t->done, CLI_PLAIN(o->where));
    return t->fitting ? CLI_OK : CLI_FOUND;
}

static int tell_made(const telling *t) {
    const atlas_options *o = t->options;
    sb_out out = sb_out_growing();
    if (o->where) return tell_fitting(t);
    if (!o->output || (o->common.quiet && !o->common.json)) return CLI_OK;
    if (o->common.json) {
        sb_puts(&out, "{");
        sb_member_text(&out, "atlas", o->output);
        sb_member_uint(&out, "episodes", t->total);
        sb_puts(&out, "}\n");
    } else {
        sb_putf(&out, "%s: %zu episodes\n", CLI_PLAIN(o->output), t->total);
    }
    return cli_emit(&out, cli_data_if(o->common.json));
}

/* Measures the episodes, with --first in portions, until there are enough. */
static bool measure(const sb_atlas_making *what, telling *t, sb_error *error) {
    enum { PORTION = 256 };
    const size_t first = t->options->first, n = what->selection->n;
    if (!first) return sb_atlas_draw_up(what, error);
    for (size_t at = 0; at < n && t->fitting < first; at += PORTION) {
        const sb_selection some = {.catalogue = what->selection->catalogue,
                                   .episodes = what->selection->episodes + at,
                                   .n = n - at < PORTION ? n - at : PORTION};
        sb_atlas_making portion = *what;
        portion.selection = &some;
        if (!sb_atlas_draw_up(&portion, error)) return false;
    }
    return true;
}

static bool make(atlas_options *o, telling *t, sb_error *error) {
    sb_selection selection = {0};
    sb_out selected = sb_out_growing();
    sb_atlas_book known = {0};
    sb_demand *demand = NULL;
    sb_atlas_making what = {.selection = &selection,
                            .selected = &selected,
                            .jobs = o->common.jobs,
                            .path = o->output,
                            .known = &known,
                            .take = take,
                            .note = note,
                            .context = t};
    bool ok = !o->where || (demand = sb_demand_make(o->where, error));
    ok = ok && (!o->shard || sb_part_parse(o->shard, &what.part, error)) && choose(o, &selection, &selected, error) &&
         (!o->common.atlas || sb_atlas_book_load(&known, o->common.catalogue, o->common.atlas, error));
    t->demand = what.demand = demand;
    t->total = sb_atlas_part_size(selection.n, what.part);
    if (ok && o->output) cli_interruption_begin(&t->interruption, t->total);
    ok = ok && measure(&what, t, error);
    cli_interruption_end(&t->interruption);
    sb_selection_free(&selection);
    sb_out_free(&selected);
    sb_atlas_book_free(&known);
    sb_demand_free(demand);
    t->demand = NULL;
    return ok;
}

/* Returns which options do not go together; NULL: all do. */
static const char *find_clash(const atlas_options *o) {
    if (cli_is_dash(o->output)) return "-o wants a file, so that an interrupted call can resume; --json prints rows";
    if (o->output && (o->first || o->names)) return "a file holds the whole selection: not with --first and --names";
    if (o->first && !o->where) return "--first wants --where, without -o, --count and --spread";
    if (o->first && o->shard) return "--first counts in the whole selection: not with --shard";
    if (o->names && o->common.json) return "give either --names or --json";
    return NULL;
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    atlas_options *o = given;
    const sb_request *r = &o->request;
    if (!o->output && !r->count && !r->spread) o->where = r->where, o->request.where = NULL;
    const char *clash = find_clash(o);
    if (o->measures) return list_measures(o->common.json);
    if (clash) return cli_usage(self, clash);
    sb_error error;
    o->request.catalogue = o->common.catalogue, o->request.names = names, o->request.n_names = n;
    cli_progress progress = cli_progress_begin(o->common.quiet, "measured", "episodes");
    telling t = {
        .options = o, .progress = &progress, .out = sb_out_growing(), .interruption.advice = CLI_KEEPS_WRITTEN};
    const bool ok = make(o, &t, &error);
    cli_progress_end(&progress);
    sb_out_free(&t.out);
    return ok ? tell_made(&t) : cli_fail(&error);
}

const cli_command cli_atlas = {
    .name = "atlas",
    .group = CLI_TO_PROVE,
    .summary = "measure what episodes demand: steps, luck, traps, what is hidden",
    .usage = "[NAME... | selection | --pack FILE] [-o FILE.jsonl.gz | --where TEXT [--names]]",
    .help =
        "Measures every episode: how long its shortest known play is and what is proven of it, how often random "
        "play\n"
        "wins, how many states a plain search sees, how many actions matter, and more (--measures; docs/atlas.md).\n"
        "The numbers follow from the name of the episode alone.\n\n"
        "  seedbed atlas KeyDoorPuzzle-v0/hard#42\n"
        "  seedbed atlas --tasks SokobanPush --seeds 0..99 -o sokoban.jsonl.gz && seedbed verify sokoban.jsonl.gz\n"
        "  seedbed atlas --pack eval.json --shard 1/4 -o part1.jsonl.gz\n"
        "  seedbed atlas --tasks KeyDoorPuzzle --split train --where \"steps >= 20 and random < 0.05\" --first 9 "
        "--names\n"
        "  seedbed atlas --tasks SokobanPush --where \"traps > 0.2\" --names | seedbed eval --names-from - -a "
        "observer\n\n"
        "The file appears when it is complete. An interrupted call leaves FILE.part, and the same call resumes "
        "from it.",
    CLI_OPTIONS(atlas_options, options),
    CLI_ARGUMENTS(CLI_EPISODE, 0, CLI_MANY, NULL),
    .run = run,
};
