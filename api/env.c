/* Environments: the public side of the family contract. Only this file writes an environment's status. */
#include "api/env.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/out.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "seedbed/tape.h"

static const sb_status not_started = {.done = true};

void sb_empty(sb_env *env) {
    if (env->state) env->family->clear(env);
    *env = (sb_env){.catalogue = env->catalogue,
                    .status = not_started,
                    .log = env->log,
                    .log_capacity = env->log_capacity,
                    .watcher = env->watcher,
                    .watcher_context = env->watcher_context};
}

/* Frees the state if it belongs to another family; a state of the same family is kept and reused. */
static void turn_to(sb_env *env, const sb_family *family) {
    if (env->family && env->family != family) sb_empty(env);
    env->family = family;
    env->has_extras = family->stand || family->tell_fault;
    env->status = not_started;
}

static void take_task(sb_env *env, const sb_name *name, const sb_resolved *of) {
    turn_to(env, of->family);
    env->task = of->task, env->task_index = of->task_index, env->difficulty_index = of->difficulty;
    env->shape = (sb_shape){0};
    env->family->shape(env->task, env->difficulty_index, &env->shape);
    env->n_actions = sb_n_actions(&env->shape);
    env->name = *name;
    const char *spelled = sb_difficulty_name(env->family, env->task, env->difficulty_index);
    snprintf(env->name.difficulty, sizeof env->name.difficulty, "%s", spelled);
}

/* Loops over seeds start the same task again and again: then the look-up is skipped. */
static bool is_same_task(const sb_env *env, const sb_name *name) {
    return env->state && sb_same_pair(&env->name, name);
}

bool sb_record_up_to(sb_env *env, size_t steps, sb_error *error) {
    if (env->log && env->log_capacity >= steps) return true;
    sb_action *log = realloc(env->log, (steps + 1) * sizeof *log);
    if (!log) return sb_fail(error, SB_MEMORY, "out of memory for %zu actions", steps);
    env->log = log, env->log_capacity = steps;
    return true;
}

static bool make_log(sb_env *env, sb_error *error) {
    return !env->log || sb_record_up_to(env, (size_t)env->status.max_steps, error);
}

bool sb_record(sb_env *env, bool on, sb_error *error) {
    if (on == (env->log != NULL)) return true;
    if (on && env->status.steps) return sb_fail(error, SB_INVALID, "recording must begin before the first step");
    if (on) return sb_record_up_to(env, (size_t)env->status.max_steps, error);
    free(env->log);
    env->log = NULL, env->log_capacity = 0;
    return true;
}

void sb_watch_starts(sb_env *env, sb_start_watcher *watcher, void *context) {
    env->watcher = watcher, env->watcher_context = context;
}

/* Prepares the environment for the named task. `of` is what the name stands for, or NULL if nobody looked it up. */
static bool turn_to_task(sb_env *env, const sb_name *name, const sb_resolved *of, sb_error *error) {
    sb_resolved found;
    if (is_same_task(env, name)) {
        env->name.seed = name->seed;
        env->status = not_started;
        return true;
    }
    if (!of && !sb_resolve(env->catalogue, name, &found, error)) return false;
    take_task(env, name, of ? of : &found);
    return true;
}

static bool start(sb_env *env, const sb_name *name, const sb_resolved *of, sb_error *error) {
    int32_t max_steps;
    if (!turn_to_task(env, name, of, error)) return false;
    if (!env->family->start(env, &max_steps, error)) return false;
    env->status = (sb_status){.max_steps = max_steps};
    env->taken = SB_NOTHING_TAKEN;
    if (env->family->stand) env->family->stand(env, &env->status);
    return make_log(env, error);
}

bool sb_reset_name(sb_env *env, const sb_name *name, sb_error *error) {
    if (start(env, name, NULL, error)) return true;
    sb_empty(env);
    return false;
}

bool sb_reset(sb_env *env, const char *text, sb_error *error) {
    sb_name name;
    sb_resolved of;
    const bool ok = text || sb_fail(error, SB_INVALID, "sb_reset needs the name of an episode");
    if (ok && sb_resolve_text(env->catalogue, text, &name, &of, error) && start(env, &name, &of, error)) return true;
    sb_empty(env);
    return false;
}

sb_env *sb_make(const sb_catalogue *catalogue, const char *name, sb_error *error) {
    sb_env *env = calloc(1, sizeof *env);
    if (!env) return sb_fail(error, SB_MEMORY, "out of memory for an environment"), NULL;
    env->catalogue = catalogue;
    env->status = not_started;
    if (!name || sb_reset(env, name, error)) return env;
    free(env);
    return NULL;
}

void sb_free(sb_env *env) {
    if (!env) return;
    sb_empty(env);
    free(env->log);
    free(env);
}

static bool is_started(const sb_env *env, sb_error *error) {
    return env->state || sb_fail(error, SB_FINISHED, "no episode was started; reset first");
}

/* Ends the episode in the state before the step. */
static void end_by_fault(sb_status *status, sb_result *result) {
    result->terminated = status->terminated = status->done = status->fault = true;
    result->success = status->success = false;
}

static void add_extras(sb_env *env, sb_result *result) {
    if (env->family->stand) env->family->stand(env, &env->status);
    if (result->fault) end_by_fault(&env->status, result);
}

bool sb_step(sb_env *env, sb_action action, sb_result *result, sb_error *error) {
    sb_status *status = &env->status;
    if (status->done)
        return is_started(env, error) &&
               sb_fail(error, SB_FINISHED, "the episode is over (steps taken: %d): reset first", status->steps);
    if ((uint32_t)action >= (uint32_t)env->n_actions) /* negative actions are too large as unsigned numbers */
        return sb_fail(error, SB_INVALID, "action %d is out of range: this task has 0..%d", action, env->n_actions - 1);
    if (env->log) env->log[status->steps] = action;
    env->taken = action;
    result->fault = false;
    env->family->step(env, action, result);
    status->steps++;
    status->total += result->reward;
    status->dense_total += result->dense;
    const bool terminated = result->terminated, truncated = result->truncated;
    status->terminated = terminated, status->truncated = truncated, status->success = result->success;
    status->done = terminated | truncated; /* one load of both, just written, would stall */
    if (env->has_extras) add_extras(env, result);
    return true;
}

bool sb_extend(sb_env *env, int32_t max_steps) {
    if (!env->family->extend || !env->family->extend(env, max_steps)) return false;
    env->status.max_steps = max_steps;
    return true;
}

/* Copies the log of actions. If `from` does not record, `to` stops recording, because it does not know the actions. */
static bool copy_log(sb_env *to, const sb_env *from, sb_error *error) {
    if (!to->log) return true;
    if (!from->log) return sb_record(to, false, error);
    if (!make_log(to, error)) return false;
    memcpy(to->log, from->log, (size_t)from->status.steps * sizeof *to->log);
    return true;
}

bool sb_copy(sb_env *to, const sb_env *from, sb_error *error) {
    if (to == from) return true;
    to->catalogue = from->catalogue;
    if (!from->state) return sb_empty(to), true;
    turn_to(to, from->family);
    if (!from->family->copy(to, from, error)) {
        sb_empty(to);
        return false;
    }
    const sb_env own = *to;
    *to = *from;
    to->state = own.state, to->log = own.log, to->log_capacity = own.log_capacity;
    to->watcher = own.watcher, to->watcher_context = own.watcher_context;
    if (copy_log(to, from, error)) return true;
    sb_empty(to);
    return false;
}

sb_env *sb_clone(const sb_env *env, sb_error *error) {
    sb_env *copy = sb_make(env->catalogue, NULL, error);
    if (copy && (!env->log || sb_record(copy, true, error)) && sb_copy(copy, env, error)) return copy;
    sb_free(copy);
    return NULL;
}

const char *sb_version(void) { return SB_VERSION; }

const sb_name *sb_name_of(const sb_env *env) { return &env->name; }

const sb_status *sb_status_of(const sb_env *env) { return &env->status; }

const sb_family *sb_family_of(const sb_env *env) { return env->family; }

const sb_task_info *sb_task_of(const sb_env *env) { return env->task; }

const sb_shape *sb_shape_of(const sb_env *env) { return env->state ? &env->shape : NULL; }

size_t sb_fault_text(const sb_env *env, char *text, size_t capacity) {
    sb_out out = sb_out_fixed(text, capacity);
    if (env->status.fault && env->family->tell_fault) env->family->tell_fault(env, &out);
    return sb_out_finish(&out);
}

/* ---- Looking ---- */

static bool has_mode(const sb_env *env, const sb_mode *mode) {
    return env->state && mode >= env->family->modes && mode < env->family->modes + env->family->n_modes;
}

size_t sb_observe(const sb_env *env, const sb_mode *mode, char *text, size_t capacity) {
    sb_out out = sb_out_fixed(text, capacity);
    if (has_mode(env, mode)) env->family->observe(env, mode, &out);
    return sb_out_finish(&out);
}

size_t sb_observe_array(const sb_env *env, const sb_array *array, void *out, size_t capacity) {
    int32_t extent[SB_ARRAY_RANK];
    if (!env->state || !sb_has_array(env->family, array)) return 0;
    sb_extent_in(env, array, extent);
    const size_t bytes = sb_numbers_size(array->type, array->rank, extent);
    if (bytes <= capacity) sb_fill_array(env, array, out);
    return bytes;
}

static void mask_nothing(const sb_env *env, bool *mask) { memset(mask, true, sb_mask_size(&env->shape)); }

static size_t give_mask(const sb_env *env, void (*give)(const sb_env *, bool *), bool *out, size_t capacity) {
    bool all[SB_MASK_MAX];
    const size_t n = env->state ? sb_mask_size(&env->shape) : 0;
    if (n == 0) return 0;
    if (n <= capacity) return give(env, out), n;
    give(env, all);
    if (capacity) memcpy(out, all, capacity * sizeof *out);
    return n;
}

size_t sb_action_mask(const sb_env *env, bool *out, size_t capacity) {
    const bool proves = env->state && env->family->effective;
    return give_mask(env, proves ? env->family->effective : mask_nothing, out, capacity);
}

size_t sb_valid_mask(const sb_env *env, bool *out, size_t capacity) {
    return env->state ? give_mask(env, env->family->valid, out, capacity) : 0;
}

size_t sb_valid_actions(const sb_env *env, sb_action *out, size_t capacity) {
    bool mask[SB_MASK_MAX];
    const size_t entries = sb_valid_mask(env, mask, SB_MASK_MAX);
    size_t n = 0;
    for (size_t i = 0; i < entries; i++) {
        if (!mask[i]) continue;
        if (n < capacity) out[n] = (sb_action)i;
        n++;
    }
    return n;
}

/* ---- Actions ---- */

size_t sb_action_name(const sb_env *env, sb_action action, char *text, size_t capacity) {
    sb_out out = sb_out_fixed(text, capacity);
    if (env->task && action >= 0 && action < env->n_actions) env->family->print_action(env, action, &out);
    return sb_out_finish(&out);
}

/* Trims the text, makes it lower case and replaces spaces by underscores. */
static void normalize(const char *text, char *plain, size_t capacity) {
    while (isspace((unsigned char)*text)) text++;
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1])) n--;
    if (n >= capacity) n = 0; /* no action has such a long name */
    for (size_t i = 0; i < n; i++) plain[i] = text[i] == ' ' ? '_' : (char)tolower((unsigned char)text[i]);
    plain[n] = '\0';
}

bool sb_action_parse(const sb_env *env, const char *text, sb_action *action, sb_error *error) {
    if (!env->task) return is_started(env, error);
    char plain[64];
    uint64_t number;
    normalize(text, plain, sizeof plain);
    if (sb_parse_uint(plain, &number) && number < (uint64_t)env->n_actions) return *action = (sb_action)number, true;
    if (env->family->parse_action(env, plain, action)) return true;
    return sb_fail(error, SB_INVALID, "`%.40s` is not an action of %s", text, env->task->name);
}

void sb_key(const sb_env *env, uint64_t key[2]) {
    key[0] = key[1] = 0;
    if (env->state) env->family->key(env, key);
}
