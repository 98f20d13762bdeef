/* A relaxation of SokobanPush: one box at a time, without the others. Other boxes never help: whatever is played with
 * all boxes can be played with some of them, with a wait where another box stopped the agent, because a filled pit is
 * as closed to agent and box as an open pit is to the agent. The agent takes the task's own steps until every reachable
 * pair of cells of agent and box was seen, which shows the targets that the box can reach. If the boxes cannot all be
 * assigned different targets, the episode cannot be won. Otherwise two boxes at a time are played, as far as there is
 * room for the states: if two cannot both be brought home, because they block each other, neither can all.
 *
 * The task's bound proves the same with pulls, going backwards. This relaxation plays forwards and has nothing in
 * common with the bound except the rules. */
#ifndef SB_AGENTICK_SOKOBAN_PUSH_RELAXED_H
#define SB_AGENTICK_SOKOBAN_PUSH_RELAXED_H

#include "oracles/oracle.h"

/* sb_oracle.judge_relaxed of the task's expert. */
bool sb_sokoban_push_judge_relaxed(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error);

#endif
