/* Walks among movers that kill. Costs are expected values: dying costs 1, a step costs a little, and after the horizon
 * only the remaining way counts. Backward induction gives the cost of being at a cell after a step: that of the best
 * action there, which may be fatal, or else leads to a cell whose cost after the next step is known.
 *
 * If it is known how likely movers are at each cell in each step, sb_risk_choose does everything, or sb_risk_estimate
 * computes the costs for an oracle that chooses by itself. If what movers do in one step decides what they do in the
 * next, the oracle goes through their futures and takes the cost of each step from sb_risk_cost.
 *
 * Cells are row-major indices. The border of the grid must be closed to the agent. */
#ifndef SB_ORACLES_RISK_H
#define SB_ORACLES_RISK_H

#include "engine/gridworld/search.h"
#include "oracles/oracle.h"

enum { SB_RISK_HORIZON = 10, SB_RISK_CELLS = 20 * 20, SB_RISK_ACTIONS = 5 };

/* The moves in the order of sb_nswe, then SB_NOOP. */
extern const sb_action sb_risk_actions[SB_RISK_ACTIONS];

/* What decides the costs of actions in one step. All pointers are borrowed. */
typedef struct sb_risk_step {
    const sb_reach *within;      /* the agent may enter the cells found by this search */
    int ahead[4];                /* change of a cell's index for each direction of sb_nswe */
    float step_cost;             /* cost of one step, where dying costs 1 */
    float fading;                /* how much a risk in this step counts; 1: in full */
    const float *stays, *enters; /* by cell: the chance to survive staying there, or entering it, in this step */
    const float *after;          /* by cell: the cost of being there after this step */
} sb_risk_step;

/* Returns a step without chances and costs, in which risks count in full. */
sb_risk_step sb_risk_step_on(const sb_episode *e, const sb_reach *within, float step_cost);

/* Returns the cell to which action k of sb_risk_actions leads, or -1 if the agent cannot enter it. Then the action only
 * turns the agent, which is no better than waiting. */
static inline int sb_risk_target(const sb_risk_step *step, int from, int k) {
    if (k == SB_RISK_ACTIONS - 1) return from;
    const int to = from + step->ahead[k];
    return step->within->parent[to] < 0 ? -1 : to;
}

/* Returns the expected cost of action k; 2 if the agent cannot enter the cell, so that the action is never chosen. */
static inline float sb_risk_cost(const sb_risk_step *step, int from, int k) {
    const int to = sb_risk_target(step, from, k);
    if (to < 0) return 2;
    const float risk = step->fading * (1 - (to == from ? step->stays[to] : step->enters[to]));
    return step->step_cost + risk + (1 - risk) * step->after[to];
}

/* Says that the agent waits for the nearest of the movers, of which there must be one. */
void sb_wait_for_nearest(sb_intent *intent, const sb_episode *e, const char *mover, const sb_xy *at, int n);

typedef struct sb_risk {
    /* Filled in by the oracle. */
    int horizon;     /* in steps, 1 to SB_RISK_HORIZON */
    float step_cost; /* 0.02 is a good value */
    float fade;      /* how much less a risk counts for each step that it lies ahead, because the agent will see the
                        movers and can still react; 0.4 is a good value */
    sb_open open;    /* where the agent may walk */
    float stays[SB_RISK_HORIZON][SB_RISK_CELLS]; /* the chance to survive staying at a cell in step t + 1 */
    float enters[SB_RISK_HORIZON][SB_RISK_CELLS];
    /* Results of sb_risk_estimate. */
    sb_reach way;                                    /* ways from the goal to all cells from which it can be reached */
    float value[SB_RISK_HORIZON + 1][SB_RISK_CELLS]; /* cost of being at a cell after step t, 1 to the horizon: where
                                                        the agent can be by then, and after the last step of all cells
                                                        of `way` */
} sb_risk;

/* Sets all chances to 1. */
void sb_risk_begin(sb_risk *risk, const sb_episode *e);
/* Computes the values on the way to the goal. Each of them counts as a state in the budget. */
void sb_risk_estimate(sb_risk *risk, const sb_episode *e, sb_xy goal, sb_budget *budget);
/* Returns the action with the least expected cost on the way to the goal. Waits if nothing else is as good, or if there
 * is no way. */
sb_action sb_risk_choose(sb_risk *risk, const sb_episode *e, sb_xy goal, sb_budget *budget);

#endif
