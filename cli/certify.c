/* seedbed certify: which episodes can be won at all. */
#include <string.h>

#include "base/error.h"
#include "certificates/certify.h"
#include "cli/cli.h"

typedef struct telling {
    const cli_common *common;
    cli_progress *progress;
    bool silent; /* the certificates go to a file */
    sb_out out;
    size_t done, total, counts[3];
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
    t->counts[c->verdict]++;
    sb_out_clear(&t->out);
    if (!t->silent) (t->common->json ? sb_certificate_print : put_certificate)(c, &t->out);
    if (!sb_out_ok(&t->out)) return sb_fail(error, SB_MEMORY, "out of memory");
    cli_progress_end(t->progress);
    if (!t->silent) cli_print(&t->out, cli_data_if(t->common->json));
    cli_progress_show(t->progress, ++t->done, t->total);
    return true;
}

static void note(void *context, const char *text) { cli_note(((telling *)context)->progress, text); }

/* With --json only where the certificates were not printed themselves. */
static void print_summary(const telling *t) {
    sb_out out = sb_out_growing();
    const size_t *counts = t->counts;
    if (t->common->json && t->silent) {
        sb_puts(&out, "{");
        for (int i = 0; i < 3; i++) sb_member_uint(&out, sb_certified_names[i], counts[i]);
        sb_puts(&out, "}\n");
    } else if (!t->common->json && !t->common->quiet && (t->total > 1 || t->silent)) {
        sb_putf(&out, "%zu solved, %zu impossible, %zu unknown\n", counts[SB_CERTIFIED_SOLVED],
                counts[SB_CERTIFIED_IMPOSSIBLE], counts[SB_UNCERTIFIED]);
    }
    cli_emit(&out, cli_data_if(t->common->json));
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_request request = {0};
    sb_selection selection = {0};
    uint64_t budget = SB_CERTIFY_BUDGET;
    const char *path = NULL;
    const cli_option options[] = {{.name = "output",
                                   .letter = 'o',
                                   .argument = "FILE.jsonl.gz",
                                   .help = "write the certificates here; run again, an interrupted call goes on",
                                   .text = &path},
                                  {.name = "budget",
                                   .letter = 'b',
                                   .argument = "STATES",
                                   .help = "states that a search may look at in an episode (default 1000000)",
                                   .number = &budget},
                                  CLI_SELECTION_OPTIONS(request),
                                  CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (cli_is_dash(path)) return cli_usage(self, "-o wants a file, so that it can go on; --json prints certificates");
    if (budget < 1 || budget > SB_CERTIFY_BUDGET_MAX) return cli_usage(self, "--budget should be from 1 to 67108864");
    sb_error error;
    request.catalogue = common.catalogue;
    request.names = (const char *const *)argv, request.n_names = (size_t)n;
    cli_progress progress = cli_progress_begin(&common, "judged");
    telling t = {.common = &common, .progress = &progress, .silent = path, .out = sb_out_growing()};
    bool ok = sb_select(&request, &selection, &error);
    const sb_certification what = {.request = &request,
                                   .selection = &selection,
                                   .jobs = (size_t)common.jobs,
                                   .budget = budget,
                                   .path = path,
                                   .take = take,
                                   .note = note,
                                   .context = &t};
    t.total = selection.n;
    ok = ok && sb_certify(&what, &error);
    cli_progress_end(&progress);
    sb_selection_free(&selection);
    sb_out_free(&t.out);
    if (!ok) return cli_fail(&error);
    print_summary(&t);
    return t.counts[SB_UNCERTIFIED] ? CLI_FOUND : CLI_OK;
}

const cli_command cli_certify = {
    .name = "certify",
    .summary = "tell solvable episodes from impossible ones, with proofs",
    .usage = "[NAME... | selection] [-o FILE.jsonl.gz] [--budget STATES]",
    .help =
        "Says of every episode whether it can be won: solved (an oracle or a search wins it), impossible (and the two\n"
        "proofs of that: bound, expert, relaxed, exhausted), or unknown (the budget of states ran out).\n\n"
        "  seedbed certify PreciseNavigation-v0/hard#42\n"
        "  seedbed certify --tasks SokobanPush --difficulty expert --split eval --json\n"
        "  seedbed certify --split eval -o official.jsonl.gz && seedbed verify official.jsonl.gz\n\n"
        "A file appears when it is whole. Interrupted, the call leaves FILE.part; the same call goes on from there.\n"
        "Exit code 1 if an episode remains unknown.",
    .run = run,
};
