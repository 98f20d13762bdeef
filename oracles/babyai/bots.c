/* The published bots as oracles. They are not told the actions taken, so they compare the world with that of the last
 * call. */
#include "oracles/babyai/bot.h"
#include "oracles/babyai/decompose.h"

typedef struct memory {
    bool begun;
    uint8_t facing, suggested; /* direction of the agent, and suggested action, at the last call */
    sb_bot bot;
} memory;

static bool front_has_changed(const memory *m, const sb_mg_world *w) {
    const sb_mg_object *object = sb_mg_in_front(w);
    const int id = object ? sb_mg_id_of(w, object) : SB_MG_NOTHING;
    return id != m->bot.front || (object && object->type == SB_MG_DOOR && object->open != m->bot.door_was_open);
}

/* Tells whether the suggested action would certainly have changed the world. (The thing to pick up may not exist.) */
static bool was_sure_to_change(const memory *m, const sb_mg_world *w) {
    if (m->suggested != SB_MG_PICKUP) return m->suggested != SB_MG_DONE;
    return m->bot.front != SB_MG_NOTHING && sb_mg_movable(&w->objects[m->bot.front]);
}

static int taken_since(const memory *m, const sb_mg_world *w) {
    const int turned = (w->facing - m->facing) & 3;
    if (turned) return turned == 1 ? SB_MG_RIGHT : SB_MG_LEFT;
    if (w->agent.x != m->bot.agent.x || w->agent.y != m->bot.agent.y) return SB_MG_FORWARD;
    if (w->carried != m->bot.carried) return w->carried ? SB_MG_PICKUP : SB_MG_DROP;
    if (front_has_changed(m, w)) return SB_MG_TOGGLE;
    return was_sure_to_change(m, w) ? SB_MG_DONE : SB_BOT_NOT_TOLD;
}

static void act(memory *m, sb_bot_kind kind, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    const sb_mg_world *w = sb_mg_world_of(observation->env);
    int taken = SB_BOT_NOT_TOLD;
    if (m->begun)
        taken = taken_since(m, w);
    else
        sb_bot_begin(&m->bot, kind, w);
    *action = (sb_action)sb_bot_replan(&m->bot, w, taken, budget);
    sb_bot_explain(&m->bot, w, intent);
    m->begun = true, m->facing = w->facing, m->suggested = (uint8_t)*action;
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

/* It is given the state, although it looks for things only where its view has shown them: it reads the lists of what a
 * mission tracks, which cannot be derived from views, and its actions must be those that were published. */
const sb_oracle sb_babyai_published = {.family = "babyai",
                                       .name = "published",
                                       .sees = SB_SEES_STATE,
                                       .remembers = true,
                                       .memory = sizeof(memory),
                                       .act = act_published};

const sb_oracle sb_babyai_omnibot = {.family = "babyai",
                                     .name = "omnibot",
                                     .sees = SB_SEES_STATE,
                                     .remembers = true,
                                     .memory = sizeof(memory),
                                     .act = act_omnibot,
                                     .assist = assist};
