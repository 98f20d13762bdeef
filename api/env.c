/* Environments: the public face of the family contract, and the only writer of an environment's status. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/out.h"
#include "engine/environment.h"
#include "engine/lookup.h"

static const sb_status not_started = {.done = true};

/* Without family and state: what a failed reset leaves. */
static void empty(sb_env *env) {
    if (env->state) env->family->clear(env);
    *env = (sb_env){.status = not_started};
}

/* Frees the state of another family; of the same it is kept and used again. */
static void turn_to(sb_env *env, const sb_family *family) {
    if (env->family && env->family != family) empty(env);
    env->family = family;
    env->status = not_started;
}

static bool start(sb_env *env, const sb_name *name, sb_error *error) {
    const sb_family *family = sb_family_find(name->family, error);
    int32_t max_steps;
    if (!family) return false;
    turn_to(env, family);
    if (!sb_task_find(family, name->task, &env->task_index, error)) return false;
    if (!sb_variant_find(family, name->variant, &env->variant_index, error)) return false;
    env->task = family->task(env->task_index);
    env->name = *name;
    if (!family->start(env, &max_steps, error)) return false;
    env->status = (sb_status){.max_steps = max_steps};
    env->n_actions = family->n_actions(env);
    return true;
}

bool sb_reset_name(sb_env *env, const sb_name *name, sb_error *error) {
    if (start(env, name, error)) return true;
    empty(env);
    return false;
}

bool sb_reset(sb_env *env, const char *text, sb_error *error) {
    sb_name name;
    if (sb_name_parse(text, &name, error)) return sb_reset_name(env, &name, error);
    empty(env);
    return false;
}

sb_env *sb_make(const char *name, sb_error *error) {
    sb_env *env = calloc(1, sizeof *env);
    if (!env) return sb_fail(error, SB_MEMORY, "out of memory for an environment"), NULL;
    env->status = not_started;
    if (!name || sb_reset(env, name, error)) return env;
    free(env);
    return NULL;
}

void sb_free(sb_env *env) {
    if (!env) return;
    empty(env);
    free(env);
}

static bool is_started(const sb_env *env, sb_error *error) {
    return env->state || sb_fail(error, SB_FINISHED, "no episode was started: reset first");
}

bool sb_step(sb_env *env, sb_action action, sb_result *result, sb_error *error) {
    sb_status *status = &env->status;
    if (status->done)
        return is_started(env, error) &&
               sb_fail(error, SB_FINISHED, "the episode is over (steps taken: %d): reset first", status->steps);
    if (action < 0 || action >= env->n_actions)
        return sb_fail(error, SB_INVALID, "action %d is out of range: this task has 0..%d", action, env->n_actions - 1);
    env->family->step(env, action, result);
    status->steps++;
    status->total += result->reward;
    status->dense_total += result->dense;
    const bool terminated = result->terminated, truncated = result->truncated;
    status->terminated = terminated, status->truncated = truncated, status->success = result->success;
    status->done = terminated | truncated; /* a single load of both, just written, would stall */
    return true;
}

bool sb_copy(sb_env *to, const sb_env *from, sb_error *error) {
    if (to == from) return true;
    if (!from->state) return empty(to), true;
    turn_to(to, from->family);
    if (!from->family->copy(to, from, error)) {
        empty(to);
        return false;
    }
    void *state = to->state;
    *to = *from;
    to->state = state;
    return true;
}

sb_env *sb_clone(const sb_env *env, sb_error *error) {
    sb_env *copy = sb_make(NULL, error);
    if (copy && sb_copy(copy, env, error)) return copy;
    free(copy);
    return NULL;
}

const sb_name *sb_name_of(const sb_env *env) { return &env->name; }

const sb_status *sb_status_of(const sb_env *env) { return &env->status; }

size_t sb_observe(const sb_env *env, const char *mode_name, char *text, size_t capacity, sb_error *error) {
    if (!is_started(env, error)) return (size_t)-1;
    const sb_mode *mode = sb_mode_find(env->family, mode_name, error);
    if (!mode) return (size_t)-1;
    sb_out out = sb_out_fixed(text, capacity);
    env->family->observe(env, mode, &out);
    return sb_out_finish(&out);
}

size_t sb_valid_actions(const sb_env *env, sb_action *out, size_t capacity) {
    return env->state ? env->family->valid(env, out, capacity) : 0;
}

size_t sb_action_name(const sb_env *env, sb_action action, char *text, size_t capacity) {
    sb_out out = sb_out_fixed(text, capacity);
    if (env->state && action >= 0 && action < env->n_actions) env->family->print_action(env, action, &out);
    return sb_out_finish(&out);
}

/* Trimmed, lower case, spaces as underscores. */
static void normalize(const char *text, char *plain, size_t capacity) {
    while (isspace((unsigned char)*text)) text++;
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1])) n--;
    if (n >= capacity) n = 0; /* no action has a name that long */
    for (size_t i = 0; i < n; i++) plain[i] = text[i] == ' ' ? '_' : (char)tolower((unsigned char)text[i]);
    plain[n] = '\0';
}

bool sb_action_parse(const sb_env *env, const char *text, sb_action *action, sb_error *error) {
    if (!is_started(env, error)) return false;
    char plain[64];
    uint64_t number;
    normalize(text, plain, sizeof plain);
    if (sb_parse_uint(plain, &number) && number < (uint64_t)env->n_actions) return *action = (sb_action)number, true;
    if (env->family->parse_action(env, plain, action)) return true;
    return sb_fail(error, SB_INVALID, "`%.40s` is no action of %s", text, env->task->name);
}

void sb_key(const sb_env *env, uint64_t key[2]) {
    key[0] = key[1] = 0;
    if (env->state) env->family->key(env, key);
}
