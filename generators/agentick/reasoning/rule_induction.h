/* RuleInduction's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_RULE_INDUCTION_H
#define SB_AGENTICK_RULE_INDUCTION_H

#include "engine/gridworld/episode.h"

enum { SB_RULE_INDUCTION_TRIALS = 5, SB_RULE_INDUCTION_RULES = 5, SB_RULE_INDUCTION_OBJECTS = 4 };

/* What is in hand, what is stepped on, and what they make: object codes. */
typedef struct sb_rule_induction_rule {
    int32_t held, met, made;
} sb_rule_induction_rule;

typedef struct sb_rule_induction_vars {
    int32_t n_made, n_destroyed; /* combinations with and without a result, in all trials */
    int32_t trial, used;         /* which one, from 0; steps taken in it */
    bool crafted;                /* the target, in this trial */
    sb_xy start;
    int32_t target; /* object code */
    int32_t n_rules, n_objects;
    sb_rule_induction_rule rule[SB_RULE_INDUCTION_RULES]; /* no two of the same pair in the same order */
    int32_t kind[SB_RULE_INDUCTION_OBJECTS];              /* of what lies there when a trial begins; all different */
    sb_xy at[SB_RULE_INDUCTION_OBJECTS];
} sb_rule_induction_vars;

extern const sb_task sb_rule_induction;

/* What a pair makes: an object code, or SB_NONE if it is destroyed. */
static inline int sb_rule_induction_makes(const sb_rule_induction_vars *v, int held, int met) {
    for (int i = 0; i < v->n_rules; i++)
        if (v->rule[i].held == held && v->rule[i].met == met) return v->rule[i].made;
    return SB_NONE;
}

/* Of the free cells, row-major, the number of the one where the result of a combination appears. */
static inline int sb_rule_induction_site(sb_xy met_at, int used, int n_free) {
    return (met_at.x * 31 + met_at.y * 17 + used) % n_free;
}

/* Steps in a trial. */
static inline int sb_rule_induction_budget(const sb_episode *e) { return e->max_steps / SB_RULE_INDUCTION_TRIALS; }

#endif
