/* One episode of a program, behind the family's hooks: free exploration, which ends after 300 steps or by a fault, or a
 * test (generators/autumn/test.h). */
#ifndef SB_AUTUMN_EPISODE_H
#define SB_AUTUMN_EPISODE_H

#include "engine/environment.h"
#include "generators/autumn/programs.h"

/* The first buttons are the five keys; tests have more. */
enum { SB_AUTUMN_MAX_STEPS = 300, SB_AUTUMN_N_BUTTONS = SB_AUTUMN_CLICK };

struct sb_autumn_test;

typedef struct sb_autumn_episode {
    sb_autumn_compiled *compiled;
    const sb_autumn_task *task; /* that was compiled */
    sb_autumn_state *state;
    struct sb_autumn_test *test; /* NULL: free exploration */
    uint64_t n_failed_keys;
} sb_autumn_episode;

/* Both belong to the environment. */
static inline const sb_autumn_episode *sb_autumn_episode_of(const sb_env *env) { return env->state; }
static inline const sb_autumn_state *sb_autumn_state_of(const sb_env *env) { return sb_autumn_episode_of(env)->state; }

bool sb_autumn_episode_start(sb_env *env, int32_t *max_steps, sb_error *error);
void sb_autumn_episode_step(sb_env *env, sb_action action, sb_result *result);
void sb_autumn_tell_fault(const sb_env *env, sb_out *out);
bool sb_autumn_episode_copy(sb_env *to, const sb_env *from, sb_error *error);
void sb_autumn_clear(sb_env *env);
void sb_autumn_episode_key(const sb_env *env, uint64_t key[2]);
void sb_autumn_valid(const sb_env *env, bool *mask);
/* Whether an action is a key or a click, and the event of such an action. */
static inline bool sb_autumn_is_event(const sb_env *env, sb_action action) {
    return action < SB_AUTUMN_N_BUTTONS || action >= env->shape.n_buttons;
}
sb_autumn_event sb_autumn_event_of(const sb_env *env, sb_action action);
/* The action for an event. A grid that has grown has places that cannot be clicked; for them it is noop. */
sb_action sb_autumn_action_of(const sb_env *env, sb_autumn_event event);
void sb_autumn_print_action(const sb_env *env, sb_action action, sb_out *out);
bool sb_autumn_parse_action(const sb_env *env, const char *text, sb_action *action);

#endif
