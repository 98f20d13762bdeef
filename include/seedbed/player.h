/* Players: oracles and random agents as objects. A player acts in an environment, or says what it would do while
 * something else acts (a label).
 *
 *     sb_player *player = sb_player_make("expert", &error);
 *     if (!sb_player_begin(player, env, &error)) ...
 *     while (!sb_status_of(env)->done) sb_step(env, sb_player_act(player, env), &result, &error);
 *     sb_player_free(player);
 *
 * Agents have the same names for all tasks: `random`; `observer`, which sees what an agent of the task is shown;
 * `expert`, which sees the state but no future draws; `clairvoyant`, which also sees future draws. A task may have more
 * agents of its own. */
#ifndef SEEDBED_PLAYER_H
#define SEEDBED_PLAYER_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SB_AGENTS_MAX = 9 /* names of one task's agents, including `random` */ };

/* Lists the names of the agents that can play a task of the family, `random` last. The texts are constants. */
SB_API size_t sb_agents_of(const sb_family *family, const sb_task_info *task, const char **out, size_t capacity);

/* What a player is trying to do: for hints and explanations. */
typedef struct sb_intent {
    const char *verb; /* `fetch`, `unlock`, `go to`, `wait for`, `give up`; NULL: nothing it can name. A constant */
    char object[24];  /* `red key`; of `give up`: why, for example `both boxes are stuck` */
    sb_xy at;         /* where the object is; (-1,-1) if it has no place */
} sb_intent;

typedef struct sb_player sb_player;

/* Makes a player. Whether a task has this agent is checked by sb_player_begin. `agent`: at most 23 bytes. */
SB_API sb_player *sb_player_make(const char *agent, sb_error *error);
SB_API void sb_player_free(sb_player *player);
/* Limits how many states the player may look at in one episode (default 5,000,000); after that it acts without
 * searching. The limit counts states and not time, so that results repeat. Takes effect with the next episode. */
SB_API void sb_player_set_budget(sb_player *player, uint64_t states);

/* Prepares the player for the episode in `env`, from its current state on. Fails if the task has no such agent; the
 * error lists those it has. Allocates, and may plan the whole episode, which takes long for a clairvoyant. */
SB_API bool sb_player_begin(sb_player *player, const sb_env *env, sb_error *error);
/* Returns what the player does in the current state. Call it only in the episode that the player began with, while that
 * is not over, and in every state if the player has to remember what it was shown. Changes nothing in `env`: the caller
 * takes this action or another one, and the player goes on from what was taken. */
SB_API sb_action sb_player_act(sb_player *player, const sb_env *env);
/* Returns the intent of the last action. Valid until the next action. */
SB_API const sb_intent *sb_player_intent(const sb_player *player);

/* ---- One player for each environment of a batch ------------------------------------------------------------------ */

typedef struct sb_players sb_players;

/* Makes a player for each environment. The players run in the batch's threads and must be freed before the batch. */
SB_API sb_players *sb_players_make(sb_batch *batch, const char *agent, sb_error *error);
SB_API void sb_players_free(sb_players *players);
/* Writes n actions: what each player does in its environment now, or -1 if the environment has no episode or it is
 * over. A player begins by itself when its environment begins an episode. If you take the actions, the players play; if
 * something else acts, they are labels. On failure the error is that of the lowest index, and players that failed write
 * -1. */
SB_API bool sb_players_act(sb_players *players, sb_action *actions, sb_error *error);
/* Returns the intent of the last action in an environment; NULL if the index is too high. */
SB_API const sb_intent *sb_players_intent(const sb_players *players, size_t index);

#ifdef __cplusplus
}
#endif
#endif
