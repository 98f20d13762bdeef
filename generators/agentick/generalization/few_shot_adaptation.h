/* FewShotAdaptation's variables, for its generator, its oracles and its tests. */
#ifndef SB_AGENTICK_FEW_SHOT_ADAPTATION_H
#define SB_AGENTICK_FEW_SHOT_ADAPTATION_H

#include "engine/gridworld/episode.h"
#include "engine/gridworld/parts/cells.h"

enum { SB_FEW_SHOT_TRIALS = 5, SB_FEW_SHOT_CANDIDATES = 4 };

/* The rule that decides which candidate is right. */
typedef enum sb_few_shot_rule {
    SB_RULE_GOTO_TYPE,      /* the candidate of the target type */
    SB_RULE_NEAREST_CORNER, /* the candidate closest to a corner of the room */
    SB_RULE_FURTHEST_START, /* the candidate farthest from the agent's start */
    SB_RULE_MOST_OPEN,      /* the candidate with the fewest walls beside it */
    SB_N_FEW_SHOT_RULES
} sb_few_shot_rule;

typedef struct sb_few_shot_trial {
    sb_xy at[SB_FEW_SHOT_CANDIDATES];
    int32_t type[SB_FEW_SHOT_CANDIDATES]; /* an sb_object for each candidate */
    int32_t correct;
} sb_few_shot_trial;

typedef struct sb_few_shot_adaptation_vars {
    sb_xy start;
    int32_t n_demos, n_candidates, n_rules; /* n_rules: rules to draw from, the first ones of the enum */
    int32_t current, trial_step;            /* index of the trial, and its steps so far (not counted in the test) */
    int32_t rule, target_type;
    sb_few_shot_trial trial[SB_FEW_SHOT_TRIALS]; /* the demonstrations, and the test at n_demos */
} sb_few_shot_adaptation_vars;

/* The types of candidates in the published order. A difficulty uses as many as it has candidates. */
extern const sb_object sb_few_shot_types[SB_FEW_SHOT_CANDIDATES];

/* Returns how well a candidate at `p` fits the rule. The first candidate with the highest score is the right one. Only
 * SB_RULE_GOTO_TYPE uses `type` and `target_type`. */
int sb_few_shot_score(const sb_episode *e, int rule, sb_xy p, int type, int target_type);
/* Draws a trial by the rule of the episode. No two trials share a cell, so it takes its cells out of the pool. */
void sb_few_shot_draw_trial(const sb_episode *e, sb_few_shot_trial *t, sb_cells *pool, sb_rng *rng);
/* Returns the steps that are left until the test appears; 0 in the test. */
int sb_few_shot_until_test(const sb_episode *e);

extern const sb_task sb_few_shot_adaptation;

#endif
