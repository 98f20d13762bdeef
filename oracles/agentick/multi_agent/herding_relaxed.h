/* A relaxation of Herding: the sheep walk by themselves. It proves episodes impossible with more sheep than places. */
#ifndef SB_ORACLES_HERDING_RELAXED_H
#define SB_ORACLES_HERDING_RELAXED_H

#include "oracles/oracle.h"

/* See sb_oracle.judge_relaxed. The sheep walk wherever they like, through each other and the agent, until they enter
 * the pen, where they stay. Each place that they reach can take one of them: if these are too few, the agent cannot
 * fill the pen either. */
bool sb_herding_judge_relaxed(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error);

#endif
