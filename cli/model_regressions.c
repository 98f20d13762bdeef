/* seedbed model regressions: the transitions of logs that a model should be checked on again. */
#include "base/error.h"
#include "cli/model.h"
#include "evaluation/models/regressions.h"

static bool pick(const cli_model_options *o, const sb_log *logs, size_t n, sb_regressions *picked, sb_error *error) {
    sb_candidate candidate;
    sb_model_report report = {0};
    const sb_candidate_rules rules = cli_model_rules(o);
    cli_progress progress = cli_progress_begin(o->common.quiet, "checked", "transitions");
    const sb_check_options options = {.hypothesis = o->hypothesis,
                                      .learns = o->learn,
                                      .quick = true,
                                      .visit = sb_regressions_visit,
                                      .context = picked,
                                      .progress = cli_progress_show,
                                      .progress_context = &progress};
    if (!sb_candidate_open(&candidate, &rules, error)) return false;
    const bool ok = sb_model_check(logs, n, &candidate, &options, &report, error);
    cli_progress_end(&progress);
    if (ok) cli_model_note(o, &candidate);
    sb_candidate_close(&candidate);
    sb_model_report_free(&report);
    return ok;
}

static bool write_set(const cli_model_options *o, const sb_log *logs, size_t n, sb_error *error) {
    sb_file file = {0};
    sb_regressions picked = {0};
    sb_out text = sb_out_growing();
    const char *output = o->output ? o->output : "-";
    bool ok = cli_output_open(&file, output, error) && pick(o, logs, n, &picked, error);
    const size_t n_picked = ok ? sb_regressions_put(&picked, &text) : 0;
    ok = ok && (n_picked || sb_fail(error, SB_INVALID, "there is no transition in %s", sb_path_end(logs->path)));
    ok = ok && cli_output_put(&file, output, &text, error);
    if (ok && !cli_is_dash(output) && !o->common.quiet) cli_say("%s: %zu transitions\n", CLI_PLAIN(output), n_picked);
    sb_file_discard(&file);
    sb_regressions_free(&picked);
    sb_out_free(&text);
    return ok;
}

int cli_model_regressions(const cli_command *self, const void *options, const char *const *paths, size_t n) {
    const cli_model_options *o = options;
    sb_log logs[CLI_PATHS_MAX];
    sb_error error;
    if (!o->model) return cli_usage(self, "--model is missing: the command that runs the model");
    if (o->save && !o->learn) return cli_usage(self, "--save is for --learn");
    if (!cli_logs_open(logs, paths, n, &error)) return cli_fail(&error);
    const bool ok = write_set(o, logs, n, &error);
    cli_logs_close(logs, n);
    return ok ? CLI_OK : cli_fail(&error);
}
