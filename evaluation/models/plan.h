/* Plays real episodes, thinking in a candidate: plans are looked for in what it predicts, and one action at a time is
 * taken for real (docs/world-models.md, "Planning"). */
#ifndef SB_EVALUATION_MODELS_PLAN_H
#define SB_EVALUATION_MODELS_PLAN_H

#include "base/out.h"
#include "engine/efficiency.h"
#include "evaluation/models/candidate.h"

enum { SB_PLAN_NODES = 20000, SB_PLAN_DEPTH = 200 /* limits of a search, unless told otherwise */ };

/* Why an action was taken. */
typedef enum sb_plan_reason {
    SB_BY_PLAN,     /* the action is on the way to the end of the level, or to the goal, as the candidate has it */
    SB_BY_PROGRESS, /* the action is on the way to more progress */
    SB_BY_PROBE,    /* there was no plan: the action taken least often in this very frame */
    SB_BY_RESET,    /* the game was over, or the test was still to begin */
    SB_PLAN_REASONS
} sb_plan_reason;
extern const char *const sb_plan_reasons[SB_PLAN_REASONS]; /* `plan`, `progress`, `probe`, `reset` */

/* What an episode came to. */
typedef struct sb_plan_report {
    sb_name name;
    sb_status status;
    sb_criterion criterion;
    /* name of the effort's score: `rhae-proxy`; NULL: the family does not measure it */
    const char *score_name;
    sb_effort effort;
    uint64_t actions, by[SB_PLAN_REASONS];
    uint64_t surprises; /* actions after which the frame, done or over were not as predicted */
    /* plans to the goal (plans) and to more progress (ways): found, and come true to their end */
    uint64_t plans, plans_true, ways, ways_true;
    uint64_t searches, searches_cut, predictions;
    uint64_t asked, right; /* retrodiction on the play itself: transitions, and those right before they were learnt */
    double seconds;        /* spent waiting for the candidate */
} sb_plan_report;

typedef struct sb_plan_options {
    const sb_catalogue *catalogue;
    uint64_t nodes, depth; /* predictions and steps of a search; 0: the usual */
    uint64_t actions;      /* actions after which the play ends; 0: the episode's limit */
    sb_out *log;           /* the play's log of transitions is appended to it; NULL: none is written */
    void (*progress)(void *context, size_t n, size_t of); /* actions of this episode; may be NULL */
    void *context;
} sb_plan_options;

/* Plays an episode in `env`. Fails if it has no frames or nothing to reach, and for errors of this process; failures of
 * the candidate are mispredictions. */
bool sb_plan_play(sb_env *env, const sb_name *name, sb_candidate *candidate, const sb_plan_options *options,
                  sb_plan_report *report, sb_error *error);

#endif
