/* SokobanPush with one box at a time, the others taken off the board. They are never of help: whatever is played with
 * all boxes can be played with one of them, with a wait where another stopped the agent, since a pit that is filled is
 * as closed to agent and box as one that is open is to the agent. The agent takes the task's own steps until every pair
 * of cells was seen that it and the box can come to; so one knows which targets the box can reach. If the boxes cannot
 * all be given a target of their own, the episode cannot be won.
 *
 * The task's bound says the same from pulls that it makes backwards; this one plays forwards and shares nothing with it
 * but the rules. */
#ifndef SB_AGENTICK_SOKOBAN_PUSH_RELAXED_H
#define SB_AGENTICK_SOKOBAN_PUSH_RELAXED_H

#include "oracles/oracle.h"

/* sb_oracle.judge_relaxed of the task's expert. */
bool sb_sokoban_push_judge_relaxed(const sb_env *env, sb_budget *budget, sb_verdict *verdict, sb_error *error);

#endif
