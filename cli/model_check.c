/* seedbed model check: how good is a model? */
#include "base/error.h"
#include "cli/model.h"
#include "evaluation/models/policies.h"
#include "evaluation/models/report_print.h"
#include "evaluation/models/split.h"

static bool check_logs(const cli_model_options *o, const sb_log *logs, size_t n, cli_books *books,
                       sb_model_report *report, sb_model_matrix *matrix, sb_error *error) {
    sb_candidate candidate;
    const sb_candidate_rules rules = cli_model_rules(o);
    cli_progress progress = cli_progress_begin(o->common.quiet, "checked", "transitions");
    const sb_check_options options = {.hypothesis = o->hypothesis,
                                      .learns = o->learn,
                                      .visit = cli_books_visit,
                                      .context = books,
                                      .progress = cli_progress_show,
                                      .progress_context = &progress};
    if (!sb_candidate_open(&candidate, &rules, error)) return false;
    const uint32_t steps = o->steps ? (uint32_t)o->steps : SB_MODEL_ROLLOUT;
    const bool ok = sb_model_check(logs, n, &candidate, &options, report, error) &&
                    (!o->policies || sb_model_roll_out(logs, n, o->common.catalogue, &candidate, steps, matrix, error));
    cli_progress_end(&progress);
    if (ok) cli_model_note(o, &candidate);
    sb_candidate_close(&candidate);
    return ok;
}

static void put_logs(sb_out *out, const char *key, const sb_log *logs, size_t n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "path", logs[i].path), sb_member_text(out, "sha256", logs[i].sha256);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

/* Whether all was right. If nothing was asked, nothing was right. */
static bool is_right(const sb_model_sums *sums) {
    if (!sums->asked) cli_warn("seedbed: nothing was asked: the logs hold no transitions to check\n");
    return sums->asked && sums->right == sums->asked;
}

/* Prints the whole report; the exit code says whether all was right. */
static int emit(const cli_model_options *o, sb_out *out, bool right) {
    const int status = cli_emit(out, cli_data_if(o->common.json));
    return status != CLI_OK || right ? status : CLI_FOUND;
}

static int check_whole(const cli_model_options *o, const sb_log *logs, size_t n) {
    sb_model_report report = {0};
    sb_model_matrix matrix = {0};
    sb_error error;
    sb_out out = sb_out_growing();
    cli_books books = {0};
    const bool ok = cli_books_open(&books, &o->books, &error) &&
                    check_logs(o, logs, n, &books, &report, &matrix, &error) &&
                    cli_books_write(&books, logs, n, &report, o->policies ? &matrix : NULL, &error);
    const bool right = ok && cli_books_status(&books, is_right(&report.all) ? CLI_OK : CLI_FOUND) == CLI_OK;
    if (ok && o->common.json) {
        sb_puts(&out, "{");
        sb_model_report_put(&report, &out);
        put_logs(&out, "logs", logs, n);
        if (o->policies) sb_put_key(&out, "policies"), sb_model_matrix_put(&matrix, &out);
        cli_books_put_json(&books, &out);
        sb_puts(&out, "}\n");
    } else if (ok && !cli_is_dash(o->books.html)) {
        sb_model_report_tabulate(&report, &out);
        if (o->policies) sb_model_matrix_tabulate(&matrix, &out);
        cli_books_put_text(&books, &out);
    }
    cli_books_close(&books);
    sb_model_report_free(&report);
    if (ok) return emit(o, &out, right);
    sb_out_free(&out);
    return cli_fail(&error);
}

static bool learn_and_check(const cli_model_options *o, const sb_log *train, size_t n, const sb_log *test,
                            sb_model_split *split, sb_error *error) {
    sb_candidate candidate;
    const sb_candidate_rules rules = cli_model_rules(o);
    cli_progress progress = cli_progress_begin(o->common.quiet, "checked", "transitions");
    const sb_check_options options = {
        .hypothesis = o->hypothesis, .progress = cli_progress_show, .progress_context = &progress};
    if (!sb_candidate_open(&candidate, &rules, error)) return false;
    const bool ok = sb_model_check_split(train, n, test, o->test.n, &candidate, &options, split, error);
    cli_progress_end(&progress);
    if (ok) cli_model_note(o, &candidate);
    sb_candidate_close(&candidate);
    return ok;
}

static int check_split(const cli_model_options *o, const sb_log *train, size_t n) {
    sb_log test[CLI_PATHS_MAX];
    sb_model_split split = {0};
    sb_error error;
    sb_out out = sb_out_growing();
    if (!cli_logs_open(test, o->test.items, o->test.n, &error)) return cli_fail(&error);
    const bool ok = learn_and_check(o, train, n, test, &split, &error), right = ok && is_right(&split.test.all);
    if (ok && o->common.json)
        sb_model_split_put(&split, &out);
    else if (ok)
        sb_model_split_tabulate(&split, &out);
    if (ok) sb_model_split_free(&split);
    cli_logs_close(test, o->test.n);
    if (ok) return emit(o, &out, right);
    sb_out_free(&out);
    return cli_fail(&error);
}

/* Returns what is wrong with options that need or exclude each other; NULL: nothing. */
static const char *wrong_together(const cli_model_options *o) {
    if (o->split != (o->test.n > 0)) return "--split and --test belong together";
    if (o->split && o->policies) return "--policies is for a check without --split";
    if (o->steps && !o->policies) return "--steps is for --policies";
    if (o->save && !o->learn && !o->split) return "--save is for --learn or --split";
    if (o->common.json && cli_is_dash(o->books.html)) return "--html - prints the page: leave out --json";
    return NULL;
}

int cli_model_check(const cli_command *self, const void *options, const char *const *paths, size_t n) {
    const cli_model_options *o = options;
    sb_log logs[CLI_LOGS_MAX];
    sb_error error;
    if (!o->model) return cli_usage(self, "--model is missing: the command that runs the model");
    const char *wrong = wrong_together(o);
    if (!wrong) wrong = cli_books_wrong(&o->books, o->split);
    if (wrong) return cli_usage(self, wrong);
    if (!cli_logs_open(logs, paths, n, &error)) return cli_fail(&error);
    const int status = o->split ? check_split(o, logs, n) : check_whole(o, logs, n);
    cli_logs_close(logs, n);
    return status;
}
