/* Evaluation under a budget: which of the official episodes are played. They are drawn from *strata*: each is a pair of
 * task and difficulty, or, if the budget has less than two episodes for each pair, several neighbouring difficulties of
 * a task. The draw follows from the names of the episodes: who asks for more gets the same and others besides, and
 * nobody can draw again until the draw is lucky, but by another seed, which results and reports show. */
#ifndef SB_BUDGET_H
#define SB_BUDGET_H

#include "rollout/selection.h"

typedef enum sb_eval_budget_for { SB_BUDGET_SUCCESS, SB_BUDGET_LEADERBOARD, SB_N_BUDGETS_FOR } sb_eval_budget_for;
extern const char *const sb_eval_budget_for_names[]; /* `success`, `leaderboard`; NULL-terminated */

/* The budget that is asked for; zeroed: none. */
typedef struct sb_eval_budget {
    uint64_t episodes; /* episodes of the first batch; 0: two of each pair */
    /* 0: only the first batch is played; else more batches, each of one more episode of every stratum, until half the
     * width of the score's interval is at most this */
    double until;
    uint64_t seed;              /* 0, unless somebody wants another draw */
    sb_eval_budget_for purpose; /* the score that is to be exact */
} sb_eval_budget;

static inline bool sb_has_eval_budget(const sb_eval_budget *budget) { return budget->episodes || budget->until > 0; }

/* Checks half the width of an interval, as somebody gave it. */
bool sb_eval_budget_check_until(double until, sb_error *error);
/* Checks what does not depend on the selection. */
bool sb_eval_budget_check(const sb_eval_budget *budget, sb_error *error);
/* Writes the budget as a JSON object, and reads it. */
void sb_eval_budget_print(const sb_eval_budget *budget, sb_out *out);
bool sb_eval_budget_read(const cJSON *object, sb_eval_budget *budget, sb_error *error);
/* Writes the budget in words, each part behind a comma. */
void sb_eval_budget_describe(const sb_eval_budget *budget, sb_out *out);

/* The official episodes of one task, in neighbouring difficulties; they follow each other in the selection. */
typedef struct sb_stratum {
    size_t n, drawn; /* episodes; how many of them are in the first batch */
    size_t pairs;    /* of task and difficulty */
    const sb_task_info *task;
    char difficulty[SB_DIFFICULTIES_MAX *
                    sizeof((sb_name *)0)->difficulty]; /* names of difficulties, separated by commas */
    /* The stratum's share of each score: of success by episodes; of the leaderboard's, in which all categories count
     * the same, by pairs, or 0 if not all pairs of the family are selected. */
    double weights[SB_N_BUDGETS_FOR];
} sb_stratum;

/* What may be played under a budget. Starts zeroed. */
typedef struct sb_eval_budget_plan {
    sb_eval_budget budget;
    const sb_family *family;
    sb_stratum *strata; /* NULL: there is no budget */
    size_t n_strata;
    uint16_t *stratum_of; /* of every episode of the selection that was drawn */
    size_t n;             /* episodes that may be played */
    size_t first;         /* episodes of the first batch, which is played in any case */
    size_t of;            /* official episodes that the draw is from */
} sb_eval_budget_plan;

/* Replaces the episodes of the selection, which the request gave, by those that may be played: the first batch in the
 * order of the selection, then, if the budget is `until`, all others batch by batch. Fails if the request is not for
 * official episodes, or the budget is too small or too large for them. The caller frees the plan, also after a
 * failure. Does nothing without a budget. */
bool sb_eval_budget_draw(const sb_eval_budget *budget, const sb_request *request, sb_selection *selection,
                         sb_eval_budget_plan *plan, sb_error *error);
void sb_eval_budget_free(sb_eval_budget_plan *plan);
/* Returns how many episodes there are when the batch ends that follows the first n. */
size_t sb_eval_budget_batch(const sb_eval_budget_plan *plan, size_t n);

#endif
