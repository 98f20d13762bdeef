/* seedbed atlas: measures what episodes demand. */
#include "evaluation/atlas/atlas.h"

#include <math.h>

#include "base/error.h"
#include "cli/command.h"
#include "evaluation/selected.h"

typedef struct atlas_options {
    cli_common common;
    sb_request request;
    const char *output, *pack, *shard;
    bool measures;
} atlas_options;

static const cli_option options[] = {
    {"output", 'o', "FILE.jsonl.gz", "write the atlas here; the same call resumes after an interruption",
     CLI_TEXT(atlas_options, output, CLI_FILE)},
    {"pack", 0, "FILE", "all episodes of a pack of seeds or challenges", CLI_TEXT(atlas_options, pack, CLI_FILE)},
    {"shard", 0, "I/N", "measure part I of N (from 1); `seedbed merge` joins the files",
     CLI_TEXT(atlas_options, shard, CLI_ANYTHING)},
    {"measures", 0, NULL, "list the measures and what they mean", CLI_FLAG(atlas_options, measures)},
    CLI_SELECTION_OPTIONS(atlas_options, request)};

typedef struct telling {
    const atlas_options *options;
    cli_progress *progress;
    sb_out out;
    size_t done, total;
} telling;

/* The values of a row, and then which are missing, by reason. */
static void put_row(const sb_atlas_row *row, sb_out *out) {
    char name[SB_NAME_MAX];
    sb_name_print(&row->name, name, sizeof name);
    sb_putf(out, "%s\n", name);
    for (int i = 0; i < SB_N_MEASURES; i++) {
        if (!isnan(row->values[i]))
            sb_putf(out, "  %-12s %-10.6g %s\n", sb_atlas_measures[i].name, row->values[i], sb_atlas_measures[i].unit);
        else
            sb_putf(out, "  %-12s %-10s %s\n", sb_atlas_measures[i].name, "-", sb_lack_words[row->missing[i]]);
    }
}

static bool take(void *context, const sb_atlas_row *row, sb_error *error) {
    telling *t = context;
    const bool shown = !t->options->output, json = t->options->common.json;
    sb_out_clear(&t->out);
    if (shown) (json ? sb_atlas_row_print : put_row)(row, &t->out);
    if (!sb_out_ok(&t->out)) return sb_fail(error, SB_MEMORY, "out of memory");
    cli_progress_end(t->progress);
    if (shown) cli_print(&t->out, cli_data_if(json));
    cli_progress_show(t->progress, ++t->done, t->total);
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
    if (!o->pack) {
        sb_selected_print_request(&o->request, selected);
        return sb_select(&o->request, selection, error);
    }
    if (!sb_request_is_empty(&o->request))
        return sb_fail(error, SB_INVALID, "give either --pack or a selection by names, tasks and seeds");
    return sb_select_pack_file(o->common.catalogue, o->pack, selection, selected, error);
}

static int tell_made(const telling *t) {
    const atlas_options *o = t->options;
    sb_out out = sb_out_growing();
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

static bool make(atlas_options *o, telling *t, sb_error *error) {
    sb_selection selection = {0};
    sb_out selected = sb_out_growing();
    sb_atlas_making what = {.selection = &selection,
                            .selected = &selected,
                            .jobs = o->common.jobs,
                            .path = o->output,
                            .take = take,
                            .note = note,
                            .context = t};
    bool ok = (!o->shard || sb_part_parse(o->shard, &what.part, error)) && choose(o, &selection, &selected, error);
    t->total = sb_atlas_part_size(selection.n, what.part);
    ok = ok && sb_atlas_draw_up(&what, error);
    sb_selection_free(&selection);
    sb_out_free(&selected);
    return ok;
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    atlas_options *o = given;
    if (o->measures) return list_measures(o->common.json);
    if (cli_is_dash(o->output))
        return cli_usage(self, "-o wants a file, so that an interrupted call can resume; --json prints rows");
    sb_error error;
    o->request.catalogue = o->common.catalogue, o->request.names = names, o->request.n_names = n;
    cli_progress progress = cli_progress_begin(o->common.quiet, "measured", "episodes");
    telling t = {.options = o, .progress = &progress, .out = sb_out_growing()};
    const bool ok = make(o, &t, &error);
    cli_progress_end(&progress);
    sb_out_free(&t.out);
    return ok ? tell_made(&t) : cli_fail(&error);
}

const cli_command cli_atlas = {
    .name = "atlas",
    .group = CLI_TO_PROVE,
    .summary = "measure what episodes demand: steps, luck, traps, what is hidden",
    .usage = "[NAME... | selection | --pack FILE] [-o FILE.jsonl.gz]",
    .help =
        "Measures every episode: how long its shortest known play is and what is proven of it, how often random "
        "play\n"
        "wins, how many states a plain search sees, how many actions matter, and more (--measures; docs/atlas.md).\n"
        "The numbers follow from the name of the episode alone.\n\n"
        "  seedbed atlas KeyDoorPuzzle-v0/hard#42\n"
        "  seedbed atlas --tasks SokobanPush --seeds 0..99 -o sokoban.jsonl.gz && seedbed verify sokoban.jsonl.gz\n"
        "  seedbed atlas --pack eval.json --shard 1/4 -o part1.jsonl.gz\n\n"
        "The file appears when it is complete. An interrupted call leaves FILE.part, and the same call resumes "
        "from it.",
    CLI_OPTIONS(atlas_options, options),
    CLI_ARGUMENTS(CLI_EPISODE, 0, CLI_MANY, NULL),
    .run = run,
};
