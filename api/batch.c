/* Batches: environments in step, with results in the caller's arrays. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/out.h"
#include "engine/environment.h"
#include "engine/lookup.h"

struct sb_batch {
    size_t n, n_names, next; /* of the names those before `next` were begun */
    size_t running;
    sb_then then;
    const sb_mode *mode;
    sb_batch_arrays arrays;
    sb_name *names;
    sb_env **envs;
    bool *idle;
};

/* ---- Making ---- */

static bool check_names(const sb_name *names, size_t n_names, size_t n, sb_error *error) {
    if (n == 0 || n > n_names)
        return sb_fail(error, SB_INVALID,
                       "a batch of %zu environments needs as many names, and one at least; here are %zu", n, n_names);
    for (size_t i = 1; i < n_names; i++)
        if (strcmp(names[i].family, names[0].family) != 0)
            return sb_fail(error, SB_INVALID, "name %zu is of the family %s, the first of %s: a batch has one family",
                           i, names[i].family, names[0].family);
    return true;
}

static bool find_mode(sb_batch *batch, const char *mode, sb_error *error) {
    const sb_family *family = sb_family_find(batch->names[0].family, error);
    if (!family) return false;
    if (!batch->arrays.texts) return true;
    if (!mode) return sb_fail(error, SB_INVALID, "texts are wanted, but no observation mode is named");
    return (batch->mode = sb_mode_find(family, mode, error)) != NULL;
}

static bool make_envs(sb_batch *batch, sb_error *error) {
    for (size_t i = 0; i < batch->n; i++)
        if (!(batch->envs[i] = sb_make(NULL, error))) return false;
    return true;
}

/* ---- Filling in the arrays ---- */

static void show(const sb_batch *batch, size_t i, const sb_result *result, bool begun) {
    const sb_batch_arrays *to = &batch->arrays;
    const sb_env *env = batch->envs[i];
    if (to->results) to->results[i] = *result;
    if (to->begun) to->begun[i] = begun;
    if (to->idle) to->idle[i] = batch->idle[i];
    if (to->keys) sb_key(env, to->keys[i]);
    if (!to->texts) return;
    sb_out text = sb_out_fixed(to->texts + i * to->text_size, to->text_size);
    if (env->state) env->family->observe(env, batch->mode, &text);
    const size_t length = sb_out_finish(&text);
    if (to->lengths) to->lengths[i] = length;
}

static void rest(sb_batch *batch, size_t i) {
    batch->running -= !batch->idle[i];
    batch->idle[i] = true;
    show(batch, i, &(sb_result){0}, false);
}

/* ---- Episode after episode ---- */

static bool begin(sb_batch *batch, size_t i, const sb_name *name, sb_error *error) {
    char text[SB_NAME_MAX];
    if (sb_reset_name(batch->envs[i], name, error)) return show(batch, i, &(sb_result){0}, true), true;
    sb_name_print(name, text, sizeof text);
    rest(batch, i);
    return sb_fail_at(error, "%s", text);
}

/* What follows the episode that has ended here; false if nothing does. */
static bool next_name(sb_batch *batch, size_t i, sb_name *name) {
    if (batch->idle[i] || batch->then == SB_THEN_STOP) return false;
    if (batch->then == SB_THEN_SAME) return *name = batch->envs[i]->name, true;
    if (batch->next == batch->n_names) return false;
    *name = batch->names[batch->next++];
    return true;
}

static bool go_on(sb_batch *batch, size_t i, sb_error *error) {
    sb_name name;
    if (next_name(batch, i, &name)) return begin(batch, i, &name, error);
    rest(batch, i);
    return true;
}

static bool make(sb_batch *batch, const sb_name *names, const char *mode, sb_error *error) {
    batch->names = malloc(batch->n_names * sizeof *batch->names);
    batch->envs = calloc(batch->n, sizeof *batch->envs);
    batch->idle = calloc(batch->n, sizeof *batch->idle);
    if (!batch->names || !batch->envs || !batch->idle)
        return sb_fail(error, SB_MEMORY, "out of memory for a batch of %zu", batch->n);
    memcpy(batch->names, names, batch->n_names * sizeof *names);
    if (!find_mode(batch, mode, error) || !make_envs(batch, error)) return false;
    for (size_t i = 0; i < batch->n; i++)
        if (!begin(batch, i, &batch->names[batch->next++], error)) return false;
    return true;
}

sb_batch *sb_batch_make(const sb_name *names, size_t n_names, size_t n, sb_then then, const char *mode,
                        const sb_batch_arrays *arrays, sb_error *error) {
    if (!check_names(names, n_names, n, error)) return NULL;
    sb_batch *batch = calloc(1, sizeof *batch);
    if (!batch) return sb_fail(error, SB_MEMORY, "out of memory for a batch"), NULL;
    *batch = (sb_batch){.n = n, .n_names = n_names, .running = n, .then = then, .arrays = *arrays};
    if (make(batch, names, mode, error)) return batch;
    sb_batch_free(batch);
    return NULL;
}

void sb_batch_free(sb_batch *batch) {
    if (!batch) return;
    for (size_t i = 0; batch->envs && i < batch->n; i++) sb_free(batch->envs[i]);
    free(batch->envs);
    free(batch->names);
    free(batch->idle);
    free(batch);
}

/* ---- Stepping ---- */

static bool are_in_range(const sb_batch *batch, const sb_action *actions, sb_error *error) {
    for (size_t i = 0; i < batch->n; i++) {
        const sb_env *env = batch->envs[i];
        if (!env->status.done && (actions[i] < 0 || actions[i] >= env->n_actions))
            return sb_fail(error, SB_INVALID, "environment %zu: action %d is out of range: this task has 0..%d", i,
                           actions[i], env->n_actions - 1);
    }
    return true;
}

bool sb_batch_step(sb_batch *batch, const sb_action *actions, sb_error *error) {
    bool ok = true;
    if (!are_in_range(batch, actions, error)) return false;
    for (size_t i = 0; i < batch->n; i++) {
        sb_env *env = batch->envs[i];
        sb_result result = {0};
        sb_error ignored; /* the first failure is the one that is told */
        if (env->status.done) {
            ok &= go_on(batch, i, ok ? error : &ignored);
            continue;
        }
        sb_step(env, actions[i], &result, &ignored);
        show(batch, i, &result, false);
    }
    return ok;
}

size_t sb_batch_running(const sb_batch *batch) { return batch->running; }

const sb_env *sb_batch_env(const sb_batch *batch, size_t index) { return index < batch->n ? batch->envs[index] : NULL; }
