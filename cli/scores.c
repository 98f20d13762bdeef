#include "cli/scores.h"

static void print_pairs(sb_out *out, const sb_summary *s) {
    sb_putf(out, "%-24s %-10s %8s %8s %12s %11s %17s\n", "task", "difficulty", "episodes", "success", "mean return",
            "mean steps", "steps if solved");
    for (size_t i = 0; i < s->n_pairs; i++) {
        const sb_tally *t = &s->pairs[i].tally;
        sb_putf(out, "%-24s %-10s %8zu %8.3f %12.4f %11.2f %17.2f", s->pairs[i].task->name, s->pairs[i].variant,
                t->episodes, t->success_rate, t->mean_return, t->mean_steps, t->mean_success_steps);
        if (t->failures) sb_putf(out, "  %zu lost", t->failures);
        sb_putc(out, '\n');
    }
}

static void print_group(sb_out *out, const char *what, const char *name, const sb_tally *t) {
    sb_putf(out, "%-24s %-10s %8zu %8.3f %12.4f  success %.3f..%.3f\n", what, name, t->episodes, t->success_rate,
            t->mean_return, t->success_interval.lower, t->success_interval.upper);
}

static void print_groups(sb_out *out, const sb_summary *s) {
    sb_putc(out, '\n');
    for (size_t i = 0; i < s->n_categories; i++) print_group(out, s->categories[i].name, "", &s->categories[i].tally);
    for (size_t i = 0; i < s->n_variants; i++) print_group(out, "", s->variants[i].name, &s->variants[i].tally);
    print_group(out, "all", "", &s->all);
}

static void print_scores(sb_out *out, const sb_summary *s) {
    sb_putc(out, '\n');
    for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) {
        const sb_score *score = &s->scores[kind];
        sb_putf(out, "%-12s ", sb_score_names[kind]);
        if (!score->known)
            sb_putf(out, "unknown: %s\n", score->missing);
        else
            sb_putf(out, "%.4f  (%.4f..%.4f) over %zu of %zu tasks\n", score->total.score, score->total.interval.lower,
                    score->total.interval.upper, score->tasks, s->family->n_tasks);
    }
}

static void print_solvable(sb_out *out, const sb_tally *t) {
    if (t->can_be_won + t->cannot_be_won == 0) return;
    sb_putf(out, "%-12s %.4f  (%zu of %zu that can be won; %zu cannot, %zu unknown)\n", "solvable",
            t->can_be_won ? (double)t->certified_successes / (double)t->can_be_won : 0, t->certified_successes,
            t->can_be_won, t->cannot_be_won, t->episodes - t->can_be_won - t->cannot_be_won);
}

static void print_failures(sb_out *out, const sb_results *results, const sb_family *family, size_t failures) {
    enum { SHOWN = 5 };
    size_t n = 0;
    if (!failures) return;
    sb_putf(out, "\n%zu episode%s lost, such as\n", failures, failures == 1 ? " was" : "s were");
    for (size_t i = 0; i < results->n && n < SHOWN; i++) {
        const sb_played *played = &results->episodes[i];
        char name[SB_NAME_MAX];
        if (!played->failure.kind || strcmp(played->tape.name.family, family->name) != 0) continue;
        sb_name_print(&played->tape.name, name, sizeof name);
        sb_putf(out, "  %s, step %zu: %s\n", name, played->tape.n, played->failure.text);
        n++;
    }
}

bool cli_print_scores(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error) {
    sb_putf(out, "agent %s\n", results->agent);
    for (const sb_family *const *family = sb_families; *family; family++) {
        sb_summary summary;
        if (!sb_has_family(results, *family)) continue;
        const bool ok = sb_summarise(results, *family, baseline, &summary, error);
        if (ok) {
            print_pairs(out, &summary);
            print_groups(out, &summary);
            print_scores(out, &summary);
            print_solvable(out, &summary.all);
            print_failures(out, results, *family, summary.all.failures);
        }
        sb_summary_free(&summary);
        if (!ok) return false;
    }
    return true;
}
