#include "oracles/player.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

static const char random_agent[] = "random";

bool sb_agent_exists(const char *agent, const char *family, const char *task, sb_error *error) {
    if (strcmp(agent, random_agent) == 0 || sb_oracle_find(family, task, agent)) return true;
    const char *oracles[SB_ORACLES_MAX];
    const size_t n = sb_oracles_of(family, task, oracles);
    sb_out names = sb_out_fixed((char[120]){0}, 120);
    for (size_t i = 0; i < n; i++) sb_putf(&names, "%s, ", oracles[i]);
    sb_puts(&names, random_agent);
    sb_out_finish(&names);
    return sb_fail(error, SB_UNKNOWN, "%s has no agent `%.40s`; there is: %s", task, agent, names.data);
}

static void free_memory(sb_player *player) {
    if (player->memory && player->oracle->close) player->oracle->close(player->memory);
    free(player->memory);
    player->memory = NULL, player->oracle = NULL;
}

void sb_player_free(sb_player *player) {
    free_memory(player);
    sb_free(player->shown);
    *player = (sb_player){0};
}

/* Memory that is only a cache may stay as it is from one episode to the next. */
static bool make_memory(sb_player *player, const sb_oracle *oracle, sb_error *error) {
    if (player->oracle == oracle && player->memory) {
        if (oracle->remembers) memset(player->memory, 0, oracle->memory);
        return true;
    }
    free_memory(player);
    player->memory = calloc(1, oracle->memory + 1);
    if (!player->memory) return sb_fail(error, SB_MEMORY, "out of memory for the oracle's %zu bytes", oracle->memory);
    player->oracle = oracle;
    return true;
}

/* The episode without what its rules hide from the agent. Allocates the first time only. */
static bool show(sb_player *player, const sb_env *env, sb_error *error) {
    if (!player->shown && !(player->shown = sb_make(NULL, error))) return false;
    if (!sb_copy(player->shown, env, error)) return false;
    player->shown->name.seed = 0;
    if (env->family->scramble) env->family->scramble(player->shown);
    return true;
}

sb_rng sb_draws_of(const sb_name *name, const char *purpose) {
    char text[SB_NAME_MAX];
    uint8_t digest[32];
    uint64_t seed = 0;
    sb_sha256 hash;
    sb_rng rng;
    sb_name_print(name, text, sizeof text);
    sb_sha256_begin(&hash);
    sb_sha256_add(&hash, purpose, strlen(purpose));
    sb_sha256_add(&hash, "::", 2);
    sb_sha256_add(&hash, text, strlen(text));
    sb_sha256_end(&hash, digest);
    for (int i = 0; i < 8; i++) seed = seed << 8 | digest[i];
    sb_rng_seed(&rng, seed, NULL);
    return rng;
}

bool sb_player_begin(sb_player *player, const char *agent, const sb_env *env, sb_error *error) {
    if (!sb_agent_exists(agent, env->name.family, env->name.task, error)) return false;
    const sb_oracle *oracle = sb_oracle_find(env->name.family, env->name.task, agent);
    if (oracle && !make_memory(player, oracle, error)) return false;
    if (oracle && oracle->sees == SB_SEES_OBSERVATIONS && !show(player, env, error)) return false;
    player->agent = agent, player->random = !oracle;
    player->budget = (sb_budget){.limit = SB_DEFAULT_BUDGET};
    player->intent = (sb_intent){0};
    if (player->random) player->rng = sb_draws_of(&env->name, random_agent);
    return !oracle || !oracle->begin || oracle->begin(player->memory, env, &player->budget, error);
}

sb_action sb_player_act(sb_player *player, const sb_env *env) {
    sb_action action;
    sb_sight sight = {.env = env};
    if (player->random) return (sb_action)sb_integers(&player->rng, 0, env->n_actions);
    if (player->oracle->sees == SB_SEES_OBSERVATIONS) {
        sb_error none; /* begin made room: a copy cannot fail */
        show(player, env, &none);
        sight.env = player->shown;
    }
    player->oracle->act(player->memory, &sight, &player->budget, &action, &player->intent);
    return action;
}
