/* One player for each environment of a batch. */
#include <stdlib.h>
#include <string.h>

#include "api/batch.h"
#include "base/error.h"
#include "oracles/player.h"

typedef struct seat {
    sb_player *player;
    uint64_t episode; /* the episode that the player has begun; 0: none */
    sb_error error;
    bool failed;
} seat;

struct sb_players {
    sb_batch *batch;
    seat *seats;
    sb_action *actions; /* actions of this round; the list belongs to the caller */
};

void sb_players_free(sb_players *players) {
    if (!players) return;
    for (size_t i = 0; players->seats && i < sb_batch_size(players->batch); i++)
        sb_player_free(players->seats[i].player);
    free(players->seats);
    free(players);
}

sb_players *sb_players_make(sb_batch *batch, const char *agent, sb_error *error) {
    const size_t n = sb_batch_size(batch);
    sb_players *players = calloc(1, sizeof *players);
    if (players) players->seats = calloc(n, sizeof *players->seats);
    bool ok = (players && players->seats) || sb_fail(error, SB_MEMORY, "out of memory for %zu players", n);
    if (players) players->batch = batch;
    for (size_t i = 0; ok && i < n; i++) ok = (players->seats[i].player = sb_player_make(agent, error)) != NULL;
    if (ok) return players;
    sb_players_free(players);
    return NULL;
}

static void act(void *context, size_t i) {
    sb_players *players = context;
    seat *s = &players->seats[i];
    const sb_env *env = sb_batch_env(players->batch, i);
    const uint64_t episode = sb_batch_episode(players->batch, i);
    players->actions[i] = -1;
    if (env->status.done) return;
    if (s->episode != episode) {
        s->failed = !sb_player_begin(s->player, env, &s->error);
        s->episode = s->failed ? 0 : episode;
    }
    if (!s->failed) players->actions[i] = sb_player_act(s->player, env);
}

bool sb_players_act(sb_players *players, sb_action *actions, sb_error *error) {
    const size_t n = sb_batch_size(players->batch);
    bool ok = true;
    players->actions = actions;
    sb_team_run(sb_batch_team(players->batch), n, 1, act, players);
    for (size_t i = 0; i < n; i++) {
        seat *s = &players->seats[i];
        if (ok && s->failed) *error = s->error;
        ok &= !s->failed;
        s->failed = false;
    }
    return ok;
}

const sb_intent *sb_players_intent(const sb_players *players, size_t index) {
    return index < sb_batch_size(players->batch) ? sb_player_intent(players->seats[index].player) : NULL;
}
