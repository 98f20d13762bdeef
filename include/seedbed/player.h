/* Players: oracles, and random actions, as objects. A player acts in an environment, or says what it would do where
 * others act (a label).
 *
 *   sb_player *player = sb_player_make("expert", &error);
 *   if (!sb_player_begin(player, env, &error)) ...
 *   while (!sb_status_of(env)->done) sb_step(env, sb_player_act(player, env), &result, &error);
 *   sb_player_free(player);
 *
 * Agents have the same names everywhere: `random`; `observer`, which sees what an agent of the task is shown; `expert`,
 * which sees the state but no future; `clairvoyant`, which sees the future, too; and what a task has of its own. */
#ifndef SEEDBED_PLAYER_H
#define SEEDBED_PLAYER_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SB_AGENTS_MAX = 9 /* names of one task's, `random` included */ };

/* The names of those who can play a task of the family, `random` last. The texts are constants. */
SB_API size_t sb_agents_of(const sb_family *family, const sb_task_info *task, const char **out, size_t capacity);

/* What a player is up to: for hints and explanations. */
typedef struct sb_intent {
    const char *verb; /* `fetch`, `unlock`, `go to`, `wait for`; NULL: nothing that it could name. A constant */
    char object[24];  /* `red key` */
    sb_xy at;         /* where it is; (-1,-1) if nowhere */
} sb_intent;

typedef struct sb_player sb_player;

/* Whether a task has such an agent is found out when it begins. `agent`: at most 23 bytes. */
SB_API sb_player *sb_player_make(const char *agent, sb_error *error);
SB_API void sb_player_free(sb_player *player);
/* How many states it may look at in an episode (default 5,000,000); then it does what it can without searching. Counts
 * states and no time, so that results repeat. From the next episode on. */
SB_API void sb_player_set_budget(sb_player *player, uint64_t states);

/* Gets ready for the episode in `env`, as it stands there. Fails, naming those that there are, if its task has no such
 * agent. Allocates; may plan the whole episode, which takes long for a clairvoyant. */
SB_API bool sb_player_begin(sb_player *player, const sb_env *env, sb_error *error);
/* What it does here. To be asked in the episode that it began with, which must not be over; in every state, if it is to
 * remember all that was shown. It changes nothing in `env`: whoever asks takes the action, or another one. */
SB_API sb_action sb_player_act(sb_player *player, const sb_env *env);
/* Of the last action. It lives until the next one. */
SB_API const sb_intent *sb_player_intent(const sb_player *player);

/* ---- One player for each environment of a batch ------------------------------------------------------------------ */

typedef struct sb_players sb_players;

/* They play in the batch's threads, and must be freed before the batch. */
SB_API sb_players *sb_players_make(sb_batch *batch, const char *agent, sb_error *error);
SB_API void sb_players_free(sb_players *players);
/* Writes n actions: what each player does in its environment now, or -1 where there is no episode or it is over.
 * Players begin by themselves when their environment does. Taken, these are the players' actions; asked while others
 * act, labels. On failure the error is that of the lowest index, and actions of those that failed are -1. */
SB_API bool sb_players_act(sb_players *players, sb_action *actions, sb_error *error);
/* Of the last action in an environment; NULL if there is none of that index. */
SB_API const sb_intent *sb_players_intent(const sb_players *players, size_t index);

#ifdef __cplusplus
}
#endif
#endif
