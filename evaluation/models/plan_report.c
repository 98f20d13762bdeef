#include "evaluation/models/plan_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

/* ---- Summing up -------------------------------------------------------------------------------------------------- */

double sb_plan_score(const sb_plan_report *report) {
    if (report->effort.n_levels) return sb_effort_score(&report->effort);
    return 100 * (report->criterion == SB_BY_SCORE ? report->status.score : report->status.success);
}

/* Means and the interval of what several episodes took; `values` is room for as many numbers. */
static bool sum_up(const sb_planned *episodes, size_t n, bool of_truth, double *values, sb_efficiency *e,
                   sb_error *error) {
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const sb_plan_report *r = of_truth ? &episodes[i].truth : &episodes[i].candidate;
        if (!r->effort.n_levels) continue;
        sb_efficiency_add(e, &r->effort);
        e->name = r->score_name;
        values[k++] = sb_effort_score(&r->effort);
    }
    if (!k) return true;
    e->matched /= (double)k;
    for (size_t i = 0; i < SB_EFFICIENCY_STOPS; i++) e->stopped[i] /= (double)k;
    e->score = sb_mean(values, k);
    return sb_bootstrap_interval(&sb_usual_bootstrap, values, k, &e->interval, error);
}

static bool sum_regret(sb_plan_summary *s, double *values, sb_error *error) {
    for (size_t i = 0; i < s->n; i++) values[i] = sb_plan_regret(&s->episodes[i]);
    s->regret = sb_mean(values, s->n);
    return sb_bootstrap_interval(&sb_usual_bootstrap, values, s->n, &s->regret_interval, error);
}

static void add(sb_plan_report *to, const sb_plan_report *from) {
    for (int i = 0; i < SB_PLAN_REASONS; i++) to->by[i] += from->by[i];
    to->actions += from->actions, to->surprises += from->surprises;
    to->plans += from->plans, to->plans_true += from->plans_true;
    to->ways += from->ways, to->ways_true += from->ways_true;
    to->searches += from->searches, to->searches_cut += from->searches_cut, to->predictions += from->predictions;
    to->asked += from->asked, to->right += from->right, to->seconds += from->seconds;
}

bool sb_plan_summarise(const sb_planned *episodes, size_t n, sb_plan_summary *summary, sb_error *error) {
    *summary = (sb_plan_summary){.episodes = episodes, .n = n, .model = "", .version = ""};
    double *values = malloc((n + 1) * sizeof *values);
    if (!values) return sb_fail(error, SB_MEMORY, "out of memory for the report");
    for (size_t i = 0; i < n; i++) {
        add(&summary->sums, &episodes[i].candidate), add(&summary->true_sums, &episodes[i].truth);
        summary->successes += episodes[i].candidate.status.success;
        summary->true_successes += episodes[i].truth.status.success;
    }
    const bool ok = n == 0 ||
                    (sum_up(episodes, n, false, values, &summary->candidate, error) &&
                     sum_up(episodes, n, true, values, &summary->truth, error) && sum_regret(summary, values, error));
    free(values);
    return ok;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static void add_share(sb_table *table, uint64_t part, uint64_t of) {
    sb_table_add_share(table, 100 * (double)part, of, 1, "");
}

static void add_name(sb_table *table, const sb_plan_report *report) {
    char name[SB_NAME_MAX];
    sb_name_print(&report->name, name, sizeof name);
    sb_table_add(table, name);
}

static void add_scores(sb_table *t, const sb_planned *p, bool alone) {
    const sb_plan_report *r = &p->candidate;
    const sb_effort *e = &r->effort;
    add_name(t, r);
    sb_table_add(t, r->status.success ? "yes" : "no");
    sb_putf(sb_table_cell(t), "%.2f", sb_plan_score(r));
    if (alone) {
        sb_table_add(t, "-"), sb_table_add(t, "-");
    } else {
        sb_putf(sb_table_cell(t), "%.2f", sb_plan_score(&p->truth));
        sb_putf(sb_table_cell(t), "%.2f", sb_plan_regret(p));
    }
    if (e->n_levels) {
        sb_putf(sb_table_cell(t), "%.2f", sb_effort_matched(e));
        sb_putf(sb_table_cell(t), "%u/%u", e->completed, e->n_levels);
    } else {
        sb_table_add(t, "-"), sb_table_add(t, "-");
    }
    sb_put_uint(sb_table_cell(t), r->actions);
    sb_put_uint(sb_table_cell(t), e->resets);
    sb_put_uint(sb_table_cell(t), e->losses);
}

static sb_table scores_table(const sb_plan_summary *s) {
    static const char *const heads[] = {"episode", "success", "score",   "true model", "regret",
                                        "human's", "levels",  "actions", "resets",     "losses"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
    sb_table t = sb_table_of("Scores", COLUMNS, 2);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(&t, heads[i]);
    for (size_t i = 0; i < s->n; i++) add_scores(&t, &s->episodes[i], s->alone);
    snprintf(
        t.note, sizeof t.note,
        "Scores are percent: %s of games with levels, of other tasks their score or success. true model: the score "
        "of the same planner in the true rules; regret: how much lower this one is. human's: who needs exactly the "
        "baseline for each level, with as many actions.",
        s->candidate.name ? s->candidate.name : "rhae-proxy");
    return t;
}

static void add_play(sb_table *t, const sb_plan_report *r, const sb_plan_report *truth) {
    sb_put_uint(sb_table_cell(t), r->actions);
    add_share(t, r->surprises, r->actions);
    for (int i = 0; i < SB_PLAN_REASONS; i++) add_share(t, r->by[i], r->actions);
    sb_put_uint(sb_table_cell(t), r->plans);
    sb_put_uint(sb_table_cell(t), r->plans_true);
    add_share(t, r->searches_cut, r->searches), add_share(t, truth->searches_cut, truth->searches);
    add_share(t, r->right, r->asked);
    sb_put_uint(sb_table_cell(t), r->predictions);
    sb_putf(sb_table_cell(t), "%.1f", r->seconds);
}

static sb_table plays_table(const sb_plan_summary *s) {
    static const char *const heads[] = {"episode",    "actions",        "surprises %", "plan %",    "progress %",
                                        "probe %",    "reset %",        "plans",       "came true", "cut %",
                                        "true cut %", "retrodiction %", "predicts",    "seconds"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
    sb_table t = sb_table_of("Plays", COLUMNS, 1);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(&t, heads[i]);
    for (size_t i = 0; i < s->n; i++) {
        add_name(&t, &s->episodes[i].candidate);
        add_play(&t, &s->episodes[i].candidate, &s->episodes[i].truth);
    }
    if (s->n > 1) sb_table_add(&t, "all"), add_play(&t, &s->sums, &s->true_sums);
    snprintf(t.note, sizeof t.note,
             "surprises: actions that led elsewhere than predicted. plan, progress, probe, reset: why an action was "
             "taken. cut: searches that --nodes or --depth ended, and the same in the true model. retrodiction: right "
             "predictions of the play's own transitions, each before it was learnt.");
    return t;
}

sb_table sb_plan_table(const sb_plan_summary *summary, int which) {
    return which == SB_PLAN_SCORES ? scores_table(summary) : plays_table(summary);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void put_counts(sb_out *out, const sb_plan_report *r) {
    sb_member_uint(out, "actions", r->actions);
    sb_put_key(out, "choices");
    sb_puts(out, "{");
    for (int i = 0; i < SB_PLAN_REASONS; i++) sb_member_uint(out, sb_plan_reasons[i], r->by[i]);
    sb_puts(out, "}");
    sb_member_uint(out, "surprises", r->surprises);
    sb_member_share(out, "surprises_per_100_actions", 100 * (double)r->surprises, r->actions);
    sb_member_uint(out, "plans", r->plans);
    sb_member_uint(out, "plans_came_true", r->plans_true);
    sb_member_uint(out, "ways_to_progress", r->ways);
    sb_member_uint(out, "ways_came_true", r->ways_true);
    sb_member_uint(out, "searches", r->searches);
    sb_member_uint(out, "searches_cut", r->searches_cut);
    sb_member_uint(out, "predictions", r->predictions);
    sb_member_uint(out, "asked", r->asked);
    sb_member_uint(out, "right", r->right);
    sb_member_share(out, "retrodiction", (double)r->right, r->asked);
    sb_member_double(out, "seconds", r->seconds);
}

static void put_stops(sb_out *out, const sb_effort *effort) {
    double baselines = 0;
    for (size_t i = 0; i < effort->n_levels; i++) baselines += effort->baselines[i];
    sb_put_key(out, "score_after");
    sb_puts(out, "[");
    for (size_t i = 0; i < SB_EFFICIENCY_STOPS; i++) {
        sb_put_comma(out), sb_puts(out, "[");
        sb_put_double(out, sb_efficiency_stops[i]), sb_put_comma(out);
        sb_put_double(out, sb_effort_score_at(effort, sb_efficiency_stops[i] * baselines)), sb_puts(out, "]");
    }
    sb_puts(out, "]");
}

static void put_play(sb_out *out, const sb_plan_report *r) {
    sb_member_success(out, r->criterion, &r->status);
    sb_member_double(out, "score_percent", sb_plan_score(r));
    if (r->effort.n_levels) {
        sb_member_effort(out, &r->effort);
        sb_member_double(out, "matched_budget", sb_effort_matched(&r->effort));
        put_stops(out, &r->effort);
    }
    put_counts(out, r);
}

static void put_episode(sb_out *out, const sb_planned *planned, bool alone) {
    char name[SB_NAME_MAX];
    sb_name_print(&planned->candidate.name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_text(out, "name", name);
    put_play(out, &planned->candidate);
    sb_put_key(out, "regret");
    if (alone) {
        sb_puts(out, "null");
        sb_put_key(out, "true_model");
        sb_puts(out, "null}");
        return;
    }
    sb_put_double(out, sb_plan_regret(planned));
    sb_put_key(out, "true_model");
    sb_puts(out, "{");
    put_play(out, &planned->truth);
    sb_puts(out, "}}");
}

static void put_regret(sb_out *out, const sb_plan_summary *s) {
    sb_put_key(out, "regret");
    if (s->alone)
        sb_puts(out, "null");
    else
        sb_put_double(out, s->regret);
    sb_put_key(out, "regret_interval");
    if (s->alone) {
        sb_puts(out, "null");
        return;
    }
    sb_puts(out, "[");
    sb_put_double(out, s->regret_interval.lower), sb_put_comma(out);
    sb_put_double(out, s->regret_interval.upper), sb_puts(out, "]");
}

static void put_truth(sb_out *out, const sb_plan_summary *s) {
    sb_put_key(out, "true_model");
    if (s->alone) {
        sb_puts(out, "null");
        return;
    }
    sb_puts(out, "{");
    sb_member_uint(out, "successes", s->true_successes);
    sb_member_efficiency(out, &s->truth);
    sb_member_uint(out, "searches", s->true_sums.searches);
    sb_member_uint(out, "searches_cut", s->true_sums.searches_cut);
    sb_puts(out, "}");
}

void sb_plan_put(const sb_plan_summary *s, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "model", s->model);
    sb_member_text(out, "version", s->version);
    sb_member_uint(out, "episodes_played", s->n);
    sb_member_uint(out, "successes", s->successes);
    sb_member_efficiency(out, &s->candidate);
    put_regret(out, s);
    put_counts(out, &s->sums);
    put_truth(out, s);
    sb_put_key(out, "episodes");
    sb_puts(out, "[");
    for (size_t i = 0; i < s->n; i++) {
        sb_puts(out, i ? ",\n" : "\n");
        put_episode(out, &s->episodes[i], s->alone);
    }
    sb_puts(out, "\n]}\n");
}
