/* The published bots as oracles. */
#include "oracles/babyai/bot.h"
#include "oracles/babyai/decompose.h"

typedef struct memory {
    bool begun;
    sb_bot bot;
} memory;

static void act(memory *m, sb_bot_kind kind, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    const sb_mg_world *w = sb_mg_world_of(observation->env);
    if (!m->begun) sb_bot_begin(&m->bot, kind, w);
    *action = (sb_action)sb_bot_replan(&m->bot, w, m->begun ? observation->env->taken : SB_BOT_NOT_TOLD, budget);
    sb_bot_explain(&m->bot, w, intent);
    m->begun = true;
}

static void act_published(void *data, const sb_observation *observation, sb_budget *budget, sb_action *action,
                          sb_intent *intent) {
    act(data, SB_BOT_PUBLISHED, observation, budget, action, intent);
}

static void act_omnibot(void *data, const sb_observation *observation, sb_budget *budget, sb_action *action,
                        sb_intent *intent) {
    act(data, SB_BOT_OMNIBOT, observation, budget, action, intent);
}

static bool assist(const sb_env *env, const char *plan, sb_assistance *assistance, sb_error *error) {
    sb_decomposition decomposition;
    if (!sb_bot_decompose(env, plan, &decomposition, NULL, 0, error)) return false;
    *assistance = decomposition.scores;
    return true;
}

/* The published bot is given the state, although it looks for things only where its view has shown them: it reads the
 * lists of what a mission tracks, which cannot be derived from views, and its actions must be those that were
 * published. */
const sb_oracle sb_babyai_published = {.family = "babyai",
                                       .name = "published",
                                       .sees = SB_SEES_STATE,
                                       .remembers = sizeof(memory),
                                       .memory = sizeof(memory),
                                       .act = act_published};

const sb_oracle sb_babyai_omnibot = {.family = "babyai",
                                     .name = "omnibot",
                                     .sees = SB_SEES_STATE,
                                     .remembers = sizeof(memory),
                                     .memory = sizeof(memory),
                                     .act = act_omnibot,
                                     .assist = assist};
