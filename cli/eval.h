/* What `seedbed eval` is asked, and evaluations one after another for experiments. */
#ifndef SB_CLI_EVAL_H
#define SB_CLI_EVAL_H

#include "agents/agent.h"
#include "cli/command.h"
#include "evaluation/evaluate.h"

enum { CLI_KEPT = 4300 /* bytes of a path and a sentence */ };

typedef struct cli_eval_options {
    cli_common common;
    sb_request request;
    sb_eval_budget budget; /* all of the budget but its purpose, which `for_leaderboard` says */
    sb_agent_options agent;
    uint64_t log_mib, attempts;
    sb_run_limits limits; /* all limits but the hours */
    double hours;
    bool has_hours, has_cost, has_until; /* whether hours, cost and until were given */
    bool resume, retry_lost, force;
    bool for_leaderboard; /* whether the budget estimates the score `leaderboard` best */
    const char *instructions, *output, *baseline, *certificates, *label, *shard, *about, *log;
} cli_eval_options;

/* What became of an evaluation's episodes. */
typedef struct cli_eval_fate {
    size_t lost;
    char kept[CLI_KEPT]; /* after a failure, for the user: how many were played, and where they are; "": none were */
} cli_eval_fate;

/* Plays what the options ask for; `out` receives what there is to print. After a failure what was played is kept where
 * the options name a file. */
bool cli_evaluate(cli_eval_options *options, sb_out *out, cli_eval_fate *fate, sb_error *error);
/* Checks the limits that were given. */
bool cli_eval_check_limits(const cli_eval_options *options, sb_error *error);
/* Says what was kept of a failed evaluation, after the error was said. */
void cli_eval_tell_kept(const cli_eval_fate *fate);

/* Runs all evaluations of an experiment, one after another, and writes the report; returns the exit code. */
int cli_run_experiment(const cli_command *self, const cli_eval_options *options, const char *path);

#endif
