/* Costs, for the layers above: who can tell them, how much worse one action is than another, and that in words. */
#ifndef SB_ORACLES_COSTS_H
#define SB_ORACLES_COSTS_H

#include <math.h>

#include "base/out.h"
#include "oracles/oracle.h"
#include "seedbed/costs.h"

/* Checks whether the agent can tell what actions cost in episodes of a task that are judged so. The error says why
 * not. */
bool sb_can_tell_costs(const char *agent, const sb_name *name, sb_criterion criterion, sb_error *error);

/* Whether the oracle may look at everything that decides the future, but for random draws. */
bool sb_knows_the_state(const sb_oracle *oracle, const sb_name *name);

/* Forgets what was found out in earlier states, so that the same questions get the same answers whatever was asked
 * before. */
void sb_costs_forget(sb_costs *costs);

/* Progress as a reward (sb_costs_potential). Costs may serve many episodes in turn. */
typedef struct sb_progress {
    double gamma, potential; /* potential of the state before the next step; NaN: not known yet */
} sb_progress;

static inline sb_progress sb_progress_by(double gamma) { return (sb_progress){gamma, NAN}; }
/* Finds the potential, if it is not known. */
bool sb_progress_begin(sb_progress *progress, sb_costs *costs, const sb_env *env, sb_error *error);
/* Tells the reward of the step that led to the state in `env`, or (NULL) to the end of an episode that is no longer
 * there. It must have begun before that step. */
bool sb_progress_step(sb_progress *progress, sb_costs *costs, const sb_env *env, const sb_result *result,
                      double *reward, sb_error *error);

/* Returns the cost that looks best: the first of those that succeed most often and then in the fewest steps; n >= 1. */
const sb_cost *sb_best_cost(const sb_cost *costs, size_t n);

typedef enum sb_regret_unit { SB_REGRET_UNKNOWN, SB_REGRET_STEPS, SB_REGRET_PROBABILITY } sb_regret_unit;

/* How much worse an action is than the best one. A larger unit is worse in any number. */
typedef struct sb_regret {
    sb_regret_unit unit; /* probability of success, if that differs; otherwise steps. Unknown if one of the costs is */
    double by;
} sb_regret;

/* Returns how much worse a cost is than `best`, which is sb_best_cost of the same state. The regret of all actions that
 * are best is 0. */
sb_regret sb_regret_of(const sb_cost *cost, const sb_cost *best);
/* Returns `steps` or `probability`; an empty text if the unit is unknown. */
const char *sb_regret_unit_name(sb_regret_unit unit);

/* Writes a cost in words, such as `4 steps to success, proven shortest`, or, if the action is none of the best, `2
 * steps more than move_up`. `env` is in the state of the costs. */
void sb_put_cost_words(sb_out *out, const sb_env *env, const sb_cost *cost, const sb_cost *best);

#endif
