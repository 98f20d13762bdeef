/* seedbed humans: what people's plays come to. */
#include "evaluation/humans.h"

#include <stdio.h>

#include "base/error.h"
#include "cli/command.h"
#include "evaluation/table.h"

typedef struct humans_options {
    cli_common common;
    const char *output;
    uint64_t least;
} humans_options;

static const cli_option options[] = {
    {"output", 'o', "FILE", "also write the measures here, for `report --humans` (-: print them)",
     CLI_TEXT(humans_options, output, CLI_OUTPUT)},
    {"least", 0, "N", "the fewest plays from which a percentile or a baseline is taken (default 5)",
     CLI_NUMBER(humans_options, least), CLI_RANGE(1, 1000)},
};

/* ---- The table ---- */

static void add_size(sb_table *t, size_t n) { sb_putf(sb_table_cell(t), "%zu", n); }

static void add_spread(sb_table *t, const sb_quartiles *s, int decimals) {
    sb_out *cell = sb_table_cell(t);
    if (!s->n)
        sb_puts(cell, "-");
    else
        sb_putf(cell, "%.*f (%.*f..%.*f), %.*f", decimals, s->quartiles[1], decimals, s->quartiles[0], decimals,
                s->quartiles[2], decimals, s->percentile80);
}

static void add_row(sb_table *t, const sb_people *p, bool is_task) {
    char name[SB_NAME_MAX];
    sb_name_print(&p->name, name, sizeof name);
    if (is_task)
        sb_putf(sb_table_cell(t), "%s%s%s", p->name.task, *p->name.difficulty ? "/" : "", p->name.difficulty);
    else
        sb_table_add(t, name);
    add_size(t, p->participants), add_size(t, p->plays), add_size(t, p->first);
    sb_putf(sb_table_cell(t), "%zu%s", p->counted, p->enough ? "" : " (too few)");
    sb_table_add_share(t, (double)p->successes, p->judged, 3, "");
    add_spread(t, &p->scores, 3), add_spread(t, &p->actions, 1), add_spread(t, &p->seconds, 1);
}

static void put_table(const sb_humans *h, bool of_tasks, sb_out *out) {
    static const char *const columns[] = {"",        "participants", "plays",   "first plays", "counted",
                                          "success", "score",        "actions", "seconds"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    sb_table t = sb_table_of(of_tasks ? "People by task" : "People by episode", COLUMNS, 1);
    snprintf(
        t.note, sizeof t.note,
        "counted: first plays without hints, undo and expert; under %zu are too few; score, actions and seconds: "
        "median, quartiles in brackets, 80th percentile; actions and seconds of successes, or of all where nothing "
        "judges success",
        h->least);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(&t, i ? columns[i] : of_tasks ? "task" : "episode");
    const size_t n = of_tasks ? h->n_tasks : h->n_episodes;
    for (size_t i = 0; i < n; i++) add_row(&t, of_tasks ? &h->tasks[i] : &h->episodes[i], of_tasks);
    sb_table_print_text(&t, out);
    if (!sb_out_ok(&t.text)) out->failed = true;
    sb_table_free(&t);
}

static void put_words(const sb_humans *h, sb_out *out) {
    sb_putf(out, "%zu plays of %zu participants", h->plays, h->participants);
    if (h->again) sb_putf(out, "; %zu tape%s there twice and count once", h->again, h->again == 1 ? " is" : "s are");
    if (h->anonymous) sb_putf(out, "; %zu do not tell who played, and do not count", h->anonymous);
    sb_puts(out, "\n\n");
    put_table(h, false, out);
    sb_puts(out, "\n");
    put_table(h, true, out);
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n) {
    const humans_options *o = given;
    sb_humans humans = {0};
    sb_error error;
    sb_file file = {0};
    sb_out document = sb_out_growing(), out = sb_out_growing();
    (void)self;
    bool ok = cli_output_open(&file, o->output, &error) &&
              sb_humans_make(&humans, o->common.catalogue, paths, n, o->least, &error);
    if (ok) sb_humans_print(&humans, &document);
    ok = ok && (!o->output || cli_output_put(&file, o->output, &document, &error));
    const bool tells = ok && !cli_is_dash(o->output);
    if (tells && o->common.json)
        sb_put_out(&out, &document);
    else if (tells && !o->common.quiet)
        put_words(&humans, &out);
    sb_file_discard(&file);
    sb_humans_free(&humans);
    sb_out_free(&document);
    if (ok) return cli_emit(&out, cli_data_if(o->common.json));
    sb_out_free(&out);
    return cli_fail(&error);
}

const cli_command cli_humans = {
    .name = "humans",
    .group = CLI_TO_MEASURE,
    .summary = "measure how people played: success, actions and seconds, and baselines for agents",
    .usage = "PLAYS... [-o humans.json] [--least N]",
    .help =
        "Reads tapes of people: folders of `seedbed study serve`, files that participants handed in, files of\n"
        "`seedbed play -o`. Replays every one, and shows by episode and task how many people played, how often they\n"
        "succeeded, with how many actions and in how many seconds. First plays count, and only those without help.\n"
        "`report --humans` shows people beside agents, and scores games by people's baselines.\n\n"
        "  seedbed humans plays -o humans.json\n"
        "  seedbed report result.json --humans humans.json",
    CLI_OPTIONS(humans_options, options),
    .defaults = &(const humans_options){.least = SB_HUMANS_LEAST},
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "name tapes of people, or folders of `seedbed study serve`"),
    .run = run,
};
