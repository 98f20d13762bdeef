/* For observers: an episode in which guesses replace hidden state, so that the observer can act as the expert would if
 * the guesses were true. */
#ifndef SB_ORACLES_BELIEF_H
#define SB_ORACLES_BELIEF_H

#include "engine/gridworld/episode.h"
#include "oracles/oracle.h"

typedef struct sb_belief {
    sb_env env;
    sb_episode episode;
} sb_belief;

/* Starts with what is shown now, and returns the episode into which to write the guesses. The belief must not be moved
 * in memory. */
sb_episode *sb_believe(sb_belief *belief, const sb_observation *observation);
/* Acts as another oracle would if the guesses are true. */
void sb_act_on_belief(const sb_belief *belief, const sb_oracle *oracle, void *memory, sb_budget *budget,
                      sb_action *action, sb_intent *intent);

#endif
