#include "oracles/babyai/decompose.h"

#include "base/error.h"
#include "oracles/babyai/bot.h"

/* When the stack becomes empty, the action `done` is still played. */
static bool play(sb_bot *bot, sb_env *env, sb_action *actions, size_t capacity, size_t *n, sb_error *error) {
    sb_budget budget = {0};
    int taken = SB_BOT_NOT_TOLD;
    for (*n = 0; !sb_status_of(env)->done; ++*n) {
        sb_result result;
        taken = (int)sb_bot_replan(bot, sb_mg_world_of(env), taken, &budget);
        if (bot->trouble) break;
        if (*n < capacity) actions[*n] = taken;
        if (!sb_step(env, taken, &result, error)) return false;
        if (bot->n == 0) return ++*n, true;
    }
    return true;
}

static bool play_copy(sb_bot *bot, const sb_env *env, sb_decomposition *result, sb_action *actions, size_t capacity,
                      sb_error *error) {
    sb_env *copy = sb_clone(env, error);
    if (!copy) return false;
    const bool ok = play(bot, copy, actions, capacity, &result->n, error);
    result->scores.comprehension = sb_status_of(copy)->terminated;
    sb_free(copy);
    return ok;
}

static double assistance(uint32_t added, uint32_t most) {
    return added < most ? (double)(most - added) / (double)most : 0.0;
}

bool sb_bot_decompose(const sb_env *env, const char *plan, sb_decomposition *result, sb_action *actions,
                      size_t capacity, sb_error *error) {
    sb_bot bot;
    sb_decomposition unguided;
    if (!sb_mg_world_of(env)) return sb_fail(error, SB_INVALID, "only BabyAI's missions can be decomposed");
    sb_bot_begin(&bot, SB_BOT_OMNIBOT, sb_mg_world_of(env));
    if (!play_copy(&bot, env, &unguided, NULL, 0, error)) return false;
    *result = (sb_decomposition){.scores.max_help = bot.pushes};
    if (!plan) return true;
    if (!sb_bot_begin_with_plan(&bot, SB_BOT_OMNIBOT, plan, error)) return false;
    if (!play_copy(&bot, env, result, actions, capacity, error)) return false;
    sb_assistance *s = &result->scores;
    s->added = bot.pushes;
    s->precision = s->comprehension == 1.0 && s->added == 0;
    s->assistance = s->comprehension == 1.0 ? assistance(s->added, s->max_help) : 0.0;
    return true;
}
