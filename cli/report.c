/* seedbed report: compares results. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/drawing.h"
#include "cli/paths.h"
#include "engine/lookup.h"
#include "evaluation/experiment.h"
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
     CLI_TEXT(report_options, html, CLI_OUTPUT)},
    {"scorecard", 0, "FILE", "the scorecard of one result, as the ARC-AGI-3 toolkit writes it (arc; -: print it)",
     CLI_TEXT(report_options, scorecard, CLI_OUTPUT)},
    {"published", 0, "A,B", "published agents to compare with: all, none, or parts of names (on a page: all)",
     CLI_TEXT(report_options, how.published, CLI_LIST), CLI_WORDS("all", "none")},
    {"replays", 0, "N", "episodes on the page per task and result (default 1)",
     CLI_NUMBER(report_options, how.replays)},
    {"expert", 0, "FILE", "also show efficiency: the steps of this result's agent divided by those of the others",
     CLI_TEXT(report_options, how.expert, CLI_FILE)},
    {"humans", 0, "FILE", "also show people (`seedbed humans -o FILE`); games are scored by people's baselines",
     CLI_TEXT(report_options, how.humans, CLI_FILE)},
    {"atlas", 0, "FILE", "also explain success by the measures of this atlas: what predicts failure, and surprises",
     CLI_TEXT(report_options, how.atlas, CLI_FILE)},
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

/* ---- Which results ---- */

/* The files of results to read are those that were named, and those of experiments whose folders were named. */

/* Adds the result of an experiment's run, if the run was begun. */
static bool add_run(cli_texts *paths, const char *folder, const cJSON *run, sb_error *error) {
    sb_out path = sb_out_growing();
    const char *name;
    if (!sb_json_string(run, "name", &name, error)) return false;
    if (strchr(name, '/')) return sb_fail(error, SB_INVALID, "key `runs`: `%.40s` is not the name of a run", name);
    sb_putf(&path, "%s/%s.json", folder, name);
    sb_putc(&path, '\0');
    if (sb_out_ok(&path) && sb_file_exists(path.data)) return cli_texts_add(paths, &path, error);
    sb_out_free(&path);
    return true;
}

/* Adds the results of an experiment in the order of its runs. */
static bool add_runs(cli_texts *paths, const char *folder, const cJSON *plan, bool quiet, sb_error *error) {
    const size_t before = paths->n;
    const cJSON *runs, *run;
    if (!sb_json_array(plan, "runs", &runs, error)) return false;
    cJSON_ArrayForEach(run, runs) {
        if (!add_run(paths, folder, run, error)) return false;
    }
    const size_t of = (size_t)cJSON_GetArraySize(runs), n = paths->n - before;
    if (!n) return sb_fail(error, SB_IO, "none of its runs has a result yet");
    if (n < of && !quiet) cli_warn("seedbed: %s: %zu of %zu runs have no result yet\n", CLI_PLAIN(folder), of - n, of);
    return true;
}

static bool add_folder(cli_texts *paths, const char *folder, bool quiet, sb_error *error) {
    sb_out path = sb_out_growing(), text = sb_out_growing();
    sb_putf(&path, "%s/experiment.json", folder);
    sb_putc(&path, '\0');
    bool ok = sb_out_ok(&path) || sb_fail(error, SB_MEMORY, "out of memory for the name of a file");
    ok = ok && (sb_file_exists(path.data) ||
                sb_fail(error, SB_INVALID,
                        "%s is a folder without an experiment: name results, or the folder of an experiment",
                        sb_path_end(folder)));
    if (ok && sb_file_load(path.data, SB_EXPERIMENT_PLAN_BYTES, &text, error)) {
        cJSON *plan = sb_json_parse(text.data, text.size, error);
        ok = (plan && add_runs(paths, folder, plan, quiet, error)) || sb_fail_at(error, "%s", sb_path_end(path.data));
        cJSON_Delete(plan);
    } else {
        ok = false;
    }
    sb_out_free(&path), sb_out_free(&text);
    return ok;
}

static bool find_results(cli_texts *paths, const char *const *named, size_t n, bool quiet, sb_error *error) {
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        sb_out path = sb_out_growing();
        if (sb_is_folder(named[i])) {
            ok = add_folder(paths, named[i], quiet, error);
        } else {
            sb_puts(&path, named[i]);
            ok = cli_texts_add(paths, &path, error);
        }
    }
    return ok;
}

/* ---- Printing ---- */

static bool put_scorecard(const sb_report *report, sb_out *out, sb_error *error) {
    return sb_put_scorecard_of(&report->entries[0].results, report->family, out, error);
}

static bool put_page(const sb_report *report, sb_out *out, sb_error *error) {
    return sb_report_print(report, SB_REPORT_HTML, out, error);
}

/* Makes a document and writes it to the path, or prints it. */
static bool save(const sb_report *report, bool (*put)(const sb_report *report, sb_out *out, sb_error *error),
                 const char *path, sb_error *error) {
    sb_file file = {0};
    sb_out document = sb_out_growing();
    const bool ok = put(report, &document, error) && cli_output_open(&file, path, error) &&
                    cli_output_put(&file, path, &document, error);
    sb_file_discard(&file);
    sb_out_free(&document);
    return ok;
}

static bool tell(const sb_report *report, const report_options *o, sb_out *out, sb_error *error) {
    if (o->scorecard && !save(report, put_scorecard, o->scorecard, error)) return false;
    if (o->html && !save(report, put_page, o->html, error)) return false;
    if (cli_is_dash(o->html) || cli_is_dash(o->scorecard)) return true;
    if (o->common.json) return sb_report_print(report, SB_REPORT_JSON, out, error);
    if (o->markdown) return sb_report_print(report, SB_REPORT_MARKDOWN, out, error);
    if (!o->html) return sb_report_print(report, SB_REPORT_TEXT, out, error);
    if (!o->common.quiet) sb_putf(out, "%s: %zu result%s\n", CLI_PLAIN(o->html), report->n, sb_plural(report->n));
    return true;
}

/* Refuses a result that is named twice: it would count as two runs. */
static int check_twins(const cli_command *self, const cli_texts *paths) {
    char text[CLI_PLAIN_MAX];
    for (size_t i = 0; i < paths->n; i++)
        for (size_t k = 0; k < i; k++)
            if (sb_is_same_file(paths->all[i], paths->all[k])) {
                snprintf(text, sizeof text, "%s is named twice, and would count as two runs", CLI_PLAIN(paths->all[i]));
                return cli_usage(self, text);
            }
    return CLI_OK;
}

/* Prints the report; returns an exit code. */
static int report_on(const cli_command *self, report_options *o, const cli_texts *paths) {
    if (o->scorecard && paths->n > 1) return cli_usage(self, "a scorecard is of one result");
    const int twins = check_twins(self, paths);
    if (twins != CLI_OK) return twins;
    sb_error error;
    sb_report report = {0};
    sb_out out = sb_out_growing();
    bool ok = !o->family || (o->how.family = sb_family_find(o->family, &error));
    ok = ok && sb_report_open(&report, &o->how, (const char *const *)paths->all, paths->n, &error) &&
         tell(&report, o, &out, &error);
    const bool right = !o->how.verify || sb_report_all_right(&report);
    sb_report_close(&report);
    if (!ok) {
        sb_out_free(&out);
        return cli_fail(&error);
    }
    const int status = cli_emit(&out, cli_data_if(o->common.json)); /* JSON has its own escapes */
    return status != CLI_OK ? status : right ? CLI_OK : CLI_FOUND;
}

static int run(const cli_command *self, void *given, const char *const *named, size_t n) {
    report_options *o = given;
    if (o->markdown + o->common.json + cli_is_dash(o->html) + cli_is_dash(o->scorecard) > 1)
        return cli_usage(self, "--markdown, --json, --html - and --scorecard - are four things to print: choose one");
    if (cli_look_is_given(&o->look) && !o->html) return cli_usage(self, "--look and --size are for --html");
    sb_error error;
    cli_texts paths = {0};
    if (o->html && !o->how.published) o->how.published = "all";
    if (o->html) o->how.playground = cli_playground_beside(o->html);
    o->how.catalogue = o->common.catalogue;
    o->how.look = o->look.name, o->how.drawing = cli_brush_options(&o->look);
    const bool found = find_results(&paths, named, n, o->common.quiet, &error);
    const int status = found ? report_on(self, o, &paths) : cli_fail(&error);
    cli_texts_free(&paths);
    return status;
}

const cli_command cli_report = {
    .name = "report",
    .group = CLI_TO_MEASURE,
    .summary = "compare results with one another and with published agents",
    .usage = "RESULT... [--markdown] [--html FILE] [--scorecard FILE]",
    .help =
        "Reads results of `seedbed eval -o RESULT` and shows scores with intervals, success by category, difficulty\n"
        "and task. --published adds the published agents (of an older release of the benchmark) and a leaderboard.\n"
        "Everything is computed from the episodes in the results, which are compared with the selections that the\n"
        "results name. Results that are incomplete, unverified or wrong are marked. --verify also replays them.\n"
        "The folder of an experiment stands for its results.\n\n"
        "  seedbed report random.json mine.json\n"
        "  seedbed report experiment/\n"
        "  seedbed report mine.json --html report.html --published Oracle,PPO\n"
        "  seedbed report mine.json --html report.html --look isometric --size 256\n"
        "  seedbed report mine.json --markdown --published all\n"
        "  seedbed report arc.json --scorecard card.json\n"
        "  seedbed report mine.json --expert omnibot.json\n"
        "  seedbed report mine.json --atlas mine.atlas.jsonl.gz\n"
        "  seedbed report mine.json --humans humans.json",
    CLI_OPTIONS(report_options, options),
    .defaults = &(const report_options){.how.replays = 1},
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY,
                  "name results, as `seedbed eval -o RESULT` writes them, or an experiment's folder"),
    .run = run,
};
