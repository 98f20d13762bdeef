/* What an episode holds, and which of its actions are events of the program. */
#ifndef SB_AUTUMN_EVENTS_H
#define SB_AUTUMN_EVENTS_H

#include "engine/environment.h"
#include "generators/autumn/programs.h"

/* The first buttons are the five keys; tests have more. */
enum { SB_AUTUMN_MAX_STEPS = 300, SB_AUTUMN_N_BUTTONS = SB_AUTUMN_CLICK };

struct sb_autumn_test;

typedef struct sb_autumn_episode {
    sb_autumn_compiled *compiled;
    const sb_autumn_task *task; /* the task that was compiled */
    sb_autumn_state *state;
    struct sb_autumn_test *test; /* NULL: free exploration */
    uint64_t n_failed_keys;
} sb_autumn_episode;

/* What the difficulty of an episode is in generators/autumn/variants.h. */
static inline size_t sb_autumn_variant_in(const sb_env *env) {
    return sb_autumn_variant_of(env->task, env->difficulty_index);
}

/* The episode and the state of an environment, to which both belong. */
static inline const sb_autumn_episode *sb_autumn_episode_of(const sb_env *env) { return env->state; }
static inline const sb_autumn_state *sb_autumn_state_of(const sb_env *env) { return sb_autumn_episode_of(env)->state; }

/* Whether an action is a key or a click, and the event of such an action. */
static inline bool sb_autumn_is_event(const sb_env *env, sb_action action) {
    return action < SB_AUTUMN_N_BUTTONS || action >= env->shape.n_buttons;
}
/* Masks the keys that the program cannot tell from `noop`, and clicks if it can tell none; nothing else. */
void sb_autumn_effective_events(const sb_env *env, bool *mask);
sb_autumn_event sb_autumn_event_of(const sb_env *env, sb_action action);
/* The action for an event. A grid that has grown has places that cannot be clicked; for them it is noop. */
sb_action sb_autumn_action_of(const sb_env *env, sb_autumn_event event);

#endif
