/* One who knows the program. In tests it predicts, plans and watches; in free exploration it takes the coverage walk.
 */
#include "oracles/autumn/insider.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "oracles/oracle.h"
#include "oracles/player.h"

uint32_t sb_autumn_insider_string(const sb_autumn_program *program, const char *colour) {
    for (uint32_t i = 0; i < sb_autumn_n_strings(program); i++)
        if (strcmp(sb_autumn_string(program, i), colour) == 0) return i;
    return SB_AUTUMN_NO_STRING;
}

static void forget(void *memory) {
    sb_autumn_insight *e = memory;
    sb_autumn_tracker_free(e->tracker);
    sb_autumn_walk_free(e->walk);
    sb_autumn_free(e->course);
    if (e->clean.program) sb_autumn_clean_free(&e->clean);
    free(e->strings), free(e->base), free(e->open), free(e->worth);
    sb_autumn_release(e->compiled);
    *e = (sb_autumn_insight){0};
}

static bool make(sb_autumn_insight *e, const sb_autumn_test *t) {
    const sb_autumn_program *program = e->compiled->program;
    if (!(e->walk = sb_autumn_walk_new(program, sb_next64(&e->rng)))) return false;
    if (!t) return true;
    const size_t n = (size_t)t->posed->challenge.size * t->posed->challenge.size;
    if (!(e->strings = malloc(n * sizeof *e->strings))) return false;
    if (t->goal) e->worth = calloc(SB_AUTUMN_CLICK + sb_autumn_n_strings(program) + n, sizeof *e->worth);
    if (!t->changing) return !t->goal || e->worth;
    e->base = malloc(n * sizeof *e->base), e->open = malloc(n * sizeof *e->open);
    e->tracker = sb_autumn_tracker_new(program, &sb_autumn_changing_limits);
    e->course = sb_autumn_new(program);
    return e->base && e->open && e->tracker && e->course && sb_autumn_clean_find(program, &e->clean);
}

static bool begin(void *memory, const sb_env *env, __attribute__((unused)) sb_budget *budget, sb_error *error) {
    sb_autumn_insight *e = memory;
    const sb_autumn_episode *episode = sb_autumn_episode_of(env);
    forget(e);
    e->compiled = sb_autumn_share(episode->compiled);
    e->rng = sb_draws_of(&env->name, "insider");
    return make(e, episode->test) || sb_fail(error, SB_MEMORY, "out of memory for an oracle");
}

void sb_autumn_explain(sb_intent *intent, sb_autumn_event event) {
    static const char *const names[] = {"next step", "left key", "right key", "up key", "down key", "cell"};
    const bool clicks = event.key == SB_AUTUMN_CLICK;
    const char *verb = clicks ? "click" : event.key == SB_AUTUMN_NOOP ? "wait for" : "press";
    sb_intend(intent, verb, names[event.key], clicks ? (sb_xy){(int16_t)event.x, (int16_t)event.y} : (sb_xy){-1, -1});
}

static void explore(sb_autumn_insight *e, const sb_env *env, sb_action *action, sb_intent *intent) {
    sb_autumn_event event;
    if (!sb_autumn_walk_choose(e->walk, sb_autumn_state_of(env), &event)) return;
    *action = sb_autumn_action_of(env, event);
    sb_autumn_explain(intent, event);
}

/* Without memory it waits. */
static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    static const char *const verbs[] = {"predict", "reach", "watch for"};
    static const char *const objects[] = {"masked cells", "goal", "change"};
    const sb_env *env = observation->env;
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    *action = SB_AUTUMN_NOOP;
    sb_autumn_explain(intent, (sb_autumn_event){SB_AUTUMN_NOOP, 0, 0});
    if (!t) {
        explore(memory, env, action, intent);
        return;
    }
    const sb_autumn_challenge_kind kind = t->posed->challenge.name.kind;
    sb_intend(intent, verbs[kind], objects[kind], (sb_xy){-1, -1});
    if (t->phase == SB_AUTUMN_INTERACTION)
        *action = SB_AUTUMN_GO_TO_TEST;
    else if (kind == SB_AUTUMN_MFP)
        sb_autumn_insider_predict(memory, env, action);
    else if (kind == SB_AUTUMN_PLANNING)
        sb_autumn_insider_plan(memory, env, budget, action);
    else
        sb_autumn_insider_watch(memory, env, action);
}

const sb_oracle sb_autumn_insider = {.family = "autumn",
                                     .name = "insider",
                                     .sees = SB_SEES_STATE,
                                     .remembers = sizeof(sb_autumn_insight),
                                     .memory = sizeof(sb_autumn_insight),
                                     .begin = begin,
                                     .close = forget,
                                     .act = act};
