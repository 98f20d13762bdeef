/* seedbed model plan: plays games, thinking in a model of them. */
#ifndef SB_CLI_MODEL_PLAN_H
#define SB_CLI_MODEL_PLAN_H

#include "cli/command.h"
#include "models/plan.h"

/* What the command was asked for; zeros are the defaults of models/plan.h. */
typedef struct cli_planning {
    const cli_common *common;
    const sb_request *request; /* which episodes */
    const sb_candidate_rules *rules;
    uint64_t nodes, depth, actions;
    const char *log; /* where the transitions go; NULL: nowhere */
} cli_planning;

/* Plays and reports; returns the exit code. */
int cli_model_plan(const cli_planning *planning);

#endif
