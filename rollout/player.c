#include "rollout/player.h"

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

void sb_player_free(sb_player *player) {
    free(player->memory);
    sb_free(player->shown);
    *player = (sb_player){0};
}

/* Memory that is only a cache may stay as it is from one episode to the next. */
static bool make_memory(sb_player *player, const sb_oracle *oracle, sb_error *error) {
    if (player->oracle == oracle && player->memory) {
        if (oracle->remembers) memset(player->memory, 0, oracle->memory);
        return true;
    }
    free(player->memory);
    player->memory = calloc(1, oracle->memory + 1);
    return player->memory || sb_fail(error, SB_MEMORY, "out of memory for the oracle's %zu bytes", oracle->memory);
}

/* The episode without what its rules hide from the agent. Allocates the first time only. */
static bool show(sb_player *player, const sb_env *env, sb_error *error) {
    if (!player->shown && !(player->shown = sb_make(NULL, error))) return false;
    if (!sb_copy(player->shown, env, error)) return false;
    player->shown->name.seed = 0;
    if (env->family->scramble) env->family->scramble(player->shown);
    return true;
}

/* What is random is drawn from the episode's name, so that it does not depend on what was played before. */
static void seed_from_name(sb_rng *rng, const sb_name *name) {
    char text[SB_NAME_MAX];
    uint8_t digest[32];
    uint64_t seed = 0;
    sb_sha256 hash;
    sb_name_print(name, text, sizeof text);
    sb_sha256_begin(&hash);
    sb_sha256_add(&hash, random_agent, strlen(random_agent));
    sb_sha256_add(&hash, "::", 2);
    sb_sha256_add(&hash, text, strlen(text));
    sb_sha256_end(&hash, digest);
    for (int i = 0; i < 8; i++) seed = seed << 8 | digest[i];
    sb_rng_seed(rng, seed, NULL);
}

bool sb_player_begin(sb_player *player, const char *agent, const sb_env *env, sb_error *error) {
    if (!sb_agent_exists(agent, env->name.family, env->name.task, error)) return false;
    const sb_oracle *oracle = sb_oracle_find(env->name.family, env->name.task, agent);
    if (oracle && !make_memory(player, oracle, error)) return false;
    if (oracle && oracle->sees == SB_SEES_OBSERVATIONS && !show(player, env, error)) return false;
    if (oracle) player->oracle = oracle;
    player->agent = agent, player->random = !oracle;
    player->budget = (sb_budget){.limit = SB_DEFAULT_BUDGET};
    player->intent = (sb_intent){0};
    if (player->random) seed_from_name(&player->rng, &env->name);
    return true;
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

bool sb_roll_out(sb_env *env, sb_player *player, const char *agent, const sb_name *name, sb_tape *tape, sb_visit *visit,
                 void *context, sb_error *error) {
    if (!sb_reset_name(env, name, error) || !sb_player_begin(player, agent, env, error)) return false;
    sb_tape_begin(tape, env, agent);
    if (visit && !visit(context, env, 0, NULL, error)) return false;
    while (!env->status.done) {
        const sb_action action = sb_player_act(player, env);
        sb_result result;
        if (!sb_step(env, action, &result, error) || !sb_tape_append(tape, action, error)) return false;
        if (visit && !visit(context, env, action, &result, error)) return false;
    }
    sb_tape_finish(tape, env);
    return true;
}

bool sb_stage_play(sb_stage *stage, const char *agent, const sb_name *name, sb_visit *visit, void *context,
                   sb_error *error) {
    if (!stage->env && !(stage->env = sb_make(NULL, error))) return false;
    return sb_roll_out(stage->env, &stage->player, agent, name, &stage->tape, visit, context, error);
}

void sb_stage_free(void *data) {
    sb_stage *stage = data;
    sb_free(stage->env);
    sb_player_free(&stage->player);
    sb_tape_free(&stage->tape);
}
