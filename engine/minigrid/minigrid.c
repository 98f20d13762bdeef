#include "engine/minigrid/minigrid.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static bool make_room(sb_env *env, sb_error *error) {
    if (!env->state) env->state = calloc(1, sizeof(sb_mg_world));
    return env->state || sb_fail(error, SB_MEMORY, "out of memory for an episode");
}

bool sb_minigrid_start(sb_env *env, int32_t *max_steps, sb_error *error) {
    if (!make_room(env, error)) return false;
    const sb_mg_level *level = (const sb_mg_level *)env->task; /* its info comes first */
    sb_mg_world *w = env->state;
    if (!level->generate(level, env->name.seed, w, NULL, error))
        return sb_fail_at(error, "%s#%llu", level->info.name, (unsigned long long)env->name.seed);
    *max_steps = w->max_steps;
    return true;
}

void sb_minigrid_step(sb_env *env, sb_action action, sb_result *result) {
    sb_mg_step(env->state, (sb_mg_action)action, result);
}

void sb_minigrid_observe(const sb_env *env, const sb_mode *mode, sb_out *out) {
    sb_mg_observe(env->state, mode->code, out);
}

void sb_minigrid_valid(const sb_env *env, bool *mask) {
    const unsigned valid = sb_mg_valid(env->state);
    for (sb_action a = 0; a < SB_MG_N_ACTIONS; a++) mask[a] = valid >> a & 1;
}

void sb_minigrid_effective(const sb_env *env, bool *mask) {
    const unsigned effective = sb_mg_effective(env->state);
    for (sb_action a = 0; a < SB_MG_N_ACTIONS; a++) mask[a] = effective >> a & 1;
}

void sb_minigrid_print_action(const sb_env *env, sb_action action, sb_out *out) {
    (void)env;
    sb_puts(out, sb_mg_action_names[action]);
}

bool sb_minigrid_parse_action(const sb_env *env, const char *text, sb_action *action) {
    (void)env;
    for (sb_action a = 0; a < SB_MG_N_ACTIONS; a++)
        if (strcmp(sb_mg_action_names[a], text) == 0) return *action = a, true;
    return false;
}

bool sb_minigrid_copy(sb_env *to, const sb_env *from, sb_error *error) {
    if (!make_room(to, error)) return false;
    memcpy(to->state, from->state, sizeof(sb_mg_world));
    return true;
}

void sb_minigrid_clear(sb_env *env) {
    free(env->state);
    env->state = NULL;
}

void sb_minigrid_key(const sb_env *env, uint64_t key[2]) { sb_mg_key(env->state, key); }

int sb_minigrid_bound(const sb_env *env) { return sb_mg_bound(env->state); }

void sb_minigrid_survey(const sb_env *env, sb_grid_survey *survey) {
    const sb_mg_world *w = env->state;
    bool seen[UINT8_MAX + 1][UINT8_MAX + 1] = {0}; /* by type and colour */
    *survey = (sb_grid_survey){
        .cells = w->width * w->height, .kinds = 1 /* walls */, .has_agent = true, .agent = w->agent};
    for (int id = 1; id <= w->n_objects; id++) {
        const sb_mg_object *o = &w->objects[id];
        if (!o->on_grid || seen[o->type][o->colour]) continue;
        seen[o->type][o->colour] = true;
        survey->kinds++;
    }
}

void sb_minigrid_hide(sb_env *env) { sb_mg_hide(env->state); }

bool sb_minigrid_extend(sb_env *env, int32_t max_steps) {
    sb_mg_world *w = env->state;
    w->max_steps = max_steps;
    return true;
}

static void tell_info(const sb_env *env, sb_out *out) {
    const sb_mg_world *w = env->state;
    sb_putf(out, "{\"agent_position\": [%d, %d], \"task_name\": \"%s\", \"mission\": \"", w->agent.x, w->agent.y,
            env->task->name);
    sb_mg_put_mission(out, &w->mission); /* letters, blanks and commas only */
    sb_puts(out, "\"}");
}

const sb_info_source sb_minigrid_info = {.in_arrays = true, .tell = tell_info};

void sb_minigrid_digest(const sb_env *env, uint8_t digest[32]) { sb_mg_digest(env->state, digest); }

const sb_mg_world *sb_mg_world_of(const sb_env *env) {
    return env->state && env->family->step == sb_minigrid_step ? env->state : NULL;
}
