/* Plays episodes to their end: a name and an agent become a tape. */
#ifndef SB_ROLLOUT_WORKER_H
#define SB_ROLLOUT_WORKER_H

#include "oracles/player.h"
#include "rollout/tape.h"

/* Starts the named episode, lets the agent (NULL: sb_default_agent) play it to its end, and writes the tape. `visit`
 * (may be NULL) is called as in a replay; during the call the player's intent is that of the step. */
bool sb_roll_out(sb_env *env, sb_player *player, const char *agent, const sb_name *name, sb_tape *tape, sb_visit *visit,
                 void *context, sb_error *error);

/* What a worker needs to play one episode after another. Starts zeroed except for the catalogue. */
typedef struct sb_worker {
    const sb_catalogue *catalogue; /* where names are looked up; set before the first episode */
    sb_env *env;                   /* NULL until the first episode */
    sb_player player;
    sb_tape tape; /* the tape of the last episode */
} sb_worker;

/* Makes the environment, if there is none yet. */
bool sb_worker_open(sb_worker *worker, sb_error *error);
/* sb_roll_out with what the worker holds. */
bool sb_worker_play(sb_worker *worker, const char *agent, const sb_name *name, sb_visit *visit, void *context,
                    sb_error *error);
void sb_worker_free(void *data); /* frees a worker; takes void * to serve as sb_pool.free_scratch */

#endif
