/* Plays tests by their certificates: it knows the answer, the plan, and an example of what makes the change act. So it
 * shows that a test can be won, and in how many steps. */
#include "generators/autumn/challenges/test.h"
#include "oracles/oracle.h"

static sb_action predict(const sb_autumn_test *t) {
    return t->seen_all ? SB_AUTUMN_OPTION + (sb_action)t->posed->challenge.answer : SB_AUTUMN_NEXT;
}

/* The next action of the plan or the example; noop behind its end. */
static sb_action follow(const sb_env *env, const sb_autumn_test *t) {
    const sb_autumn_challenge *c = &t->posed->challenge;
    return t->steps < c->n_actions ? sb_autumn_action_of(env, c->actions[t->steps]) : SB_AUTUMN_NOOP;
}

static sb_action detect(const sb_env *env, const sb_autumn_test *t) {
    const uint32_t acted = sb_autumn_changing_acted(t->changing);
    if (t->phase == SB_AUTUMN_TESTING) return acted ? SB_AUTUMN_DECLARE : follow(env, t);
    return t->at == acted ? SB_AUTUMN_SUBMIT : SB_AUTUMN_CHOOSE_FRAME + (sb_action)acted;
}

static void act(__attribute__((unused)) void *memory, const sb_observation *observation,
                __attribute__((unused)) sb_budget *budget, sb_action *action, sb_intent *intent) {
    const sb_env *env = observation->env;
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    *action = SB_AUTUMN_NOOP;
    sb_intend(intent, "follow", "certificate", (sb_xy){-1, -1});
    if (!t) return;
    if (t->phase == SB_AUTUMN_INTERACTION)
        *action = SB_AUTUMN_GO_TO_TEST;
    else if (t->posed->challenge.name.kind == SB_AUTUMN_MFP)
        *action = predict(t);
    else
        *action = t->changing ? detect(env, t) : follow(env, t);
}

const sb_oracle sb_autumn_planner = {.family = "autumn", .name = "planner", .sees = SB_SEES_FUTURE, .act = act};
