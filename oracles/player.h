/* Whoever acts in an episode: an oracle, or uniformly random actions. */
#ifndef SB_ORACLES_PLAYER_H
#define SB_ORACLES_PLAYER_H

#include "oracles/oracle.h"
#include "seeds/rng.h"

struct sb_player {
    const char *agent; /* `random`, or the name of an oracle */
    char own[24];      /* the name, of players that were made with one */
    uint64_t states;   /* of the budget of an episode; 0: the default */
    bool random;
    const sb_oracle *oracle; /* whose memory this is: kept for the next episode with the same oracle */
    void *memory;
    sb_env *shown; /* the episode as an oracle is shown it that sees observations only */
    sb_rng rng;    /* of the random agent; seeded from the episode's name */
    sb_budget budget;
    sb_intent intent; /* of the last action; empty for the random agent */
};

/* Makes the player ready for the episode in `env`. A player starts zeroed. Fails, saying which agents there are, if the
 * task has no oracle of that name. */
bool sb_player_begin_as(sb_player *player, const char *agent, const sb_env *env, sb_error *error);
/* Frees what it holds; the player itself is its owner's. */
void sb_player_clear(sb_player *player);

/* A generator seeded by the episode's name and by what its draws are for, so that they are draws of their own, whatever
 * was drawn or played before. */
sb_rng sb_draws_of(const sb_name *name, const char *purpose);

/* Any action alike; where there is a click area, first one of the valid entries alike (all clicks are one), then the
 * cell. */
sb_action sb_random_action(const sb_env *env, sb_rng *rng);

/* Whether the agent can play the family's task at all. */
bool sb_agent_exists(const char *agent, const char *family, const char *task, sb_error *error);

#endif
