#include "api/batch.h"

#include <stdlib.h>
#include <string.h>

#include "api/env.h"
#include "base/error.h"
#include "base/out.h"
#include "engine/lookup.h"
#include "seedbed/tape.h"

enum { BLOCK = 16 /* environments that a thread takes at a time */ };

/* What an environment does in this step. */
typedef enum deed {
    REST,  /* does nothing: the environment is idle */
    STEP,  /* takes an action */
    BEGIN, /* begins the episode `next` */
    ENDED, /* has taken an action that ended the episode; another begins in the second round */
    AWAIT  /* does nothing, while other environments begin their episodes */
} deed;

/* An array of the caller. */
typedef struct place {
    sb_array_out to; /* its extent is that of one item, whether the caller gave it or not */
    size_t bytes;    /* size of one item */
    bool given;      /* the caller gave the extent, so items may be smaller */
} place;

typedef struct view {
    sb_batch_view to;
    place *places; /* one for each of to.n_arrays arrays */
    bool is_wanted;
} view;

/* What every step looks at for all environments; small, so that few cache lines are read. */
typedef struct slot {
    int32_t n_actions; /* actions that the environment's episode has */
    deed deed;
    bool over; /* there is no episode, or it has ended */
    bool idle, failed;
} slot;

/* Data for beginning an episode. */
typedef struct start {
    uint64_t episode; /* how many episodes this environment has begun */
    sb_name next;
    sb_error error; /* why the environment failed, if it did */
} start;

struct sb_batch {
    sb_batch_plan plan; /* `names` is a copy that the batch owns */
    const sb_family *family;
    sb_batch_arrays arrays;
    view now, final;
    size_t next_name; /* the names before this index were used */
    size_t running;
    sb_env **envs;
    slot *slots;
    start *starts;
    sb_team *team;
    const sb_action *actions; /* what each environment is to do in this step */
    /* Room for the largest array whose extent the caller gave, for each environment. */
    char *scratch;
    size_t scratch_size;
    sb_batch_watch *watch;
    void *watcher;
};

size_t sb_batch_size(const sb_batch *batch) { return batch->plan.n; }
uint64_t sb_batch_episode(const sb_batch *batch, size_t index) { return batch->starts[index].episode; }
sb_team *sb_batch_team(const sb_batch *batch) { return batch->team; }
size_t sb_batch_running(const sb_batch *batch) { return batch->running; }

void sb_batch_set_watch(sb_batch *batch, sb_batch_watch *watch, void *context) {
    batch->watch = watch, batch->watcher = context;
}

const sb_env *sb_batch_env(const sb_batch *batch, size_t index) {
    return index < batch->plan.n ? batch->envs[index] : NULL;
}

/* ---- Showing ---- */

static void show_array(const sb_batch *batch, size_t i, const place *p) {
    const sb_env *env = batch->envs[i];
    int32_t own[SB_ARRAY_RANK];
    char *to = (char *)p->to.out + i * p->bytes;
    if (p->given) sb_extent_in(env, p->to.array, own);
    if (!p->given || memcmp(own, p->to.extent, sizeof own) == 0) {
        sb_fill_array(env, p->to.array, to);
        return;
    }
    char *scratch = batch->scratch + i * batch->scratch_size;
    sb_fill_array(env, p->to.array, scratch);
    memset(to, 0, p->bytes);
    sb_put_corner(p->to.array->type, p->to.array->rank, own, p->to.extent, scratch, to);
}

static void show_text(const sb_env *env, size_t i, const sb_batch_view *to) {
    sb_out text = sb_out_fixed(to->texts + i * to->text_size, to->text_size);
    if (env->state) env->family->observe(env, to->mode, &text);
    const size_t length = sb_out_finish(&text);
    if (to->lengths) to->lengths[i] = length;
}

static void show_view(const sb_batch *batch, size_t i, const view *v) {
    const sb_env *env = batch->envs[i];
    if (v->to.texts) show_text(env, i, &v->to);
    for (size_t k = 0; env->state && k < v->to.n_arrays; k++) show_array(batch, i, &v->places[k]);
    if (!v->to.masks) return;
    bool *mask = v->to.masks + i * v->to.mask_size;
    memset(mask, 0, v->to.mask_size * sizeof *mask);
    (v->to.published_masks ? sb_valid_mask : sb_action_mask)(env, mask, v->to.mask_size);
}

/* Shows everything about environment i except the result of its step. */
static void show(const sb_batch *batch, size_t i, bool begun) {
    const sb_batch_arrays *to = &batch->arrays;
    if (to->begun) to->begun[i] = begun;
    if (to->idle) to->idle[i] = batch->slots[i].idle;
    if (to->keys) sb_key(batch->envs[i], to->keys[i]);
    if (batch->now.is_wanted) show_view(batch, i, &batch->now);
    if (batch->watch) batch->watch(batch->watcher, i, batch->envs[i], false);
}

static void show_no_result(const sb_batch *batch, size_t i) {
    if (batch->arrays.results) batch->arrays.results[i] = (sb_result){0};
}

/* ---- What each environment does, in any thread ---- */

/* Checks that an array has room. If the caller gave an extent, an item may be smaller; else items are stored without
 * gaps, so every episode must have the extent of the first task. */
static bool fits_place(const place *p, const sb_env *env, sb_error *error) {
    const int32_t *whole = p->to.extent;
    int32_t own[SB_ARRAY_RANK];
    bool ok = true;
    sb_extent_in(env, p->to.array, own);
    for (int d = 0; d < p->to.array->rank; d++) ok &= p->given ? own[d] <= whole[d] : own[d] == whole[d];
    return ok || sb_fail(error, SB_INVALID, "array %s %s", p->to.array->name,
                         p->given ? "is larger here than the given extent"
                                  : "has another size here than in the first task: give an extent");
}

static bool fits(const view *v, const sb_env *env, sb_error *error) {
    for (size_t k = 0; k < v->to.n_arrays; k++)
        if (!fits_place(&v->places[k], env, error)) return false;
    return !v->to.masks || sb_mask_size(&env->shape) <= v->to.mask_size ||
           sb_fail(error, SB_INVALID, "a mask has %zu entries here, but mask_size is %zu", sb_mask_size(&env->shape),
                   v->to.mask_size);
}

static bool fits_all(const sb_batch *batch, const sb_env *env, sb_error *error) {
    return fits(&batch->now, env, error) && fits(&batch->final, env, error);
}

/* Copies what steps need to know from the episode that is now in the environment. */
static void look_at(sb_batch *batch, size_t i) {
    batch->slots[i].n_actions = batch->envs[i]->n_actions;
    batch->slots[i].over = batch->envs[i]->status.done;
}

/* A copy of an episode that was not recorded is not recorded either, but those that follow it are. */
static bool keep_log(const sb_batch *batch, sb_env *env, sb_error *error) {
    if (!batch->plan.record || env->log) return true;
    sb_empty(env);
    return sb_record(env, true, error);
}

static bool begin(sb_batch *batch, size_t i) {
    start *s = &batch->starts[i];
    sb_env *env = batch->envs[i];
    char name[SB_NAME_MAX];
    s->episode++;
    bool ok = keep_log(batch, env, &s->error) && sb_reset_name(env, &s->next, &s->error);
    if (ok && !fits_all(batch, env, &s->error)) ok = false, sb_empty(env);
    look_at(batch, i);
    batch->slots[i].failed = !ok;
    if (ok) return true;
    sb_name_print(&s->next, name, sizeof name);
    return sb_fail_at(&s->error, "%s", name);
}

static void begin_and_show(sb_batch *batch, size_t i) {
    const bool begun = begin(batch, i);
    batch->slots[i].idle = !begun;
    show(batch, i, begun);
}

static void step_and_show(sb_batch *batch, size_t i) {
    slot *s = &batch->slots[i];
    sb_result own, *result = batch->arrays.results ? &batch->arrays.results[i] : &own;
    /* The action is in range, and the episode is not over. */
    sb_step(batch->envs[i], batch->actions[i], result, &batch->starts[i].error);
    s->over = batch->envs[i]->status.done;
    if (batch->plan.autoreset == SB_SAME_STEP && s->over) {
        if (batch->final.is_wanted) show_view(batch, i, &batch->final);
        if (batch->watch) batch->watch(batch->watcher, i, batch->envs[i], true);
        s->deed = ENDED;
        return;
    }
    show(batch, i, false);
}

static void do_deed(void *context, size_t i) {
    sb_batch *batch = context;
    const deed deed = batch->slots[i].deed;
    if (deed == STEP) step_and_show(batch, i);
    if (deed == BEGIN || deed == REST) show_no_result(batch, i);
    if (deed == BEGIN) begin_and_show(batch, i);
    if (deed == REST) show(batch, i, false);
}

/* The second round of SB_SAME_STEP: begins episodes where others have ended; their results are already written. */
static void follow(void *context, size_t i) {
    sb_batch *batch = context;
    const deed deed = batch->slots[i].deed;
    if (deed == BEGIN) begin_and_show(batch, i);
    if (deed == REST) show(batch, i, false);
}

/* ---- The next episode, in the order of indices ---- */

/* Gives the name of the next episode of environment i; false if there is none. */
static bool next_name(sb_batch *batch, size_t i, sb_name *name) {
    const sb_batch_plan *plan = &batch->plan;
    switch (plan->then) {
    case SB_THEN_STOP: return false;
    case SB_THEN_SAME: *name = batch->envs[i]->name; return batch->envs[i]->state;
    case SB_THEN_ASK: return plan->next(plan->context, i, name);
    case SB_THEN_NEXT: break;
    }
    if (batch->next_name == plan->n_names) return false;
    *name = plan->names[batch->next_name++];
    return true;
}

static void go_on(sb_batch *batch, size_t i) {
    slot *s = &batch->slots[i];
    s->idle = s->idle || !next_name(batch, i, &batch->starts[i].next);
    s->deed = s->idle ? REST : BEGIN;
}

static bool finish(sb_batch *batch, sb_error *error) {
    bool ok = true;
    batch->running = 0;
    for (size_t i = 0; i < batch->plan.n; i++) {
        slot *s = &batch->slots[i];
        batch->running += !s->idle;
        if (!s->failed) continue;
        if (ok) *error = batch->starts[i].error; /* the first failure is reported */
        ok = s->failed = false;
    }
    return ok;
}

/* ---- Stepping ---- */

static bool refuse(const sb_batch *batch, size_t i, sb_action action, sb_error *error) {
    if (batch->slots[i].over)
        return sb_fail(error, SB_FINISHED, "environment %zu: its episode is over: reset it first", i);
    return sb_fail(error, SB_INVALID, "environment %zu: action %d is out of range: this task has 0..%d", i, action,
                   batch->slots[i].n_actions - 1);
}

/* Decides what each environment does, and checks that its action can be taken. What environments do whose episodes are
 * over is decided later. */
static bool take_actions(sb_batch *batch, const sb_action *actions, bool *any_over, sb_error *error) {
    const bool waits = batch->plan.autoreset == SB_NO_AUTORESET;
    *any_over = false;
    for (size_t i = 0; i < batch->plan.n; i++) {
        slot *s = &batch->slots[i];
        const bool takes = !s->over || (waits && !s->idle);
        if (takes && (s->over || actions[i] < 0 || actions[i] >= s->n_actions))
            return refuse(batch, i, actions[i], error);
        s->deed = s->idle ? REST : STEP;
        *any_over |= s->over;
    }
    return true;
}

static void go_on_where_over(sb_batch *batch) {
    for (size_t i = 0; i < batch->plan.n; i++)
        if (batch->slots[i].over) go_on(batch, i);
}

/* Begins episodes in the environments whose episodes have ended in this step. */
static bool follow_at_once(sb_batch *batch) {
    bool ended = false;
    for (size_t i = 0; i < batch->plan.n; i++) {
        slot *s = &batch->slots[i];
        if (s->deed == ENDED)
            ended = true, go_on(batch, i);
        else
            s->deed = AWAIT;
    }
    if (ended) sb_team_run(batch->team, batch->plan.n, BLOCK, follow, batch);
    return ended;
}

bool sb_batch_step(sb_batch *batch, const sb_action *actions, sb_error *error) {
    bool any_over;
    if (!take_actions(batch, actions, &any_over, error)) return false;
    if (any_over) go_on_where_over(batch);
    batch->actions = actions;
    sb_team_run(batch->team, batch->plan.n, BLOCK, do_deed, batch);
    const bool ended = batch->plan.autoreset == SB_SAME_STEP && follow_at_once(batch);
    return !(any_over || ended) || finish(batch, error);
}

bool sb_batch_reset(sb_batch *batch, const bool *which, const sb_name *names, sb_error *error) {
    const size_t n = batch->plan.n;
    for (size_t i = 0; names && i < n; i++)
        if ((!which || which[i]) && strcmp(names[i].family, batch->family->name) != 0)
            return sb_fail(error, SB_INVALID, "environment %zu: the episode must be of the batch's family, %s", i,
                           batch->family->name);
    for (size_t i = 0; i < n; i++) {
        slot *s = &batch->slots[i];
        s->deed = AWAIT;
        if (which && !which[i]) continue;
        s->idle = false;
        if (names)
            batch->starts[i].next = names[i], s->deed = BEGIN;
        else
            go_on(batch, i);
    }
    sb_team_run(batch->team, n, BLOCK, do_deed, batch);
    return finish(batch, error);
}

void sb_batch_set_idle(sb_batch *batch, size_t index, bool idle) {
    slot *s = &batch->slots[index];
    batch->running += (size_t)s->idle - (size_t)idle;
    s->idle = idle;
}

bool sb_batch_copy(sb_batch *batch, size_t index, const sb_env *from, sb_error *error) {
    if (index >= batch->plan.n)
        return sb_fail(error, SB_INVALID, "there is no environment %zu in a batch of %zu", index, batch->plan.n);
    if (!from->state || from->family != batch->family)
        return sb_fail(error, SB_INVALID, "only an episode of the batch's family can be copied into it");
    if (!fits_all(batch, from, error) || !sb_copy(batch->envs[index], from, error)) return false;
    look_at(batch, index);
    sb_batch_set_idle(batch, index, false);
    batch->starts[index].episode++;
    return true;
}

/* ---- Making ---- */

static bool check_plan(const sb_batch_plan *plan, sb_error *error) {
    if (!plan->names || plan->n == 0 || plan->n > plan->n_names)
        return sb_fail(error, SB_INVALID,
                       "a batch of %zu environments needs at least as many names (and at least one), but has %zu",
                       plan->n, plan->n_names);
    for (size_t i = 1; i < plan->n_names; i++)
        if (strcmp(plan->names[i].family, plan->names[0].family) != 0)
            return sb_fail(error, SB_INVALID,
                           "name %zu is of family %s, but the first is of family %s: a batch has one family", i,
                           plan->names[i].family, plan->names[0].family);
    return plan->then != SB_THEN_ASK || plan->next ||
           sb_fail(error, SB_INVALID, "the plan says SB_THEN_ASK, but `next` is NULL");
}

/* An extent that the caller did not give is that of the first task. */
static bool make_place(sb_batch *batch, const sb_array_out *to, place *p, sb_error *error) {
    *p = (place){.to = *to};
    for (int d = 0; d < SB_ARRAY_RANK; d++) p->given |= to->extent[d] != 0;
    if (!p->given && !sb_name_extent(batch->plan.catalogue, batch->plan.names, to->array, p->to.extent, error))
        return false;
    p->bytes = sb_numbers_size(to->array->type, to->array->rank, p->to.extent);
    if (p->given && p->bytes > batch->scratch_size) batch->scratch_size = (p->bytes + 15) / 16 * 16;
    return true;
}

static bool make_view(sb_batch *batch, const sb_family *family, const sb_batch_view *to, view *v, sb_error *error) {
    v->to = *to;
    v->is_wanted = to->texts || to->n_arrays || to->masks;
    if (to->texts && !to->mode) return sb_fail(error, SB_INVALID, "the view has `texts`, but no observation mode");
    if (to->texts && (to->mode < family->modes || to->mode >= family->modes + family->n_modes))
        return sb_fail(error, SB_INVALID, "observation mode %s does not belong to family %s", to->mode->name,
                       family->name);
    v->places = calloc(to->n_arrays + 1, sizeof *v->places);
    if (!v->places) return sb_fail(error, SB_MEMORY, "out of memory for a batch");
    for (size_t i = 0; i < to->n_arrays; i++) {
        if (!sb_has_array(family, to->arrays[i].array))
            return sb_fail(error, SB_INVALID, "array %zu does not belong to family %s", i, family->name);
        if (!make_place(batch, &to->arrays[i], &v->places[i], error)) return false;
    }
    return true;
}

static bool make_views(sb_batch *batch, sb_error *error) {
    const sb_family *family = batch->family = sb_family_find(batch->plan.names[0].family, error);
    return family && make_view(batch, family, &batch->arrays.now, &batch->now, error) &&
           make_view(batch, family, &batch->arrays.final, &batch->final, error);
}

/* Finds the longest step limit, so that recording allocates nothing later (except for episodes that only `next` of
 * SB_THEN_ASK knows). */
static bool find_longest(const sb_batch_plan *plan, size_t *steps, sb_error *error) {
    *steps = 0;
    for (size_t i = 0; i < plan->n_names; i++) {
        const sb_name *name = &plan->names[i], *before = i ? name - 1 : NULL;
        sb_shape shape;
        if (before && sb_same_pair(before, name)) continue;
        if (!sb_name_shape(plan->catalogue, name, &shape, error)) return false;
        if ((size_t)shape.max_steps > *steps) *steps = (size_t)shape.max_steps;
    }
    return true;
}

static bool make_envs(sb_batch *batch, sb_error *error) {
    const sb_batch_plan *plan = &batch->plan;
    size_t steps;
    if (!find_longest(plan, &steps, error)) return false;
    for (size_t i = 0; i < plan->n; i++)
        if (!(batch->envs[i] = sb_make(plan->catalogue, NULL, error)) ||
            (plan->record && !sb_record_up_to(batch->envs[i], steps, error)))
            return false;
    return true;
}

static bool make(sb_batch *batch, sb_error *error) {
    sb_batch_plan *plan = &batch->plan;
    const sb_name *given = plan->names;
    sb_name *names = malloc(plan->n_names * sizeof *names);
    plan->names = names;
    batch->envs = calloc(plan->n, sizeof(sb_env *));
    batch->slots = calloc(plan->n, sizeof *batch->slots);
    batch->starts = calloc(plan->n, sizeof *batch->starts);
    if (!names || !batch->envs || !batch->slots || !batch->starts)
        return sb_fail(error, SB_MEMORY, "out of memory for a batch of %zu", plan->n);
    memcpy(names, given, plan->n_names * sizeof *names);
    if (!make_views(batch, error)) return false;
    batch->scratch = malloc(batch->scratch_size * plan->n + 1);
    if (!batch->scratch) return sb_fail(error, SB_MEMORY, "out of memory for a batch of %zu", plan->n);
    if (!make_envs(batch, error) || !(batch->team = sb_team_make(plan->threads, error))) return false;
    batch->next_name = plan->n;
    for (size_t i = 0; i < plan->n; i++) batch->slots[i].over = batch->slots[i].idle = true;
    return true;
}

sb_batch *sb_batch_make_idle(const sb_batch_plan *plan, const sb_batch_arrays *arrays, sb_error *error) {
    if (!check_plan(plan, error)) return NULL;
    sb_batch *batch = calloc(1, sizeof *batch);
    if (!batch) return sb_fail(error, SB_MEMORY, "out of memory for a batch"), NULL;
    *batch = (sb_batch){.plan = *plan, .arrays = *arrays};
    if (make(batch, error)) return batch;
    sb_batch_free(batch);
    return NULL;
}

sb_batch *sb_batch_make(const sb_batch_plan *plan, const sb_batch_arrays *arrays, sb_error *error) {
    sb_batch *batch = sb_batch_make_idle(plan, arrays, error);
    if (!batch || sb_batch_reset(batch, NULL, batch->plan.names, error)) return batch;
    sb_batch_free(batch);
    return NULL;
}

void sb_batch_free(sb_batch *batch) {
    if (!batch) return;
    sb_team_free(batch->team);
    for (size_t i = 0; batch->envs && i < batch->plan.n; i++) sb_free(batch->envs[i]);
    free(batch->envs), free(batch->slots), free(batch->starts);
    free((sb_name *)batch->plan.names);
    free(batch->now.places), free(batch->final.places);
    free(batch->scratch);
    free(batch);
}
