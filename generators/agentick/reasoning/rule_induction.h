/* RuleInduction's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_RULE_INDUCTION_H
#define SB_AGENTICK_RULE_INDUCTION_H

#include "engine/gridworld/episode.h"

enum { SB_RULE_INDUCTION_TRIALS = 5, SB_RULE_INDUCTION_RULES = 5, SB_RULE_INDUCTION_OBJECTS = 4 };

/* Object codes: the one in hand, the one stepped on, and the one that they make. */
typedef struct sb_rule_induction_rule {
    int32_t held, met, made;
} sb_rule_induction_rule;

typedef struct sb_rule_induction_vars {
    int32_t n_made, n_destroyed; /* combinations with and without a result, over all trials */
    int32_t trial, used;         /* index of the trial; steps taken in it */
    bool crafted;                /* whether the target was made in this trial */
    sb_xy start;
    int32_t target; /* object code of the target */
    int32_t n_rules, n_objects;
    sb_rule_induction_rule rule[SB_RULE_INDUCTION_RULES]; /* every ordered pair at most once */
    int32_t kind[SB_RULE_INDUCTION_OBJECTS]; /* kinds of the objects at the start of a trial; all different */
    sb_xy at[SB_RULE_INDUCTION_OBJECTS];
} sb_rule_induction_vars;

extern const sb_task sb_rule_induction;

/* Returns the object code that a pair makes, or SB_NONE if the pair is destroyed. */
static inline int sb_rule_induction_makes(const sb_rule_induction_vars *v, int held, int met) {
    for (int i = 0; i < v->n_rules; i++)
        if (v->rule[i].held == held && v->rule[i].met == met) return v->rule[i].made;
    return SB_NONE;
}

/* Returns the index among the free cells, row by row, where the result of a combination appears. */
static inline int sb_rule_induction_site(sb_xy met_at, int used, int n_free) {
    return (met_at.x * 31 + met_at.y * 17 + used) % n_free;
}

/* Returns the steps in a trial. */
static inline int sb_rule_induction_budget(const sb_episode *e) { return e->max_steps / SB_RULE_INDUCTION_TRIALS; }

#endif
