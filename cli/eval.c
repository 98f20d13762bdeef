/* seedbed eval: how well an agent does. */
#include "cli/cli.h"
#include "evaluation/evaluate.h"

static double mean(double sum, uint64_t n) { return n ? sum / (double)n : 0; }

static void print_json(sb_out *out, const char *agent, const sb_scores *scores) {
    sb_puts(out, "{");
    sb_member_text(out, "agent", agent);
    sb_put_key(out, "scores");
    sb_puts(out, "[");
    for (size_t i = 0; i < scores->n; i++) {
        const sb_score *s = &scores->of[i];
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "family", s->family);
        sb_member_text(out, "task", s->task);
        sb_member_text(out, "difficulty", s->variant);
        sb_member_uint(out, "episodes", s->episodes);
        sb_member_uint(out, "successes", s->successes);
        sb_member_double(out, "success_rate", mean((double)s->successes, s->episodes));
        sb_member_double(out, "mean_return", mean(s->total, s->episodes));
        sb_member_double(out, "mean_dense_return", mean(s->dense_total, s->episodes));
        sb_member_double(out, "mean_steps", mean((double)s->steps, s->episodes));
        sb_member_double(out, "mean_steps_of_successes", mean((double)s->success_steps, s->successes));
        sb_puts(out, "}");
    }
    sb_puts(out, "]}\n");
}

static void print_table(sb_out *out, const char *agent, const sb_scores *scores) {
    sb_putf(out, "agent %s\n%-24s %-10s %8s %8s %12s %11s %17s\n", agent, "task", "difficulty", "episodes", "success",
            "mean return", "mean steps", "steps if solved");
    for (size_t i = 0; i < scores->n; i++) {
        const sb_score *s = &scores->of[i];
        sb_putf(out, "%-24s %-10s %8llu %8.3f %12.4f %11.2f %17.2f\n", s->task, s->variant,
                (unsigned long long)s->episodes, mean((double)s->successes, s->episodes), mean(s->total, s->episodes),
                mean((double)s->steps, s->episodes), mean((double)s->success_steps, s->successes));
    }
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_request request = {0};
    sb_selection selection = {0};
    const char *agent = "expert";
    const cli_option options[] = {CLI_AGENT_OPTIONS(agent), CLI_SELECTION_OPTIONS(request), CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    sb_error error;
    sb_scores scores = {0};
    sb_out out = sb_out_growing();
    request.names = (const char *const *)argv, request.n_names = (size_t)n;
    cli_progress progress = cli_progress_begin(&common, "played");
    const sb_evaluation evaluation = {.selection = &selection,
                                      .agent = agent,
                                      .jobs = (size_t)common.jobs,
                                      .progress = cli_progress_show,
                                      .context = &progress};
    const bool ok = sb_select(&request, &selection, &error) && sb_evaluate(&evaluation, &scores, &error);
    cli_progress_end(&progress);
    if (ok) (common.json ? print_json : print_table)(&out, agent, &scores);
    sb_scores_free(&scores);
    sb_selection_free(&selection);
    return ok ? cli_emit(&out) : cli_fail(&error);
}

const cli_command cli_eval = {
    .name = "eval",
    .summary = "play every episode of a selection and report success, return and steps",
    .usage = "[selection] [--agent NAME] [--json]",
    .help = "Plays every selected episode and prints, per task and difficulty, the success rate, the mean return\n"
            "(sparse rewards) and the mean number of steps.\n\n"
            "  seedbed eval --agent expert --split eval\n"
            "  seedbed eval --agent random --tasks GoToGoal --difficulty easy --split train --count 200\n\n"
            "The random agent draws uniformly among all actions, from a generator seeded by the episode's name.",
    .run = run,
};
