/* Costs, for the layers above: who can tell them. */
#ifndef SB_ORACLES_COSTS_H
#define SB_ORACLES_COSTS_H

#include <math.h>

#include "oracles/oracle.h"
#include "seedbed/costs.h"

/* Checks whether the agent can tell what actions cost in episodes of a task that are judged so. The error says why
 * not. */
bool sb_can_tell_costs(const char *agent, const sb_name *name, sb_criterion criterion, sb_error *error);

/* Progress as a reward (sb_costs_potential). Costs may serve many episodes in turn. */
typedef struct sb_progress {
    double gamma, potential; /* of the state before the next step; NaN: not known yet */
} sb_progress;

static inline sb_progress sb_progress_by(double gamma) { return (sb_progress){gamma, NAN}; }
/* Finds the potential, if it is not known. */
bool sb_progress_begin(sb_progress *progress, sb_costs *costs, const sb_env *env, sb_error *error);
/* Tells the reward of the step that led to the state in `env`, or (NULL) to the end of an episode that is no longer
 * there. It must have begun before that step. */
bool sb_progress_step(sb_progress *progress, sb_costs *costs, const sb_env *env, const sb_result *result,
                      double *reward, sb_error *error);

#endif
