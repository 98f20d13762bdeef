#include "engine/gridworld/gridworld.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/gridworld/observe/observe.h"
#include "engine/shipped.h"

enum { ASCII, ASCII_COLOR, LANGUAGE, LANGUAGE_SCENE, STRUCTURED, STRUCTURED_SCENE, STATE, STATE_SCENE };

static const sb_mode language_scene = {.name = "language", .code = LANGUAGE_SCENE, .relative = true};
static const sb_mode structured_scene = {.name = "structured", .code = STRUCTURED_SCENE, .document = true};
static const sb_mode state_scene = {.name = "state", .code = STATE_SCENE, .document = true};

const sb_mode sb_gridworld_modes[SB_N_GRIDWORLD_MODES] = {
    {.name = "ascii", .code = ASCII},
    {.name = "ascii_color", .code = ASCII_COLOR},
    {.name = "language", .code = LANGUAGE, .relative = true, .scene = &language_scene},
    {.name = "structured",
     .alias = "language_structured",
     .code = STRUCTURED,
     .document = true,
     .schema = SB_SCHEMA(structured),
     .scene = &structured_scene},
    {.name = "state",
     .alias = "state_dict",
     .code = STATE,
     .document = true,
     .schema = SB_SCHEMA(state),
     .scene = &state_scene},
};

const char *const sb_gridworld_dataset_modes[] = {"ascii", "language", NULL};

static bool make_room(sb_env *env, sb_error *error) {
    if (!env->state) env->state = calloc(1, sizeof(sb_episode));
    return env->state || sb_fail(error, SB_MEMORY, "out of memory for an episode");
}

bool sb_gridworld_start(sb_env *env, int32_t *max_steps, sb_error *error) {
    if (!make_room(env, error)) return false;
    const sb_task *task = (const sb_task *)env->task; /* a task begins with its info */
    const sb_difficulty difficulty = (sb_difficulty)env->difficulty_index;
    *max_steps = task->extents[difficulty].max_steps;
    return sb_episode_start(env->state, task, difficulty, env->name.seed, NULL, error);
}

void sb_gridworld_step(sb_env *env, sb_action action, sb_result *result) {
    sb_episode_step(env->state, action, result);
}

void sb_gridworld_observe(const sb_env *env, const sb_mode *mode, sb_out *out) {
    const sb_episode *e = env->state;
    switch (mode->code) {
    case ASCII: sb_observe_ascii(e, false, out); break;
    case ASCII_COLOR: sb_observe_ascii(e, true, out); break;
    case LANGUAGE: sb_observe_language(e, out); break;
    case LANGUAGE_SCENE: sb_observe_language_scene(e, out); break;
    case STRUCTURED: sb_observe_structured(e, out); break;
    case STRUCTURED_SCENE: sb_observe_structured_scene(e, out); break;
    case STATE: sb_observe_state(e, &env->status, out); break;
    case STATE_SCENE: sb_observe_state_scene(e, &env->status, out); break;
    }
}

void sb_gridworld_valid(const sb_env *env, bool *mask) {
    const unsigned valid = sb_episode_valid(env->state);
    for (sb_action a = 0; a < SB_N_ACTIONS; a++) mask[a] = valid >> a & 1;
}

void sb_gridworld_effective(const sb_env *env, bool *mask) {
    const unsigned effective = sb_episode_effective(env->state);
    for (sb_action a = 0; a < SB_N_ACTIONS; a++) mask[a] = effective >> a & 1;
}

void sb_gridworld_print_action(const sb_env *env, sb_action action, sb_out *out) {
    (void)env;
    sb_puts(out, sb_action_names[action]);
}

bool sb_gridworld_parse_action(const sb_env *env, const char *text, sb_action *action) {
    (void)env;
    for (sb_action a = 0; a < SB_N_ACTIONS; a++)
        if (strcmp(sb_action_names[a], text) == 0) return *action = a, true;
    return false;
}

bool sb_gridworld_copy(sb_env *to, const sb_env *from, sb_error *error) {
    if (!make_room(to, error)) return false;
    sb_episode_copy(to->state, from->state);
    return true;
}

void sb_gridworld_clear(sb_env *env) {
    free(env->state);
    env->state = NULL;
}

void sb_gridworld_key(const sb_env *env, uint64_t key[2]) { sb_episode_key(env->state, key); }

int sb_gridworld_bound(const sb_env *env) {
    const sb_episode *e = env->state;
    return e->task->bound ? e->task->bound(e) : 0;
}

void sb_gridworld_tell_info(const sb_env *env, sb_out *out) { sb_observe_info(env->state, out); }

void sb_gridworld_hide(sb_env *env) { sb_episode_hide(env->state); }

bool sb_gridworld_reseed(sb_env *env, uint64_t seed) {
    sb_episode *e = env->state;
    return e->task->reseed && e->task->reseed(e, seed);
}

void sb_gridworld_survey(const sb_env *env, sb_grid_survey *survey) {
    const sb_episode *e = env->state;
    bool terrains[SB_N_TERRAINS] = {[SB_EMPTY] = true}, objects[SB_N_OBJECTS] = {[SB_NONE] = true};
    *survey = (sb_grid_survey){.cells = sb_n_cells(e), .has_agent = true, .agent = e->agent.at};
    for (int i = 0; i < sb_n_cells(e); i++) {
        bool *const terrain = &terrains[e->cells[i].terrain], *const object = &objects[e->cells[i].object];
        survey->kinds += !*terrain + !*object;
        *terrain = *object = true;
    }
}

bool sb_gridworld_extend(sb_env *env, int32_t max_steps) {
    sb_episode *e = env->state;
    if (e->task->endures || e->task->reads_limit) return false;
    e->max_steps = max_steps;
    return true;
}

void sb_gridworld_digest(const sb_env *env, uint8_t digest[32]) { sb_episode_digest(env->state, digest); }

const sb_episode *sb_episode_of(const sb_env *env) {
    return env->state && env->family->step == sb_gridworld_step ? env->state : NULL;
}
