/* seedbed report: compares results. */
#include "base/error.h"
#include "base/file.h"
#include "cli/drawing.h"
#include "engine/lookup.h"
#include "evaluation/report_print.h"
#include "evaluation/scorecards.h"

typedef struct report_options {
    cli_common common;
    sb_report_options how;
    const char *family, *html, *scorecard;
    cli_look look;
    bool markdown;
} report_options;

static const cli_option options[] = {
    {"markdown", 'm', NULL, "tables in Markdown", CLI_FLAG(report_options, markdown)},
    {"html", 0, "FILE", "one page with charts, tables and episodes to step through (-: print it)",
     CLI_TEXT(report_options, html, CLI_FILE)},
    {"scorecard", 0, "FILE", "the scorecard of one result, as the ARC-AGI-3 toolkit writes it (arc; -: print it)",
     CLI_TEXT(report_options, scorecard, CLI_FILE)},
    {"published", 0, "A,B", "published agents to compare with: all (default), none, or parts of names",
     CLI_TEXT(report_options, how.published, CLI_LIST), CLI_WORDS("all", "none")},
    {"replays", 0, "N", "episodes on the page per task and result (default 1)",
     CLI_NUMBER(report_options, how.replays)},
    {"expert", 0, "FILE", "also show efficiency: the steps of this result's agent divided by those of the others",
     CLI_TEXT(report_options, how.expert, CLI_FILE)},
    {"verify", 0, NULL, "replay every episode; exit code 1 unless every result is verified",
     CLI_FLAG(report_options, how.verify)},
    {"baseline", 0, "FILE", "normalise with this file, or with the frozen baseline of this number (default: the last)",
     CLI_TEXT(report_options, how.baseline, CLI_FILE)},
    {"family", 0, "NAME", "family to report on (default: that of the first episode)",
     CLI_TEXT(report_options, family, CLI_FAMILY)},
    {"look", 0, "LOOK", "look of the pictures on the page (default: the family's first)",
     CLI_TEXT(report_options, look.name, CLI_LOOK)},
    {"size", 0, "N", "look isometric: side of the picture, in pixels (default 512)",
     CLI_NUMBER(report_options, look.size), CLI_RANGE(64, 1024)}};

static bool save_scorecard(const sb_report *report, const char *path, sb_out *printed, sb_error *error) {
    sb_file file = {0};
    sb_out card = sb_out_growing();
    const bool piped = cli_is_dash(path);
    bool ok = sb_put_scorecard_of(&report->entries[0].results, report->family, piped ? printed : &card, error);
    if (ok && !piped) ok = cli_output_open(&file, path, error) && cli_output_save(&file, &card, error);
    sb_file_discard(&file);
    sb_out_free(&card);
    return ok;
}

static bool save_page(const sb_report *report, const char *path, sb_error *error) {
    sb_file file = {0};
    sb_out page = sb_out_growing();
    const bool ok = sb_report_print(report, SB_REPORT_HTML, &page, error) && cli_output_open(&file, path, error) &&
                    cli_output_save(&file, &page, error);
    sb_file_discard(&file);
    sb_out_free(&page);
    return ok;
}

static bool tell(const sb_report *report, const report_options *o, sb_out *out, sb_error *error) {
    if (o->scorecard && !save_scorecard(report, o->scorecard, out, error)) return false;
    if (cli_is_dash(o->scorecard)) return true;
    if (cli_is_dash(o->html)) return sb_report_print(report, SB_REPORT_HTML, out, error);
    if (o->html && !save_page(report, o->html, error)) return false;
    if (o->common.json) return sb_report_print(report, SB_REPORT_JSON, out, error);
    if (o->markdown) return sb_report_print(report, SB_REPORT_MARKDOWN, out, error);
    if (!o->html) return sb_report_print(report, SB_REPORT_TEXT, out, error);
    if (!o->common.quiet) sb_putf(out, "%s: %zu result%s\n", CLI_PLAIN(o->html), report->n, report->n == 1 ? "" : "s");
    return true;
}

static int run(const cli_command *self, void *given, const char *const *results, size_t n) {
    report_options *o = given;
    const bool piped = cli_is_dash(o->html) || cli_is_dash(o->scorecard);
    if (o->markdown + o->common.json + cli_is_dash(o->html) + cli_is_dash(o->scorecard) > 1)
        return cli_usage(self, "--markdown, --json, --html - and --scorecard - are four things to print: choose one");
    if (o->scorecard && n > 1) return cli_usage(self, "a scorecard is of one result");
    if ((o->look.name || o->look.size) && !o->html) return cli_usage(self, "--look and --size are for --html");
    sb_error error;
    sb_report report = {0};
    sb_out out = sb_out_growing();
    o->how.catalogue = o->common.catalogue;
    o->how.look = o->look.name, o->how.drawing = cli_brush_options(&o->look);
    bool ok = !o->family || (o->how.family = sb_family_find(o->family, &error));
    ok = ok && sb_report_open(&report, &o->how, results, n, &error) && tell(&report, o, &out, &error);
    const bool right = !o->how.verify || sb_report_all_right(&report);
    sb_report_close(&report);
    if (!ok) {
        sb_out_free(&out);
        return cli_fail(&error);
    }
    const int status = cli_emit(&out, cli_data_if(o->common.json || piped)); /* pages and JSON have their own escapes */
    return status != CLI_OK ? status : right ? CLI_OK : CLI_FOUND;
}

const cli_command cli_report = {
    .name = "report",
    .summary = "compare results with one another and with published agents",
    .usage = "RESULT... [--markdown] [--html FILE] [--scorecard FILE]",
    .help =
        "Reads results of `seedbed eval -o RESULT` and shows scores with intervals, success by category, difficulty\n"
        "and task, and a leaderboard that includes the published agents (of an older release of the benchmark).\n"
        "Everything is computed from the episodes in the results, which are compared with the selections that the\n"
        "results name. Results that are incomplete, unverified or wrong are marked. --verify also replays them.\n\n"
        "  seedbed report random.json mine.json\n"
        "  seedbed report mine.json --html report.html --published Oracle,PPO\n"
        "  seedbed report mine.json --html report.html --look isometric --size 256\n"
        "  seedbed report mine.json --markdown --published none\n"
        "  seedbed report arc.json --scorecard card.json\n"
        "  seedbed report mine.json --expert omnibot.json",
    CLI_OPTIONS(report_options, options),
    .defaults = &(const report_options){.how.replays = 1},
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "name results, as `seedbed eval -o RESULT` writes them"),
    .run = run,
};
