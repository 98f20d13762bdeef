/* A player acts in an episode: an oracle, or uniformly random actions. */
#ifndef SB_ORACLES_PLAYER_H
#define SB_ORACLES_PLAYER_H

#include "oracles/oracle.h"
#include "seeds/rng.h"

/* The memory of an oracle that may play again. */
typedef struct sb_kept {
    const sb_oracle *oracle;
    void *memory;
} sb_kept;

enum {
    SB_PLAYER_KEEPS = 512 << 20 /* for whoever plays what others select, in bytes of addresses: most stay untouched */
};

struct sb_player {
    const char *agent; /* `random`, or the name of an oracle */
    char own[24];      /* a copy of the name, in players made with a name */
    uint64_t states;   /* the budget of an episode; 0: the default */
    bool random;
    const sb_oracle *oracle; /* the oracle whose memory it is; it is kept for the next episode with the same oracle */
    void *memory;
    size_t keeps;  /* bytes of memories of other oracles that are kept as well, for those who play many tasks in turn */
    sb_kept *kept; /* memories that are kept as well, the latest first */
    size_t n_kept, kept_capacity;
    sb_env *shown; /* the copy for an oracle that sees only observations */
    sb_rng rng;    /* generator of the random agent, seeded with the episode's name */
    sb_budget budget;
    sb_intent intent; /* intent of the last action; empty for the random agent */
};

/* Prepares the player for the episode in `env`. A player must be zeroed before the first use. Fails if the task has no
 * such agent; the error lists those it has. */
bool sb_player_begin_as(sb_player *player, const char *agent, const sb_env *env, sb_error *error);
/* Frees what the player holds, but not the player itself. */
void sb_player_clear(sb_player *player);

/* Makes *shown, which is NULL at first, a copy of the episode without what its rules hide from the agent, and with seed
 * 0. Allocates only the first time. */
bool sb_show(sb_env **shown, const sb_env *env, sb_error *error);

/* Returns a generator seeded with the episode's name and the purpose of the draws, so that the draws depend on nothing
 * else. */
sb_rng sb_draws_of(const sb_name *name, const char *purpose);

/* Draws a random action. Without a click area all actions are equally likely. With one, a valid entry is drawn first
 * (all clicks are one entry), and then the cell. */
sb_action sb_random_action(const sb_env *env, sb_rng *rng);

/* Checks whether the agent can play the family's task. */
bool sb_agent_exists(const char *agent, const char *family, const char *task, sb_error *error);

#endif
