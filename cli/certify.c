/* seedbed certify: which episodes can be won at all. */
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "evaluation/certify.h"

typedef struct telling {
    const cli_common *common;
    cli_progress *progress;
    sb_out out;
    size_t done, total, counts[3];
} telling;

static bool take(void *context, const sb_name *name, const sb_certificate *c, sb_error *error) {
    telling *t = context;
    char text[SB_NAME_MAX];
    sb_out_clear(&t->out);
    sb_name_print(name, text, sizeof text);
    t->counts[c->verdict]++;
    if (t->common->json)
        sb_certificate_print(name, c, &t->out);
    else if (c->verdict == SB_CERTIFIED_SOLVED)
        sb_putf(&t->out, "%-40s solved in %zu steps (%s)\n", text, c->tape.n, c->method);
    else
        sb_putf(&t->out, "%-40s %s%s%s%s, %llu states\n", text, sb_certificate_verdicts[c->verdict],
                c->method[0] ? " (" : "", c->method, c->method[0] ? ")" : "", (unsigned long long)c->states);
    if (!sb_out_ok(&t->out)) return sb_fail(error, SB_MEMORY, "out of memory");
    cli_progress_end(t->progress);
    fwrite(t->out.data, 1, t->out.size, stdout);
    cli_progress_show(t->progress, ++t->done, t->total);
    return true;
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_request request = {0};
    sb_selection selection = {0};
    uint64_t budget = SB_CERTIFY_BUDGET;
    const cli_option options[] = {{.name = "budget",
                                   .letter = 'b',
                                   .argument = "STATES",
                                   .help = "states that the search may look at in an episode (default 1000000)",
                                   .number = &budget},
                                  CLI_SELECTION_OPTIONS(request),
                                  CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (budget < 1 || budget > 1u << 26) return cli_usage(self, "--budget should be from 1 to 67108864");
    sb_error error;
    request.names = (const char *const *)argv, request.n_names = (size_t)n;
    cli_progress progress = cli_progress_begin(&common, "judged");
    telling t = {.common = &common, .progress = &progress, .out = sb_out_growing()};
    bool ok = sb_select(&request, &selection, &error);
    const sb_certification what = {
        .selection = &selection, .jobs = (size_t)common.jobs, .budget = budget, .take = take, .context = &t};
    t.total = selection.n;
    ok = ok && sb_certify(&what, &error);
    cli_progress_end(&progress);
    sb_selection_free(&selection);
    sb_out_free(&t.out);
    if (!ok) return cli_fail(&error);
    if (!common.quiet && !common.json && t.total > 1)
        printf("%zu solved, %zu impossible, %zu unknown\n", t.counts[SB_CERTIFIED_SOLVED],
               t.counts[SB_CERTIFIED_IMPOSSIBLE], t.counts[SB_UNCERTIFIED]);
    return t.counts[SB_UNCERTIFIED] ? CLI_FOUND : CLI_OK;
}

const cli_command cli_certify = {
    .name = "certify",
    .summary = "tell solvable episodes from impossible ones, with proofs",
    .usage = "[NAME... | selection] [--budget STATES]",
    .help =
        "Says of every episode whether it can be won: solved (the expert or an exhaustive search wins it), impossible\n"
        "(and what proves it: bound, exhausted, expert), or unknown (the budget of states ran out).\n\n"
        "  seedbed certify PreciseNavigation-v0/hard#42\n"
        "  seedbed certify --tasks SokobanPush --difficulty expert --split eval --json\n\n"
        "Exit code 1 if an episode remains unknown.",
    .run = run,
};
