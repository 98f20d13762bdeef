/* Two baselines without a clue. `uniform` is the random agent by which challenges are measured
 * (docs/measured/autumn-pack.md): every key, noop and a click on any cell are equally likely, and of the options it
 * takes any. `idle` waits, and takes the first option. Neither interacts before a test, nor says that something has
 * changed. Neither looks at anything, but nothing can be hidden from them in this family. */
#include "generators/autumn/challenges/study.h"
#include "generators/autumn/challenges/test.h"
#include "oracles/oracle.h"
#include "oracles/player.h"

/* Chooses for both baselines where nothing is to be tried or answered; false: something is. */
static bool pass(const sb_autumn_test *t, sb_action *action) {
    if (!t) return false;
    const bool predicts = t->posed->challenge.name.kind == SB_AUTUMN_MFP;
    if (t->phase == SB_AUTUMN_INTERACTION) return *action = SB_AUTUMN_GO_TO_TEST, true;
    return predicts && !t->seen_all && (*action = SB_AUTUMN_NEXT, true);
}

static bool answers(const sb_autumn_test *t) { return t && t->posed->challenge.name.kind == SB_AUTUMN_MFP; }

/* ---- uniform ---- */

static bool begin(void *memory, const sb_env *env, __attribute__((unused)) sb_budget *budget,
                  __attribute__((unused)) sb_error *error) {
    *(sb_rng *)memory = sb_draws_of(&env->name, "uniform");
    return true;
}

static void act_uniformly(void *memory, const sb_observation *observation, __attribute__((unused)) sb_budget *budget,
                          sb_action *action, sb_intent *intent) {
    sb_rng *rng = memory;
    const sb_env *env = observation->env;
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    sb_intend(intent, "try", "random action", (sb_xy){-1, -1});
    if (pass(t, action)) return;
    if (answers(t))
        *action = SB_AUTUMN_OPTION + (sb_action)sb_bounded(rng, SB_AUTUMN_CHOICES - 1);
    else
        *action = sb_autumn_action_of(env, sb_autumn_random_event(rng, sb_autumn_size(sb_autumn_state_of(env))));
}

const sb_oracle sb_autumn_uniform = {.family = "autumn",
                                     .name = "uniform",
                                     .baseline = true,
                                     .sees = SB_SEES_STATE,
                                     .remembers = sizeof(sb_rng),
                                     .memory = sizeof(sb_rng),
                                     .begin = begin,
                                     .act = act_uniformly};

/* ---- idle ---- */

static void stand_by(__attribute__((unused)) void *none, const sb_observation *observation,
                     __attribute__((unused)) sb_budget *budget, sb_action *action, sb_intent *intent) {
    const sb_autumn_test *t = sb_autumn_episode_of(observation->env)->test;
    sb_intend(intent, "wait for", "end of the episode", (sb_xy){-1, -1});
    if (!pass(t, action)) *action = answers(t) ? SB_AUTUMN_OPTION : SB_AUTUMN_NOOP;
}

const sb_oracle sb_autumn_idle = {
    .family = "autumn", .name = "idle", .baseline = true, .sees = SB_SEES_STATE, .act = stand_by};
