/* A relaxation of CooperativeTransport: one box at a time, without the others, on a floor where all holes are filled
 * but the one into which the box is being pushed. The helper is wherever it helps: beside the box, on any cell on which
 * it could stand. The agent takes the task's own steps until every reachable pair of cells of agent and box was seen,
 * which shows the holes that the box can fill. If the boxes cannot all be assigned different holes, the episode cannot
 * be won.
 *
 * Other boxes, open holes and the ways of the helper only hinder, so whatever can be played can be played with one box,
 * with a wait where something stopped the agent. There is one exception: the helper may stand under the agent, and
 * other boxes decide whether it stays there. That only matters where the helper can stand nowhere else beside the box:
 * where walls and the open hole are on the three other sides of it. The helper never moves onto the agent, so the agent
 * has stepped onto the helper, and the cell that it came from is free. A helper that wanders leaves then. A helper that
 * follows stays only if it follows another box and finds no way to that, so the task's own rule is asked for all places
 * of the other boxes and all sets of filled holes. */
#ifndef SB_AGENTICK_COOPERATIVE_TRANSPORT_RELAXED_H
#define SB_AGENTICK_COOPERATIVE_TRANSPORT_RELAXED_H

#include "oracles/oracle.h"

/* sb_oracle.judge_relaxed of the task's expert. Judges only the beginning of an episode. */
bool sb_cooperative_transport_judge_relaxed(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error);

#endif
