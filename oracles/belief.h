/* For observers: an episode in which guesses stand for what the rules hide, so that one can act as the expert would if
 * they were true. */
#ifndef SB_ORACLES_BELIEF_H
#define SB_ORACLES_BELIEF_H

#include "engine/gridworld/episode.h"
#include "oracles/oracle.h"

typedef struct sb_belief {
    sb_env env;
    sb_episode episode;
} sb_belief;

/* Begins with what is shown now, and returns the episode to write the guesses into. The belief must not be moved. */
sb_episode *sb_believe(sb_belief *belief, const sb_observation *observation);
/* What another oracle does if the guesses are true. */
void sb_act_on_belief(const sb_belief *belief, const sb_oracle *oracle, void *memory, sb_budget *budget,
                      sb_action *action, sb_intent *intent);

#endif
