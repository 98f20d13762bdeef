/* seedbed model plan: plays games, thinking in a model of them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/log.h"
#include "cli/model.h"
#include "evaluation/models/plan_report.h"
#include "evaluation/models/server.h"

/* Everything that planning needs. */
typedef struct planner {
    const cli_model_options *asked;
    sb_request request;
    sb_candidate_rules rules;
    sb_selection selection;
    sb_planned *played;
    sb_candidate candidate;
    sb_env *env;
    cli_log log;
    sb_out text; /* the log of an episode */
    cli_progress progress;
    char doing[SB_NAME_MAX + 64]; /* what the progress is of */
} planner;

/* Begins progress that counts the actions of one play, and says which play. */
static void begin_progress(planner *p, size_t index, const sb_name *name, const char *rules) {
    char text[SB_NAME_MAX], which[48] = "";
    sb_name_print(name, text, sizeof text);
    if (p->selection.n > 1) snprintf(which, sizeof which, " (%zu of %zu)", index + 1, p->selection.n);
    snprintf(p->doing, sizeof p->doing, "%s%s%s:", text, which, rules);
    cli_progress_again(&p->progress, p->doing);
}

static sb_plan_options options_of(planner *p) {
    return (sb_plan_options){.catalogue = p->asked->common.catalogue,
                             .nodes = p->asked->nodes,
                             .depth = p->asked->depth,
                             .actions = p->asked->actions,
                             .progress = cli_progress_show,
                             .context = &p->progress};
}

static bool plan_in_candidate(planner *p, const sb_name *name, sb_plan_report *report, sb_error *error) {
    sb_plan_options options = options_of(p);
    options.log = p->asked->log ? &p->text : NULL;
    sb_out_clear(&p->text);
    return sb_plan_play(p->env, name, &p->candidate, &options, report, error) &&
           (!p->asked->log || cli_log_text(&p->log, &p->text, error));
}

/* Plays once more, with the true rules as the model. */
static bool plan_in_truth(planner *p, const sb_name *name, sb_plan_report *report, sb_error *error) {
    char text[SB_NAME_MAX];
    sb_model_server server = {0};
    sb_candidate truth = {0};
    const sb_plan_options options = options_of(p);
    sb_name_print(name, text, sizeof text);
    bool ok = sb_model_server_open(&server, p->asked->common.catalogue, text, error);
    if (ok) {
        const sb_candidate_rules rules = {
            .transport = sb_model_server_transport(&server), .now = cli_now, .errors = -1};
        ok = sb_candidate_open(&truth, &rules, error) && sb_plan_play(p->env, name, &truth, &options, report, error);
        sb_candidate_close(&truth);
    }
    sb_model_server_close(&server);
    return ok;
}

static bool play_all(planner *p, sb_error *error) {
    for (size_t i = 0; i < p->selection.n; i++) {
        sb_name name;
        sb_selection_name(&p->selection, i, &name);
        begin_progress(p, i, &name, "");
        if (!plan_in_candidate(p, &name, &p->played[i].candidate, error)) return false;
        if (p->asked->no_truth) continue;
        begin_progress(p, i, &name, ", true rules");
        if (!plan_in_truth(p, &name, &p->played[i].truth, error)) return false;
    }
    return true;
}

static bool open_all(planner *p, sb_error *error) {
    p->text = sb_out_growing();
    if (!sb_select(&p->request, &p->selection, error) || !sb_need_success_of_all(&p->selection, error) ||
        !sb_need_frames(&p->selection, error) ||
        !cli_log_open(&p->log, p->asked->log, p->asked->common.catalogue, NULL, error))
        return false;
    p->played = calloc(p->selection.n + 1, sizeof *p->played);
    if (!p->played) return sb_fail(error, SB_MEMORY, "out of memory for %zu plays", p->selection.n);
    p->env = sb_make(p->asked->common.catalogue, NULL, error);
    return p->env && sb_candidate_open(&p->candidate, &p->rules, error);
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static void put_failures(const sb_candidate *candidate, sb_out *out) {
    uint64_t failures = 0, impure = 0;
    for (int op = 0; op < SB_MODEL_N_OPS; op++) failures += candidate->failures[op], impure += candidate->impure[op];
    if (failures)
        sb_putf(out, "%llu questions had no good answer; the first: %s\n", (unsigned long long)failures,
                candidate->first.text);
    if (impure)
        sb_putf(out, "%llu questions had another answer when they were asked again\n", (unsigned long long)impure);
}

static void put_regret(const sb_plan_summary *s, sb_out *out) {
    const sb_plan_report *truth = &s->true_sums;
    sb_putf(out, "regret %.2f [%.2f, %.2f]\n", s->regret, s->regret_interval.lower, s->regret_interval.upper);
    if (truth->searches_cut)
        sb_putf(out,
                "%llu of %llu searches in the true model were cut by --nodes or --depth: with longer ones its score, "
                "and so the regret, may be higher\n",
                (unsigned long long)truth->searches_cut, (unsigned long long)truth->searches);
}

static void put_text(const sb_plan_summary *s, const sb_candidate *candidate, sb_out *out) {
    for (int which = 0; which < SB_PLAN_TABLES; which++) {
        sb_table table = sb_plan_table(s, which);
        sb_table_print_text(&table, out);
        sb_puts(out, "\n");
        sb_table_free(&table);
    }
    if (s->candidate.episodes)
        sb_putf(out, "%s %.2f [%.2f, %.2f]", s->candidate.name, s->candidate.score, s->candidate.interval.lower,
                s->candidate.interval.upper);
    if (s->candidate.episodes && !s->alone) sb_putf(out, ", in the true model %.2f", s->truth.score);
    if (s->candidate.episodes) sb_puts(out, "\n");
    if (!s->alone) put_regret(s, out);
    sb_putf(out, "%zu of %zu succeeded", s->successes, s->n);
    if (!s->alone) sb_putf(out, ", in the true model %zu", s->true_successes);
    sb_puts(out, "\n");
    put_failures(candidate, out);
}

static bool report(planner *p, sb_out *out, sb_error *error) {
    sb_plan_summary summary;
    if (!sb_plan_summarise(p->played, p->selection.n, &summary, error)) return false;
    summary.alone = p->asked->no_truth;
    summary.model = p->candidate.name, summary.version = p->candidate.version;
    if (p->asked->common.json)
        sb_plan_put(&summary, out);
    else
        put_text(&summary, &p->candidate, out);
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the report");
}

int cli_model_plan(const cli_command *self, const void *options, const char *const *names, size_t n) {
    const cli_model_options *o = options;
    planner p = {.asked = o, .request = o->request, .rules = cli_model_rules(o)};
    sb_error error = {0};
    sb_out out = sb_out_growing();
    if (!o->model) return cli_usage(self, "--model is missing: the command that runs the model");
    if (cli_is_dash(o->log)) return cli_usage(self, "--log is for a file: standard output has the report");
    if (!n && sb_request_is_empty(&p.request)) return cli_usage(self, "name the episodes to play, or select some");
    p.request.catalogue = o->common.catalogue, p.request.names = names, p.request.n_names = n;
    bool ok = open_all(&p, &error);
    if (ok) {
        p.progress = cli_progress_begin(o->common.quiet, "", "actions");
        p.progress.ends_early = true; /* a play may end before its limit */
        ok = play_all(&p, &error);
        cli_progress_end(&p.progress);
    }
    ok = ok && report(&p, &out, &error);
    ok = cli_log_close(&p.log, ok, &error);
    sb_candidate_close(&p.candidate);
    sb_selection_free(&p.selection);
    sb_free(p.env);
    sb_out_free(&p.text);
    free(p.played);
    if (ok) return cli_emit(&out, cli_data_if(o->common.json));
    sb_out_free(&out);
    return cli_fail(&error);
}
