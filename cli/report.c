/* seedbed report: results side by side. */
#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"
#include "engine/lookup.h"
#include "evaluation/report_print.h"

typedef struct reporting {
    bool markdown;
    const char *html;
} reporting;

static bool save_page(const sb_report *report, const char *path, sb_error *error) {
    sb_file file = {0};
    sb_out page = sb_out_growing();
    const bool ok = sb_report_print(report, SB_REPORT_HTML, &page, error) && cli_output_open(&file, path, error) &&
                    cli_output_save(&file, &page, error);
    sb_file_discard(&file);
    sb_out_free(&page);
    return ok;
}

static bool tell(const sb_report *report, const reporting *what, const cli_common *common, sb_out *out,
                 sb_error *error) {
    if (cli_is_dash(what->html)) return sb_report_print(report, SB_REPORT_HTML, out, error);
    if (what->html && !save_page(report, what->html, error)) return false;
    if (common->json || what->markdown || !what->html)
        return sb_report_print(report,
                               common->json     ? SB_REPORT_JSON
                               : what->markdown ? SB_REPORT_MARKDOWN
                                                : SB_REPORT_TEXT,
                               out, error);
    if (!common->quiet) sb_putf(out, "%s: %zu result%s\n", CLI_PLAIN(what->html), report->n, report->n == 1 ? "" : "s");
    return true;
}

/* What a page or JSON quotes has escapes of their own. */
static cli_kind kind_of(const reporting *what, const cli_common *common) {
    return cli_data_if(common->json || cli_is_dash(what->html));
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    reporting what = {0};
    sb_report_options how = {.replays = 1};
    const char *family = NULL;
    const cli_option options[] = {
        {.name = "markdown", .letter = 'm', .help = "tables in Markdown", .flag = &what.markdown},
        {.name = "html",
         .argument = "FILE",
         .help = "one page with charts, tables and episodes to step through (-: print it)",
         .text = &what.html},
        {.name = "published",
         .argument = "A,B",
         .help = "published agents to compare with: all (default), none, or parts of names",
         .text = &how.published},
        {.name = "replays",
         .argument = "N",
         .help = "episodes on the page per task and result (default 1)",
         .number = &how.replays},
        {.name = "verify",
         .help = "replay every episode; exit code 1 unless every result is verified",
         .flag = &how.verify},
        {.name = "baseline",
         .argument = "FILE",
         .help = "normalise with this, or with a frozen baseline by its number (default: the last of them)",
         .text = &how.baseline},
        {.name = "family",
         .argument = "NAME",
         .help = "family to report on (default: that of the first episode)",
         .text = &family},
        CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n == 0) return cli_usage(self, "name results, as `seedbed eval -o RESULT` writes them");
    if (what.markdown + common.json + cli_is_dash(what.html) > 1)
        return cli_usage(self, "--markdown, --json and --html - are three things to print");
    how.catalogue = common.catalogue;
    sb_error error;
    sb_report report = {0};
    sb_out out = sb_out_growing();
    bool ok = !family || (how.family = sb_family_find(family, &error));
    ok = ok && sb_report_open(&report, &how, (const char *const *)argv, (size_t)n, &error) &&
         tell(&report, &what, &common, &out, &error);
    const bool right = !how.verify || sb_report_all_right(&report);
    sb_report_close(&report);
    if (!ok) {
        sb_out_free(&out);
        return cli_fail(&error);
    }
    status = cli_emit(&out, kind_of(&what, &common));
    return status != CLI_OK ? status : right ? CLI_OK : CLI_FOUND;
}

const cli_command cli_report = {
    .name = "report",
    .summary = "compare results with one another and with published agents",
    .usage = "RESULT... [--markdown] [--html FILE]",
    .help =
        "Reads results of `seedbed eval -o RESULT` and shows scores with intervals, success by category, difficulty\n"
        "and task, and the leaderboard with the agents that were published (with an older release of the\n"
        "benchmark). Everything is computed from the episodes in the results, which are compared with the selections\n"
        "that the results name; what is incomplete, unverified or wrong is said beside it. --verify replays, too.\n\n"
        "  seedbed report random.json mine.json\n"
        "  seedbed report mine.json --html report.html --published Oracle,PPO\n"
        "  seedbed report mine.json --markdown --published none",
    .run = run,
};
