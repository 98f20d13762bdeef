/* For observers: an episode in which guesses replace hidden state, so that the observer can act as the expert would if
 * the guesses were true. */
#ifndef SB_ORACLES_BELIEF_H
#define SB_ORACLES_BELIEF_H

#include "engine/gridworld/episode.h"
#include "oracles/oracle.h"
#include "seeds/rng.h"

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

/* pow for whole exponents, with the same result on every machine. */
static inline double sb_power(double base, int exponent) {
    double product = 1;
    while (exponent-- > 0) product *= base;
    return product;
}

/* Draws one of several things by their weights, which are given one after the other: returns whether this one takes the
 * place of the one drawn before. `sum`: of the weights so far, 0 at first. */
static inline bool sb_draw_next(sb_rng *rng, double weight, double *sum) {
    *sum += weight;
    return sb_random(rng) * *sum < weight;
}

#endif
