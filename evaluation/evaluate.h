/* How well an agent does: every episode of a selection played, successes and means per task and variant. */
#ifndef SB_EVALUATE_H
#define SB_EVALUATE_H

#include "rollout/selection.h"

typedef struct sb_score {
    char family[16], task[40], variant[16];
    uint64_t episodes, successes;
    double total, dense_total;     /* sums of the returns, added in the order of the episodes */
    uint64_t steps, success_steps; /* all steps; steps of the successful episodes */
} sb_score;

typedef struct sb_scores {
    sb_score *of; /* one per task and variant, in the order of the selection */
    size_t n;
} sb_scores;

typedef struct sb_evaluation {
    const sb_selection *selection;
    const char *agent;
    size_t jobs;                                                    /* 0: one a processor */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL */
    void *context;
} sb_evaluation;

/* The caller frees the scores, also after a failure. */
bool sb_evaluate(const sb_evaluation *evaluation, sb_scores *scores, sb_error *error);
void sb_scores_free(sb_scores *scores);

#endif
