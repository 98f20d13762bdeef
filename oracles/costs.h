/* Costs, for the layers above: who can tell them. */
#ifndef SB_ORACLES_COSTS_H
#define SB_ORACLES_COSTS_H

#include "oracles/oracle.h"
#include "seedbed/costs.h"

/* Checks whether the agent can tell what actions cost in episodes of a task that are judged so. The error says why
 * not. */
bool sb_can_tell_costs(const char *agent, const sb_name *name, sb_criterion criterion, sb_error *error);

#endif
