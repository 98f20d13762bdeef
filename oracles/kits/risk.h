/* Walks to a goal among movers that kill: backward induction over (step, cell) with the chance of dying in each cell.
 *
 * The agent will see the movers and can still react, so a risk counts less if it lies further ahead. Dying costs 1, and
 * a step costs a little. After the horizon only the remaining distance counts. */
#ifndef SB_ORACLES_RISK_H
#define SB_ORACLES_RISK_H

#include "engine/gridworld/search.h"
#include "oracles/oracle.h"

enum { SB_RISK_HORIZON = 10, SB_RISK_CELLS = 20 * 20 };

typedef struct sb_risk {
    /* Filled in by the oracle: the chance to survive staying in the cell, or entering it, in step t + 1. */
    float stays[SB_RISK_HORIZON][SB_RISK_CELLS], enters[SB_RISK_HORIZON][SB_RISK_CELLS];
    sb_open open;    /* where the agent may walk */
    float step_cost; /* 0.02 is a good value */
    float fade;      /* how much less a risk counts for each step that it lies ahead; 0.4 is a good value */
    /* Working memory. */
    float value[2][SB_RISK_CELLS];
    sb_reach way;
} sb_risk;

/* Sets all chances to 1. */
void sb_risk_begin(sb_risk *risk, const sb_episode *e);
/* Returns the action with the least expected cost on the way to the goal: a move or SB_NOOP. */
sb_action sb_risk_choose(sb_risk *risk, const sb_episode *e, sb_xy goal, sb_budget *budget);

#endif
