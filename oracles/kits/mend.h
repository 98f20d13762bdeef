/* Mends a plan that the agent has left: it walks to where the plan next changes something, and goes on from there. */
#ifndef SB_ORACLES_MEND_H
#define SB_ORACLES_MEND_H

#include "oracles/kits/plan.h"

/* Mends the plan if it was made in this episode and the state differs from the expected one only in where the agent
 * stands and looks. The mended plan may be longer than the best one: the rest of the plan stays as it is. It is played
 * forward in a copy before it is trusted. Only for tasks whose steps neither draw random numbers nor read the clock.
 * Returns whether the plan holds now; if not, it has to be made again. */
bool sb_plan_mend(sb_plan *plan, const sb_episode *e);

#endif
