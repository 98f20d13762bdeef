#include "api/batch.h"

#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "base/error.h"
#include "base/out.h"
#include "engine/lookup.h"
#include "seedbed/tape.h"

enum { BLOCK = 16 /* environments that a thread takes at a time */ };

/* What is done with an environment in this step. */
typedef enum deed {
    REST,  /* nothing: it is idle */
    STEP,  /* an action is taken */
    BEGIN, /* the episode `next` is begun */
    AWAIT  /* nothing: it has ended and waits for a reset of others */
} deed;

typedef struct slot {
    sb_env *env;
    deed deed;
    bool idle, failed;
    uint64_t episode; /* how many were begun here */
    sb_name next;
    sb_error error; /* of what failed */
} slot;

struct sb_batch {
    sb_batch_plan plan; /* its names are the batch's own */
    sb_batch_arrays arrays;
    sb_shape shape;   /* of the first task */
    size_t next_name; /* of the names those before were begun */
    size_t running;
    slot *slots;
    sb_team *team;
    const sb_action *actions; /* of this step */
    char *scratch;            /* of each environment: room for the largest array that is not as the caller's */
    size_t scratch_size;
};

size_t sb_batch_size(const sb_batch *batch) { return batch->plan.n; }
uint64_t sb_batch_episode(const sb_batch *batch, size_t index) { return batch->slots[index].episode; }
sb_team *sb_batch_team(const sb_batch *batch) { return batch->team; }
size_t sb_batch_running(const sb_batch *batch) { return batch->running; }

const sb_env *sb_batch_env(const sb_batch *batch, size_t index) {
    return index < batch->plan.n ? batch->slots[index].env : NULL;
}

/* ---- Showing ---- */

static bool is_given(const sb_array_out *out) { return out->extent[0] || out->extent[1] || out->extent[2]; }

/* How large an item of the caller's is. */
static const int32_t *extent_of(const sb_array_out *out, const sb_env *env) {
    return is_given(out) ? out->extent : env->shape.extent[out->array - env->family->arrays];
}

static size_t bytes_of(const sb_array *array, const int32_t *extent) {
    size_t bytes = sb_scalar_size(array->type);
    for (int i = 0; i < array->rank; i++) bytes *= (size_t)extent[i];
    return bytes;
}

/* As if it had three dimensions. */
static void widen(const int32_t *extent, int rank, int32_t wide[SB_ARRAY_RANK]) {
    for (int i = 0; i < SB_ARRAY_RANK; i++) wide[i] = i < SB_ARRAY_RANK - rank ? 1 : extent[i - (SB_ARRAY_RANK - rank)];
}

/* Puts numbers into the upper left corner of a larger item. */
static void put_corner(const sb_array_out *out, const int32_t *extent, const char *numbers, char *to) {
    const sb_array *array = out->array;
    const size_t size = sb_scalar_size(array->type);
    int32_t n[SB_ARRAY_RANK], whole[SB_ARRAY_RANK];
    widen(extent, array->rank, n), widen(out->extent, array->rank, whole);
    memset(to, 0, bytes_of(array, out->extent));
    const size_t line = (size_t)n[2] * size;
    for (int32_t i = 0; i < n[0]; i++)
        for (int32_t j = 0; j < n[1]; j++)
            memcpy(to + ((size_t)i * (size_t)whole[1] + (size_t)j) * (size_t)whole[2] * size,
                   numbers + ((size_t)i * (size_t)n[1] + (size_t)j) * line, line);
}

static void show_array(const sb_batch *batch, size_t i, const sb_array_out *out) {
    const sb_env *env = batch->slots[i].env;
    const size_t index = (size_t)(out->array - env->family->arrays);
    const int32_t *own = env->shape.extent[index], *whole = extent_of(out, env);
    char *to = (char *)out->out + i * bytes_of(out->array, whole);
    if (memcmp(own, whole, sizeof env->shape.extent[0]) == 0) {
        env->family->fill(env, index, to);
        return;
    }
    char *scratch = batch->scratch + i * batch->scratch_size;
    env->family->fill(env, index, scratch);
    put_corner(out, own, scratch, to);
}

static void show_view(const sb_batch *batch, size_t i, const sb_batch_view *view) {
    const sb_env *env = batch->slots[i].env;
    if (view->texts) {
        sb_out text = sb_out_fixed(view->texts + i * view->text_size, view->text_size);
        if (env->state) env->family->observe(env, view->mode, &text);
        const size_t length = sb_out_finish(&text);
        if (view->lengths) view->lengths[i] = length;
    }
    for (size_t k = 0; env->state && k < view->n_arrays; k++) show_array(batch, i, &view->arrays[k]);
    if (!view->masks) return;
    bool *mask = view->masks + i * view->mask_size;
    memset(mask, 0, view->mask_size * sizeof *mask);
    sb_valid_mask(env, mask, view->mask_size);
}

static void show(const sb_batch *batch, size_t i, const sb_result *result, bool begun) {
    const sb_batch_arrays *to = &batch->arrays;
    if (to->results) to->results[i] = *result;
    if (to->begun) to->begun[i] = begun;
    if (to->idle) to->idle[i] = batch->slots[i].idle;
    if (to->keys) sb_key(batch->slots[i].env, to->keys[i]);
    show_view(batch, i, &to->now);
}

/* ---- What each environment does, in any thread ---- */

static const sb_result nothing;

/* Where an extent is given, items may be smaller; else they lie one behind the other, and all are as in the first task.
 */
static bool fits(const sb_batch *batch, const sb_batch_view *view, const sb_env *env, sb_error *error) {
    for (size_t k = 0; k < view->n_arrays; k++) {
        const sb_array_out *out = &view->arrays[k];
        const ptrdiff_t index = out->array - env->family->arrays;
        const int32_t *own = env->shape.extent[index];
        const int32_t *whole = is_given(out) ? out->extent : batch->shape.extent[index];
        bool ok = true;
        for (int d = 0; d < out->array->rank; d++) ok &= is_given(out) ? own[d] <= whole[d] : own[d] == whole[d];
        if (!ok)
            return sb_fail(error, SB_INVALID, "array %s has another size here than %s", out->array->name,
                           is_given(out) ? "its extent has room for" : "in the first task: give an extent");
    }
    return !view->masks || sb_mask_size(&env->shape) <= view->mask_size ||
           sb_fail(error, SB_INVALID, "a mask has %zu entries here, and there is room for %zu",
                   sb_mask_size(&env->shape), view->mask_size);
}

static bool fits_all(const sb_batch *batch, const sb_env *env, sb_error *error) {
    return fits(batch, &batch->arrays.now, env, error) && fits(batch, &batch->arrays.final, env, error);
}

static bool begin(sb_batch *batch, size_t i) {
    slot *s = &batch->slots[i];
    char name[SB_NAME_MAX];
    s->episode++;
    s->failed = !sb_reset_name(s->env, &s->next, &s->error);
    if (!s->failed && !fits_all(batch, s->env, &s->error)) s->failed = true, sb_empty(s->env);
    if (!s->failed) return true;
    sb_name_print(&s->next, name, sizeof name);
    return sb_fail_at(&s->error, "%s", name);
}

static void begin_and_show(sb_batch *batch, size_t i, const sb_result *result) {
    slot *s = &batch->slots[i];
    const bool begun = begin(batch, i);
    s->idle = !begun;
    show(batch, i, result, begun);
}

static void step_and_show(sb_batch *batch, size_t i) {
    slot *s = &batch->slots[i];
    sb_result result;
    sb_step(s->env, batch->actions[i], &result, &s->error); /* in range, and not over */
    if (batch->plan.autoreset == SB_SAME_STEP && s->env->status.done) {
        show_view(batch, i, &batch->arrays.final);
        if (batch->arrays.results) batch->arrays.results[i] = result;
        s->deed = BEGIN; /* in the second round */
        return;
    }
    show(batch, i, &result, false);
}

static void do_deed(void *context, size_t i) {
    sb_batch *batch = context;
    switch (batch->slots[i].deed) {
    case REST: show(batch, i, &nothing, false); break;
    case STEP: step_and_show(batch, i); break;
    case BEGIN: begin_and_show(batch, i, &nothing); break;
    case AWAIT: break;
    }
}

/* The second round of SB_SAME_STEP: episodes begin where others have ended; the results are there. */
static void follow(void *context, size_t i) {
    sb_batch *batch = context;
    const slot *s = &batch->slots[i];
    const sb_result result = batch->arrays.results ? batch->arrays.results[i] : nothing;
    if (s->deed == BEGIN)
        begin_and_show(batch, i, &result);
    else if (s->deed == REST)
        show(batch, i, &result, false);
}

/* ---- Which episode follows, in the order of indices ---- */

/* False if nothing follows in environment i. */
static bool next_name(sb_batch *batch, size_t i, sb_name *name) {
    const sb_batch_plan *plan = &batch->plan;
    switch (plan->then) {
    case SB_THEN_STOP: return false;
    case SB_THEN_SAME: *name = batch->slots[i].env->name; return batch->slots[i].env->state;
    case SB_THEN_ASK: return plan->next(plan->context, i, name);
    case SB_THEN_NEXT: break;
    }
    if (batch->next_name == plan->n_names) return false;
    *name = plan->names[batch->next_name++];
    return true;
}

static void go_on(sb_batch *batch, size_t i) {
    slot *s = &batch->slots[i];
    s->idle = s->idle || !next_name(batch, i, &s->next);
    s->deed = s->idle ? REST : BEGIN;
}

static bool finish(sb_batch *batch, sb_error *error) {
    bool ok = true;
    batch->running = 0;
    for (size_t i = 0; i < batch->plan.n; i++) {
        slot *s = &batch->slots[i];
        batch->running += !s->idle;
        if (!s->failed) continue;
        if (ok) *error = s->error; /* the first failure is the one that is told */
        ok = s->failed = false;
    }
    return ok;
}

/* ---- Stepping ---- */

static bool check_action(const sb_batch *batch, size_t i, sb_action action, sb_error *error) {
    const sb_env *env = batch->slots[i].env;
    if (env->status.done) {
        if (batch->plan.autoreset != SB_NO_AUTORESET || batch->slots[i].idle) return true;
        return sb_fail(error, SB_FINISHED, "environment %zu: its episode is over: reset it first", i);
    }
    return (action >= 0 && action < env->n_actions) ||
           sb_fail(error, SB_INVALID, "environment %zu: action %d is out of range: this task has 0..%d", i, action,
                   env->n_actions - 1);
}

bool sb_batch_step(sb_batch *batch, const sb_action *actions, sb_error *error) {
    const size_t n = batch->plan.n;
    bool ended = false;
    for (size_t i = 0; i < n; i++)
        if (!check_action(batch, i, actions[i], error)) return false;
    for (size_t i = 0; i < n; i++) {
        slot *s = &batch->slots[i];
        s->deed = s->idle ? REST : STEP;
        if (!s->idle && s->env->status.done) go_on(batch, i);
    }
    batch->actions = actions;
    sb_team_run(batch->team, n, BLOCK, do_deed, batch);
    for (size_t i = 0; batch->plan.autoreset == SB_SAME_STEP && i < n; i++) {
        slot *s = &batch->slots[i];
        if (s->deed == BEGIN)
            ended = true, go_on(batch, i);
        else
            s->deed = AWAIT;
    }
    if (ended) sb_team_run(batch->team, n, BLOCK, follow, batch);
    return finish(batch, error);
}

bool sb_batch_reset(sb_batch *batch, const bool *which, const sb_name *names, sb_error *error) {
    const size_t n = batch->plan.n;
    for (size_t i = 0; names && i < n; i++)
        if ((!which || which[i]) && strcmp(names[i].family, batch->plan.names[0].family) != 0)
            return sb_fail(error, SB_INVALID, "environment %zu: a batch has one family, and that is %s", i,
                           batch->plan.names[0].family);
    for (size_t i = 0; i < n; i++) {
        slot *s = &batch->slots[i];
        s->deed = AWAIT;
        if (which && !which[i]) continue;
        s->idle = false;
        if (names)
            s->next = names[i], s->deed = BEGIN;
        else
            go_on(batch, i);
    }
    sb_team_run(batch->team, n, BLOCK, do_deed, batch);
    return finish(batch, error);
}

bool sb_batch_copy(sb_batch *batch, size_t index, const sb_env *from, sb_error *error) {
    if (index >= batch->plan.n)
        return sb_fail(error, SB_INVALID, "there is no environment %zu in a batch of %zu", index, batch->plan.n);
    slot *s = &batch->slots[index];
    if (!from->state || from->family != sb_family_find(batch->plan.names[0].family, error))
        return sb_fail(error, SB_INVALID, "what is copied into a batch has to be an episode of its family");
    if (!fits_all(batch, from, error) || !sb_copy(s->env, from, error)) return false;
    batch->running += s->idle;
    s->idle = false;
    s->episode++;
    return true;
}

/* ---- Making ---- */

static bool check_plan(const sb_batch_plan *plan, sb_error *error) {
    if (plan->n == 0 || plan->n > plan->n_names)
        return sb_fail(error, SB_INVALID,
                       "a batch of %zu environments needs as many names, and one at least; here are %zu", plan->n,
                       plan->n_names);
    for (size_t i = 1; i < plan->n_names; i++)
        if (strcmp(plan->names[i].family, plan->names[0].family) != 0)
            return sb_fail(error, SB_INVALID, "name %zu is of the family %s, the first of %s: a batch has one family",
                           i, plan->names[i].family, plan->names[0].family);
    return plan->then != SB_THEN_ASK || plan->next ||
           sb_fail(error, SB_INVALID, "the plan asks for the next names, but names nobody who knows them");
}

static bool check_view(const sb_family *family, const sb_batch_view *view, sb_error *error) {
    if (view->texts && !view->mode)
        return sb_fail(error, SB_INVALID, "texts are wanted, but no observation mode is given");
    if (view->texts && (view->mode < family->modes || view->mode >= family->modes + family->n_modes))
        return sb_fail(error, SB_INVALID, "the observation mode %s is not one of %s", view->mode->name, family->name);
    for (size_t i = 0; i < view->n_arrays; i++) {
        const sb_array *array = view->arrays[i].array;
        if (array < family->arrays || array >= family->arrays + family->n_arrays)
            return sb_fail(error, SB_INVALID, "array %zu is not one of %s", i, family->name);
    }
    return true;
}

static bool copy_list(sb_batch_view *view, sb_error *error) {
    const size_t size = view->n_arrays * sizeof *view->arrays;
    sb_array_out *arrays = malloc(size + 1);
    if (!arrays) return view->arrays = NULL, sb_fail(error, SB_MEMORY, "out of memory for a batch");
    if (size) memcpy(arrays, view->arrays, size);
    view->arrays = arrays;
    return true;
}

static void measure_scratch(sb_batch *batch, const sb_batch_view *view) {
    for (size_t i = 0; i < view->n_arrays; i++) {
        const sb_array_out *out = &view->arrays[i];
        const size_t bytes = is_given(out) ? bytes_of(out->array, out->extent) : 0;
        if (bytes > batch->scratch_size) batch->scratch_size = bytes;
    }
    batch->scratch_size = (batch->scratch_size + 15) / 16 * 16;
}

/* So that recording allocates nothing later (but for episodes that only SB_THEN_ASK knows). */
static bool find_longest(const sb_batch_plan *plan, size_t *steps, sb_error *error) {
    *steps = 0;
    for (size_t i = 0; i < plan->n_names; i++) {
        const sb_name *name = &plan->names[i], *before = i ? name - 1 : NULL;
        sb_shape shape;
        if (before && strcmp(before->task, name->task) == 0 && strcmp(before->variant, name->variant) == 0) continue;
        if (!sb_name_shape(plan->catalogue, name, &shape, error)) return false;
        if ((size_t)shape.max_steps > *steps) *steps = (size_t)shape.max_steps;
    }
    return true;
}

static bool make(sb_batch *batch, sb_error *error) {
    sb_batch_plan *plan = &batch->plan;
    const sb_name *given = plan->names;
    sb_name *names = malloc(plan->n_names * sizeof *names);
    plan->names = names;
    batch->slots = calloc(plan->n, sizeof *batch->slots);
    if (!copy_list(&batch->arrays.now, error) | !copy_list(&batch->arrays.final, error)) return false;
    measure_scratch(batch, &batch->arrays.now), measure_scratch(batch, &batch->arrays.final);
    batch->scratch = malloc(batch->scratch_size * plan->n + 1);
    if (!names || !batch->slots || !batch->scratch)
        return sb_fail(error, SB_MEMORY, "out of memory for a batch of %zu", plan->n);
    memcpy(names, given, plan->n_names * sizeof *names);
    const sb_family *family = sb_family_find(names[0].family, error);
    if (!family || !sb_name_shape(plan->catalogue, names, &batch->shape, error) ||
        !check_view(family, &batch->arrays.now, error) || !check_view(family, &batch->arrays.final, error))
        return false;
    size_t steps;
    if (!find_longest(plan, &steps, error)) return false;
    for (size_t i = 0; i < plan->n; i++)
        if (!(batch->slots[i].env = sb_make(plan->catalogue, NULL, error)) ||
            (plan->record && !sb_record_up_to(batch->slots[i].env, steps, error)))
            return false;
    if (!(batch->team = sb_team_make(plan->threads, error))) return false;
    batch->next_name = plan->n;
    return sb_batch_reset(batch, NULL, names, error);
}

sb_batch *sb_batch_make(const sb_batch_plan *plan, const sb_batch_arrays *arrays, sb_error *error) {
    if (!check_plan(plan, error)) return NULL;
    sb_batch *batch = calloc(1, sizeof *batch);
    if (!batch) return sb_fail(error, SB_MEMORY, "out of memory for a batch"), NULL;
    *batch = (sb_batch){.plan = *plan, .arrays = *arrays};
    if (make(batch, error)) return batch;
    sb_batch_free(batch);
    return NULL;
}

void sb_batch_free(sb_batch *batch) {
    if (!batch) return;
    sb_team_free(batch->team);
    for (size_t i = 0; batch->slots && i < batch->plan.n; i++) sb_free(batch->slots[i].env);
    free(batch->slots);
    free((sb_name *)batch->plan.names);
    free((sb_array_out *)batch->arrays.now.arrays), free((sb_array_out *)batch->arrays.final.arrays);
    free(batch->scratch);
    free(batch);
}
