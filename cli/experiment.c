/* seedbed eval EXPERIMENT.json: a grid of evaluations, one folder of results, one report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lock.h"
#include "cli/eval.h"
#include "evaluation/experiment.h"
#include "evaluation/report_print.h"
#include "evaluation/selected.h"

enum { PATH_BYTES = 1024 };

typedef struct experimenting {
    const cli_eval_options *options;
    sb_experiment experiment;
    sb_lock lock; /* lock of the folder: one process writes there */
    double began;
    size_t lost;
    cli_eval_fate fate; /* what became of the last run's episodes */
} experimenting;

static void path_in(const char *folder, const char *name, const char *suffix, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%s/%s%s", folder, name, suffix);
}

static bool goes_on(const cli_eval_options *o) { return o->resume || o->retry_lost; }

/* ---- The folder ---- */

/* Reads the salt that the folder's experiment began with, if there is one. */
static bool read_kept(const cli_eval_options *o, const char *path, char salt[SB_SALT_HEX], sb_error *error) {
    sb_out text = sb_out_growing();
    const char *hex;
    *salt = '\0';
    if (!sb_file_exists(path)) return true;
    if (!goes_on(o) && !o->force)
        return sb_fail(error, SB_INVALID, "%s holds an experiment: go on with it (--resume), or start anew (--force)",
                       sb_path_end(o->output));
    if (!goes_on(o)) return true;
    bool ok = sb_file_load(path, SB_EXPERIMENT_PLAN_BYTES, &text, error);
    cJSON *kept = ok ? sb_json_parse(text.data, text.size, error) : NULL;
    ok = kept && sb_json_string(kept, "salt", &hex, error) &&
         (strlen(hex) == SB_SALT_HEX - 1 || sb_fail(error, SB_INVALID, "key `salt` should have 32 hex digits"));
    if (ok) strcpy(salt, hex);
    cJSON_Delete(kept);
    sb_out_free(&text);
    return ok || sb_fail_at(error, "%s", sb_path_end(path));
}

/* Notes in the folder which runs there are, and with which salt, before any is played. */
static bool keep_plan(const experimenting *e, const char *path, sb_error *error) {
    const sb_experiment *x = &e->experiment;
    sb_out text = sb_out_growing();
    sb_puts(&text, "{");
    sb_member_int(&text, "experiment", SB_EXPERIMENT_FORMAT);
    sb_member_text(&text, "seedbed", SB_VERSION);
    sb_member_text(&text, "salt", x->salt);
    sb_put_key(&text, "runs");
    sb_puts(&text, "[");
    for (size_t i = 0; i < x->n; i++) {
        sb_put_comma(&text);
        sb_puts(&text, "{");
        sb_member_text(&text, "name", x->runs[i].name);
        sb_member_text(&text, "agent", x->runs[i].label);
        sb_member_text(&text, "spec", x->runs[i].spec);
        if (*x->runs[i].salt) sb_member_text(&text, "salt", x->runs[i].salt);
        sb_puts(&text, "}");
    }
    sb_puts(&text, "]}\n");
    const bool ok = sb_out_ok(&text) ? sb_file_save_under(path, &e->lock, text.data, text.size, error)
                                     : sb_fail(error, SB_MEMORY, "out of memory for an experiment");
    sb_out_free(&text);
    return ok;
}

static bool load(experimenting *e, const char *path, const char *salt, sb_error *error) {
    sb_out text = sb_out_growing();
    bool ok = sb_file_load(path, SB_EXPERIMENT_BYTES, &text, error);
    ok = ok && (sb_experiment_parse(&e->experiment, e->options->common.catalogue, text.data, text.size, salt, error) ||
                sb_fail_at(error, "%s", sb_path_end(path)));
    sb_out_free(&text);
    return ok;
}

/* Checks all runs of an experiment. One report is about one family. Every selection is made here once, so that what
 * cannot be selected fails at once. */
static bool check_runs(const sb_experiment *x, sb_error *error) {
    const sb_family *family = NULL;
    bool ok = true;
    for (size_t i = 0; i < x->n && ok; i++) {
        sb_selection selection = {0};
        const sb_experiment_run *run = &x->runs[i];
        ok = run->pack ? sb_select_pack_file(run->request.catalogue, run->pack, &selection, NULL, error)
                       : sb_select(&run->request, &selection, error);
        for (size_t k = 0; k < selection.n && ok; k++) {
            const sb_family *one = sb_selection_family(&selection, k);
            ok = !family || family == one ||
                 sb_fail(error, SB_INVALID, "its episodes are of %s, others of %s: an experiment is about one family",
                         one->name, family->name);
            family = one;
        }
        sb_selection_free(&selection);
        if (!ok) sb_fail_at(error, "%s", x->runs[i].name);
    }
    return ok;
}

/* ---- Runs ---- */

static bool play_run(experimenting *e, const sb_experiment_run *run, sb_error *error) {
    char path[PATH_BYTES];
    const bool is_program = sb_agent_is_process(sb_agent_kind_of(run->spec));
    cli_eval_options o = *e->options;
    sb_out out = sb_out_growing();
    path_in(e->options->output, run->name, ".json", path);
    o.output = path, o.label = run->label, o.request = run->request, o.common.pack = run->pack;
    o.agent.spec = run->spec, o.agent.salt = *run->salt ? run->salt : NULL;
    o.agent.steps = is_program ? e->experiment.steps : 0;
    o.attempts = is_program && e->experiment.attempts ? e->experiment.attempts : 1;
    o.common.json = false;
    if (o.hours > 0) {
        o.hours -= (cli_now() - e->began) / 3600;
        if (o.hours <= 0) return sb_fail(error, SB_FINISHED, "stopped: the hours of this call are over");
    }
    const bool ok = cli_evaluate(&o, &out, &e->fate, error);
    e->lost += e->fate.lost;
    sb_out_free(&out);
    return ok;
}

static bool play_all(experimenting *e, sb_error *error) {
    const sb_experiment *x = &e->experiment;
    for (size_t i = 0; i < x->n; i++) {
        if (!e->options->common.quiet)
            cli_warn("seedbed: run %zu of %zu: %s\n", i + 1, x->n, CLI_PLAIN(x->runs[i].name));
        if (!play_run(e, &x->runs[i], error)) return sb_fail_at(error, "%s", x->runs[i].name);
    }
    return true;
}

/* ---- The report ---- */

static bool print_report(const experimenting *e, const sb_report *report, sb_out *out, sb_error *error) {
    const cli_eval_options *o = e->options;
    char path[PATH_BYTES];
    sb_out page = sb_out_growing();
    path_in(o->output, "report", ".html", path);
    bool ok = sb_report_print(report, SB_REPORT_HTML, &page, error) &&
              sb_file_save_under(path, &e->lock, page.data, page.size, error);
    sb_out_free(&page);
    if (ok && (o->common.json || !o->common.quiet))
        ok = sb_report_print(report, o->common.json ? SB_REPORT_JSON : SB_REPORT_TEXT, out, error);
    return ok;
}

static bool report_on(const experimenting *e, const char *const *paths, sb_out *out, sb_error *error) {
    const sb_report_options how = {
        .catalogue = e->options->common.catalogue, .baseline = e->options->baseline, .published = "all", .replays = 1};
    sb_report report;
    const bool ok = sb_report_open(&report, &how, paths, e->experiment.n, error) &&
                    print_report(e, &report, out, error);
    sb_report_close(&report);
    return ok;
}

static bool make_report(const experimenting *e, sb_out *out, sb_error *error) {
    const size_t n = e->experiment.n;
    char *room = calloc(n, PATH_BYTES);
    const char **paths = calloc(n, sizeof *paths);
    bool ok = (room && paths) || sb_fail(error, SB_MEMORY, "out of memory for %zu results", n);
    for (size_t i = 0; i < n && ok; i++) {
        paths[i] = room + i * PATH_BYTES;
        path_in(e->options->output, e->experiment.runs[i].name, ".json", room + i * PATH_BYTES);
    }
    ok = ok && report_on(e, paths, out, error);
    free(room), free((void *)paths);
    return ok;
}

/* ---- The command ---- */

/* Says which option does not go with an experiment; NULL: none. */
static const char *contradiction(const cli_command *self, const cli_eval_options *o) {
    const cli_eval_options *usual = self->defaults;
    if (!o->output || cli_is_dash(o->output)) return "an experiment needs a folder for its results, -o FOLDER";
    if (o->agent.spec || o->common.pack || o->shard || o->label || o->about || o->agent.salt || o->agent.log ||
        o->log || o->agent.steps || o->attempts != usual->attempts || !sb_request_is_empty(&o->request))
        return "an experiment says itself who plays what and how: --agent, --name, --about, --pack, --shard, --salt, "
               "--attempts, --max-steps, --agent-log, --log and selections are not for it";
    if (goes_on(o) && o->force) return CLI_RESUME_OR_FORCE;
    return NULL;
}

/* Takes the folder. Another process may have begun there since the salt was read. */
static bool take_folder(experimenting *e, const char *plan, const char *salt, sb_error *error) {
    char now[SB_SALT_HEX];
    return sb_make_folder(e->options->output, error) && sb_lock_folder(&e->lock, e->options->output, error) &&
           read_kept(e->options, plan, now, error) &&
           (strcmp(now, salt) == 0 || sb_fail(error, SB_INVALID, "%s: another process began an experiment there",
                                              sb_path_end(e->options->output)));
}

static bool experiment(experimenting *e, const char *path, sb_out *out, sb_error *error) {
    char plan[PATH_BYTES], salt[SB_SALT_HEX];
    const char *folder = e->options->output;
    if (strlen(folder) + SB_EXPERIMENT_NAME + 10 > PATH_BYTES)
        return sb_fail(error, SB_INVALID, "the folder's path is too long: %.60s...", folder);
    path_in(folder, "experiment", ".json", plan);
    return read_kept(e->options, plan, salt, error) && load(e, path, salt, error) &&
           check_runs(&e->experiment, error) && take_folder(e, plan, salt, error) && keep_plan(e, plan, error) &&
           play_all(e, error) && make_report(e, out, error);
}

int cli_run_experiment(const cli_command *self, const cli_eval_options *o, const char *path) {
    if (contradiction(self, o)) return cli_usage(self, contradiction(self, o));
    sb_error error;
    if (!cli_eval_check_limits(o, &error)) return cli_usage(self, error.text);
    experimenting e = {.options = o, .began = cli_now()};
    sb_out out = sb_out_growing();
    const bool ok = experiment(&e, path, &out, &error);
    sb_experiment_free(&e.experiment);
    sb_lock_release(&e.lock);
    if (!ok) {
        sb_out_free(&out);
        const int failure = cli_fail(&error);
        cli_eval_tell_kept(&e.fate);
        return failure;
    }
    const int status = cli_emit(&out, cli_data_if(o->common.json));
    return status != CLI_OK ? status : e.lost ? CLI_FOUND : CLI_OK;
}
