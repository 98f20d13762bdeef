#include "oracles/belief.h"

sb_episode *sb_believe(sb_belief *belief, const sb_observation *observation) {
    sb_episode_copy(&belief->episode, sb_episode_of(observation->env));
    belief->env = *observation->env;
    belief->env.state = &belief->episode;
    return &belief->episode;
}

void sb_act_on_belief(const sb_belief *belief, const sb_oracle *oracle, void *memory, sb_budget *budget,
                      sb_action *action, sb_intent *intent) {
    oracle->act(memory, &(sb_observation){.env = &belief->env}, budget, action, intent);
}
