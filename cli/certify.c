/* seedbed certify: finds out which episodes can be won at all. */
#include "evaluation/certificates/certify.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/interruption.h"

typedef struct certify_options {
    cli_common common;
    sb_request request;
    const char *output;
    uint64_t budget;
} certify_options;

static const cli_option options[] = {
    {"output", 'o', "FILE.jsonl.gz", "write the certificates here; the same call resumes after an interruption",
     CLI_TEXT(certify_options, output, CLI_OUTPUT)},
    {"budget", 'b', "STATES", "states that a search may look at in an episode (default 1000000)",
     CLI_NUMBER(certify_options, budget), CLI_RANGE(1, SB_CERTIFY_BUDGET_MAX)},
    CLI_SELECTION_OPTIONS(certify_options, request)};

typedef struct telling {
    const certify_options *options;
    cli_progress *progress;
    sb_out out;
    size_t done, total, counts[3];
    cli_interruption interruption;
} telling;

static void put_proofs(const sb_certificate *c, sb_out *out) {
    sb_putf(out, "impossible (%s, %llu states", c->method, (unsigned long long)c->states);
    if (c->check[0]) sb_putf(out, "; %s, %llu states", c->check, (unsigned long long)c->check_states);
    sb_puts(out, ")\n");
}

static void put_certificate(const sb_certificate *c, sb_out *out) {
    char name[SB_NAME_MAX];
    sb_name_print(&c->name, name, sizeof name);
    sb_putf(out, "%-40s ", name);
    switch (c->verdict) {
    case SB_CERTIFIED_SOLVED: sb_putf(out, "solved in %zu steps (%s)\n", c->tape.n, c->method); break;
    case SB_CERTIFIED_IMPOSSIBLE: put_proofs(c, out); break;
    case SB_UNCERTIFIED: sb_putf(out, "unknown, %llu states\n", (unsigned long long)c->states); break;
    }
}

static bool take(void *context, const sb_certificate *c, sb_error *error) {
    telling *t = context;
    const bool shown = !t->options->output, json = t->options->common.json;
    t->counts[c->verdict]++;
    sb_out_clear(&t->out);
    if (shown) (json ? sb_certificate_print : put_certificate)(c, &t->out);
    if (!sb_out_ok(&t->out)) return sb_fail(error, SB_MEMORY, "out of memory for a certificate");
    cli_progress_end(t->progress);
    if (shown) cli_print(&t->out, cli_data_if(json));
    cli_progress_show(t->progress, ++t->done, t->total);
    atomic_store(&t->interruption.done, t->done);
    return true;
}

static void note(void *context, const char *text) { cli_note(((telling *)context)->progress, text); }

/* With --json the counts are printed only if the certificates went to a file. */
static void print_summary(const telling *t) {
    sb_out out = sb_out_growing();
    const size_t *counts = t->counts;
    const cli_common *common = &t->options->common;
    if (common->json && t->options->output) {
        sb_puts(&out, "{");
        for (int i = 0; i < 3; i++) sb_member_uint(&out, sb_certified_names[i], counts[i]);
        sb_puts(&out, "}\n");
    } else if (!common->json && !common->quiet && (t->total > 1 || t->options->output)) {
        sb_putf(&out, "%zu solved, %zu impossible, %zu unknown\n", counts[SB_CERTIFIED_SOLVED],
                counts[SB_CERTIFIED_IMPOSSIBLE], counts[SB_UNCERTIFIED]);
    }
    cli_emit(&out, cli_data_if(common->json));
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    certify_options *o = given;
    if (cli_is_dash(o->output))
        return cli_usage(self, "-o wants a file, so that an interrupted call can resume; --json prints certificates");
    sb_error error;
    sb_selection selection = {0};
    o->request.catalogue = o->common.catalogue, o->request.names = names, o->request.n_names = n;
    cli_progress progress = cli_progress_begin(o->common.quiet, "judged", "episodes");
    telling t = {
        .options = o, .progress = &progress, .out = sb_out_growing(), .interruption.advice = CLI_KEEPS_WRITTEN};
    bool ok = sb_select(&o->request, &selection, &error);
    const sb_certification what = {.request = &o->request,
                                   .selection = &selection,
                                   .jobs = o->common.jobs,
                                   .budget = o->budget,
                                   .path = o->output,
                                   .take = take,
                                   .note = note,
                                   .context = &t};
    t.total = selection.n;
    if (ok && o->output) cli_interruption_begin(&t.interruption, t.total);
    ok = ok && sb_certify(&what, &error);
    cli_interruption_end(&t.interruption);
    cli_progress_end(&progress);
    sb_selection_free(&selection);
    sb_out_free(&t.out);
    if (!ok) return cli_fail(&error);
    print_summary(&t);
    return t.counts[SB_UNCERTIFIED] ? CLI_FOUND : CLI_OK;
}

const cli_command cli_certify = {
    .name = "certify",
    .group = CLI_TO_PROVE,
    .summary = "tell solvable episodes from impossible ones, with proofs",
    .usage = "[NAME... | selection] [-o FILE.jsonl.gz] [--budget STATES]",
    .help =
        "Says of every episode whether it can be won: solved (an oracle or a search wins it), impossible (with up to\n"
        "two proofs: bound, expert, relaxed, exhausted), or unknown (the budget of states ran out).\n\n"
        "  seedbed certify PreciseNavigation-v0/hard#42\n"
        "  seedbed certify --tasks SokobanPush --difficulty expert --split eval --json\n"
        "  seedbed certify --split eval -o official.jsonl.gz && seedbed verify official.jsonl.gz\n\n"
        "The file appears when it is complete. An interrupted call leaves FILE.part, and the same call resumes from "
        "it.\n"
        "Exit code 1 if an episode remains unknown.",
    CLI_OPTIONS(certify_options, options),
    .defaults = &(const certify_options){.budget = SB_CERTIFY_BUDGET},
    CLI_ARGUMENTS(CLI_EPISODE, 0, CLI_MANY, NULL),
    .run = run,
};
