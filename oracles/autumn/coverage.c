/* Explores: takes the actions of the coverage walk, so that as much as possible of a program is seen. It tries actions
 * on copies of the state, hidden variables included, but with random numbers of their own. */
#include "base/error.h"
#include "generators/autumn/challenges/walk.h"
#include "generators/autumn/episode.h"
#include "oracles/autumn/insider.h"
#include "oracles/oracle.h"
#include "oracles/player.h"

typedef struct memory {
    sb_autumn_compiled *compiled; /* the walk needs it, and may outlive the episode */
    sb_autumn_walk *walk;
} memory;

static void close_walk(void *data) {
    memory *m = data;
    sb_autumn_walk_free(m->walk);
    sb_autumn_release(m->compiled);
    *m = (memory){0};
}

static bool begin(void *data, const sb_env *env, __attribute__((unused)) sb_budget *budget, sb_error *error) {
    memory *m = data;
    sb_rng rng = sb_draws_of(&env->name, "coverage");
    close_walk(m);
    m->compiled = sb_autumn_share(sb_autumn_episode_of(env)->compiled);
    m->walk = sb_autumn_walk_new(m->compiled->program, sb_next64(&rng));
    return m->walk || sb_fail(error, SB_MEMORY, "out of memory for an oracle");
}

/* Without memory for the walk it waits. */
static void act(void *data, const sb_observation *observation, __attribute__((unused)) sb_budget *budget,
                sb_action *action, sb_intent *intent) {
    const memory *m = data;
    sb_autumn_event event;
    sb_autumn_walk_choose(m->walk, sb_autumn_state_of(observation->env), &event);
    *action = sb_autumn_action_of(observation->env, event);
    sb_autumn_explain(intent, event);
}

const sb_oracle sb_autumn_coverage = {.family = "autumn",
                                      .name = "coverage",
                                      .baseline = true,
                                      .sees = SB_SEES_STATE,
                                      .remembers = sizeof(memory),
                                      .memory = sizeof(memory),
                                      .begin = begin,
                                      .close = close_walk,
                                      .act = act};
