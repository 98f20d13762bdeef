#include "cli/score_tables.h"

#include <stdio.h>
#include <string.h>

#include "engine/lookup.h"
#include "evaluation/estimates.h"
#include "evaluation/report_tables.h"

/* The widths of the columns of names, and which optional columns are shown. */
typedef struct columns {
    int task, difficulty; /* difficulty 0: there are no difficulties */
    bool solvable;        /* there are certificates for some episode */
    bool score;           /* some task is judged by a score */
    const char *measured; /* what the score by efficiency is called; NULL: nothing is measured */
} columns;

static int wider(int width, const char *text) { return (int)strlen(text) > width ? (int)strlen(text) : width; }

static bool is_certified(const sb_tally *t) { return t->can_be_won + t->cannot_be_won > 0; }

static columns columns_of(const sb_summary *s) {
    columns c = {.solvable = is_certified(&s->all), .score = s->all.scored > 0, .measured = s->all.efficiency.name};
    for (size_t i = 0; i < s->n_pairs; i++) c.task = wider(c.task, s->pairs[i].task->name);
    for (size_t i = 0; i < s->n_categories; i++) c.task = wider(c.task, s->categories[i].name);
    const char *difficulties[SB_DIFFICULTIES_MAX];
    const size_t n_difficulties = sb_named_difficulties(s->family, difficulties);
    if (n_difficulties || s->n_difficulties) c.difficulty = wider(0, "difficulty");
    for (size_t i = 0; i < s->n_difficulties; i++) c.difficulty = wider(c.difficulty, s->difficulties[i].name);
    for (size_t i = 0; i < n_difficulties; i++) c.difficulty = wider(c.difficulty, difficulties[i]);
    return c;
}

static void put_names(sb_out *out, const columns *c, const char *task, const char *difficulty) {
    sb_putf(out, "%-*s ", c->task, task);
    if (c->difficulty) sb_putf(out, "%-*s ", c->difficulty, difficulty);
}

static double solvable_rate(const sb_tally *t) {
    return t->can_be_won ? (double)t->certified_successes / (double)t->can_be_won : 0;
}

static void put_solvable(sb_out *out, const columns *c, const sb_tally *t) {
    if (c->solvable && t->can_be_won)
        sb_putf(out, " %8.3f", solvable_rate(t));
    else if (c->solvable)
        sb_putf(out, " %8s", "-");
}

/* Puts the success rate; a dash for tasks that are not judged by success. */
static void put_rate(sb_out *out, const sb_tally *t) {
    if (t->judged)
        sb_putf(out, " %8.3f", t->success_rate);
    else
        sb_putf(out, " %8s", "-");
}

static void put_score(sb_out *out, const columns *c, const sb_tally *t) {
    if (c->score && t->scored)
        sb_putf(out, " %10.4f", t->mean_score);
    else if (c->score)
        sb_putf(out, " %10s", "-");
}

/* Puts the score by efficiency, how many levels were completed, and how many actions were taken. */
static void put_efficiency(sb_out *out, const columns *c, const sb_efficiency *e) {
    char levels[48];
    if (!c->measured) return;
    snprintf(levels, sizeof levels, "%llu/%llu", (unsigned long long)e->levels_completed,
             (unsigned long long)e->levels);
    sb_putf(out, " %10.2f %11s %9llu", e->score, levels, (unsigned long long)e->actions);
}

static void put_efficiency_heading(sb_out *out, const columns *c) {
    if (c->measured) sb_putf(out, " %10s %11s %9s", c->measured, "levels", "actions");
}

/* Puts how many steps a success takes; a dash where there was no success. */
static void put_success_steps(sb_out *out, const sb_tally *t) {
    if (t->successes)
        sb_putf(out, " %16.2f", t->mean_success_steps);
    else
        sb_putf(out, " %16s", "-");
}

static void print_pairs(sb_out *out, const columns *c, const sb_summary *s) {
    put_names(out, c, "task", "difficulty");
    sb_putf(out, "%8s %8s%s%s", "episodes", "success", c->solvable ? " solvable" : "", c->score ? " mean score" : "");
    put_efficiency_heading(out, c);
    sb_putf(out, " %12s %11s %16s\n", "mean return", "mean steps", "steps if solved");
    for (size_t i = 0; i < s->n_pairs; i++) {
        const sb_tally *t = &s->pairs[i].tally;
        put_names(out, c, s->pairs[i].task->name, s->pairs[i].difficulty);
        sb_putf(out, "%8zu", t->episodes);
        put_rate(out, t), put_solvable(out, c, t), put_score(out, c, t), put_efficiency(out, c, &t->efficiency);
        sb_putf(out, " %12.4f %11.2f", t->mean_return, t->mean_steps);
        put_success_steps(out, t);
        if (t->failures) sb_putf(out, "  %zu lost", t->failures);
        if (t->faults) sb_putf(out, "  %zu by a fault", t->faults);
        sb_putc(out, '\n');
    }
}

static void print_group(sb_out *out, const columns *c, const char *what, const char *name, const sb_tally *t) {
    put_names(out, c, what, name);
    sb_putf(out, "%8zu", t->episodes);
    put_rate(out, t), put_solvable(out, c, t), put_score(out, c, t), put_efficiency(out, c, &t->efficiency);
    sb_putf(out, " %12.4f", t->mean_return);
    if (t->judged) sb_putf(out, "  success %.3f..%.3f", t->success_wilson.lower, t->success_wilson.upper);
    if (t->scored) sb_putf(out, "  score %.4f..%.4f", t->score_interval.lower, t->score_interval.upper);
    if (c->measured)
        sb_putf(out, "  %s %.2f..%.2f", c->measured, t->efficiency.interval.lower, t->efficiency.interval.upper);
    sb_putc(out, '\n');
}

static void print_groups(sb_out *out, const columns *c, const sb_summary *s) {
    sb_putc(out, '\n');
    for (size_t i = 0; i < s->n_categories; i++)
        print_group(out, c, s->categories[i].name, "", &s->categories[i].tally);
    for (size_t i = 0; i < s->n_difficulties; i++)
        print_group(out, c, "", s->difficulties[i].name, &s->difficulties[i].tally);
    print_group(out, c, "all", "", &s->all);
}

/* A bootstrap of one value, or of values that are all alike, knows nothing of its error. */
static void print_score(sb_out *out, const sb_score *score, size_t n_tasks) {
    const sb_interval *i = &score->total.interval;
    sb_putf(out, "%.4f  ", score->total.score);
    if (sb_has_width(i)) sb_putf(out, "(%.4f..%.4f)", i->lower, i->upper);
    if (!sb_has_width(i)) sb_puts(out, score->total.n_parts == 1 ? "(no interval: one category)" : "(no interval)");
    sb_putf(out, " over %zu of %zu tasks\n", score->tasks, n_tasks);
}

static void print_scores(sb_out *out, const sb_summary *s, const sb_baseline *baseline) {
    char label[SB_BASELINE_LABEL];
    if (s->only_tests) return;
    sb_putc(out, '\n');
    for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) {
        const sb_score *score = &s->scores[kind];
        sb_putf(out, "%-12s ", sb_score_names[kind]);
        if (!score->known)
            sb_putf(out, "unknown: %s\n", score->missing);
        else
            print_score(out, score, s->family->n_tasks);
    }
    sb_baseline_label(baseline->frozen, baseline->hash, label);
    sb_putf(out, "%-12s %s, by which returns are normalised\n", "baseline", label);
}

static void print_estimate(sb_out *out, const char *score, const sb_estimate *e) {
    sb_putf(out, "%-12s %s %.4f +- %.4f  (%.4f..%.4f)", "of all", score, e->value, e->half, e->interval.lower,
            e->interval.upper);
}

/* What episodes that were drawn under a budget tell of all official ones. */
static void print_estimates(sb_out *out, const sb_results *results, const sb_estimates *e) {
    if (!e->known) return;
    print_estimate(out, "success", &e->success);
    sb_putf(out, ", estimated from %zu of %zu", e->drawn, e->of);
    if (results->budget.budget.seed)
        sb_putf(out, ", drawn by seed %llu", (unsigned long long)results->budget.budget.seed);
    sb_putc(out, '\n');
    if (!e->has_leaderboard) return;
    print_estimate(out, sb_score_names[SB_SCORE_LEADERBOARD], &e->leaderboard);
    sb_putc(out, '\n');
}

static void print_solvable(sb_out *out, const sb_tally *t) {
    if (!is_certified(t)) return;
    sb_putf(out, "%-12s %.4f  (%zu of %zu that can be won; %zu cannot, %zu unknown)\n", "solvable", solvable_rate(t),
            t->certified_successes, t->can_be_won, t->cannot_be_won, t->episodes - t->can_be_won - t->cannot_be_won);
}

/* Prints the chance that one of k attempts succeeds, for every k. */
static void print_passes(sb_out *out, const sb_tally *t) {
    if (!t->n_pass_at) return;
    sb_putf(out, "%-12s", "pass@k");
    for (size_t k = 0; k < t->n_pass_at; k++) sb_putf(out, " %zu: %.4f", k + 1, t->pass_at[k]);
    sb_putc(out, '\n');
}

/* Prints what the numbers in the columns are, and which intervals the rows above have. */
static void print_legend(sb_out *out, const columns *c, const sb_tally *t) {
    if (!t->judged) return;
    sb_putf(out, "%-12s success: share of episodes won;%s mean return: sum of sparse rewards\n", "columns",
            c->solvable ? " solvable: the same, of those that can be won;" : "");
    sb_putf(out, "%-12s a..b, 95 %%; of success Wilson's, all others by bootstrap\n", "intervals");
}

/* The scores by efficiency, in percent. */
static void print_efficiency(sb_out *out, const sb_efficiency *e) {
    if (!e->episodes) return;
    sb_putf(out, "%-12s %.2f  (%.2f..%.2f) percent; %llu of %llu levels, %llu actions", e->name, e->score,
            e->interval.lower, e->interval.upper, (unsigned long long)e->levels_completed,
            (unsigned long long)e->levels, (unsigned long long)e->actions);
    if (e->levels_completed)
        sb_putf(out, " (%.2f on a completed level)", (double)e->solving_actions / (double)e->levels_completed);
    sb_putc(out, '\n');
    sb_putf(out, "%-12s %llu resets, %llu tries lost; with as many actions at the baselines' pace: %.2f\n", "",
            (unsigned long long)e->resets, (unsigned long long)e->losses, e->matched);
    sb_putf(out, "%-12s", "if stopped");
    for (size_t i = 0; i < SB_EFFICIENCY_STOPS; i++) sb_putf(out, " %g: %.2f", sb_efficiency_stops[i], e->stopped[i]);
    sb_puts(out, "  (after that many times the baselines)\n");
}

static void print_test(sb_out *out, const sb_test_scores *t) {
    sb_putf(out, "%-12s %-13s %4zu  %.4f  (%.4f..%.4f)", t->kind->name, sb_test_group(t, ""), t->episodes, t->mean,
            t->interval.lower, t->interval.upper);
    if (t->kind->chance > 0)
        sb_putf(out, "  corrected for chance %.4f  (%.4f..%.4f)", t->corrected, t->corrected_interval.lower,
                t->corrected_interval.upper);
    if (t->kind->detects)
        sb_putf(out, "  ends at 0 %.4f  (%.4f..%.4f)  changed in %zu", t->zero, t->zero_interval.lower,
                t->zero_interval.upper, t->changed);
    sb_putc(out, '\n');
}

/* The scores of tests, by kind, category and dynamics. */
static void print_tests(sb_out *out, const sb_summary *s) {
    if (s->n_tests) sb_putc(out, '\n');
    for (size_t i = 0; i < s->n_tests; i++) print_test(out, &s->tests[i]);
}

static void print_cost(sb_out *out, const sb_tally *t) {
    for (int i = 0; i < SB_COUNTERS; i++)
        if (t->spent.has & 1u << i)
            sb_putf(out, "%-12s %s%.12g, as the agent reports it\n", sb_counter_titles[i],
                    t->partly >> i & 1 ? "at least " : "", t->spent.value[i]);
    if (!sb_has_marks(&t->spent)) return;
    sb_put_marks(out, &t->spent);
    sb_puts(out, ", as the agent reports them\n");
}

/* Writes how many episodes of the family were lost, and in which ways. */
static void print_losses(sb_out *out, const sb_results *results, const sb_family *family, size_t failures) {
    size_t by_kind[SB_N_FAILURES] = {0};
    const char *before = " (";
    for (size_t i = 0; i < results->n; i++)
        if (strcmp(results->episodes[i].tape.name.family, family->name) == 0)
            by_kind[results->episodes[i].failure.kind]++;
    sb_putf(out, "\n%zu episode%s lost", failures, failures == 1 ? " was" : "s were");
    for (size_t kind = SB_NO_FAILURE + 1; kind < SB_N_FAILURES; kind++) {
        if (!by_kind[kind]) continue;
        sb_putf(out, "%s%zu by `%s`", before, by_kind[kind], sb_failure_names[kind]);
        before = ", ";
    }
    sb_puts(out, "), such as\n");
}

static void print_failures(sb_out *out, const sb_results *results, const sb_family *family, size_t failures) {
    enum { SHOWN = 5 };
    size_t n = 0;
    if (!failures) return;
    print_losses(out, results, family, failures);
    for (size_t i = 0; i < results->n && n < SHOWN; i++) {
        const sb_played *played = &results->episodes[i];
        char name[SB_NAME_MAX];
        if (!played->failure.kind || strcmp(played->tape.name.family, family->name) != 0) continue;
        sb_name_print(&played->tape.name, name, sizeof name);
        sb_putf(out, "  %s, step %zu: %s\n", name, played->tape.n, played->failure.text);
        n++;
    }
}

static void print_faults(sb_out *out, size_t faults) {
    if (faults)
        sb_putf(out, "\n%zu episode%s ended by a fault of the world: played, and no success\n", faults,
                sb_plural(faults));
}

bool cli_put_score_tables(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error) {
    sb_putf(out, "agent %s\n", results->agent);
    if (results->sees) sb_putf(out, "sees  %s (" SB_PLUGIN_STANDING ")\n", sb_plugin_kinds[results->sees]);
    if (*results->salt) sb_putf(out, "salt  %s\n", results->salt);
    for (const sb_family *const *family = sb_families; *family; family++) {
        sb_summary summary;
        if (!sb_has_family(results, *family)) continue;
        sb_estimates estimates;
        const bool ok = sb_summarise(results, *family, baseline, &summary, error) &&
                        sb_estimate_all(results, &estimates, error);
        if (ok) {
            const columns c = columns_of(&summary);
            print_pairs(out, &c, &summary);
            print_groups(out, &c, &summary);
            print_tests(out, &summary);
            print_scores(out, &summary, baseline);
            print_estimates(out, results, &estimates);
            print_solvable(out, &summary.all);
            print_passes(out, &summary.all);
            print_efficiency(out, &summary.all.efficiency);
            print_legend(out, &c, &summary.all);
            print_cost(out, &summary.all);
            print_faults(out, summary.all.faults);
            print_failures(out, results, *family, summary.all.failures);
        }
        sb_summary_free(&summary);
        if (!ok) return false;
    }
    return true;
}
