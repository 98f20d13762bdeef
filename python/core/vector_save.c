/* A vector as a value: saved, loaded, copied. What is saved of an episode is its tape, and loading plays that again, in
 * the vector's threads: states of some families lie in several pieces of memory, and while bytes from a file would have
 * to be trusted, a tape is checked. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "engine/environment.h"
#include "python/core/env.h"
#include "python/core/vector.h"
#include "seedbed/tape.h"

/* ---- Saving ---- */

/* A chain as the list [seed, state, increment (each the upper and the lower half), the half of a draw that is left or
 * None]. */
static PyObject *chain_of(const core_chain *chain) {
    const sb_rng *rng = &chain->rng;
    if (!chain->begun) Py_RETURN_NONE;
    return Py_BuildValue("[KKKKKN]", (unsigned long long)chain->seed, (unsigned long long)sb_high64(rng->state),
                         (unsigned long long)sb_low64(rng->state), (unsigned long long)sb_high64(rng->increment),
                         (unsigned long long)sb_low64(rng->increment),
                         rng->buffered ? PyLong_FromUnsignedLong(rng->buffer) : Py_NewRef(Py_None));
}

static PyObject *episode_of(core_vec *self, size_t i) {
    const sb_env *env = sb_batch_env(self->batch, i);
    if (!env->state) Py_RETURN_NONE;
    if (env->log) return core_tape_line(self->core, env, "python");
    if (!self->records)
        return core_refuse(self->core, "InvalidError",
                           "a checkpoint plays the actions again, which record=False does not keep");
    return core_refuse(self->core, "InvalidError",
                       "environment %zu: it holds a copy from an environment with record=False, so its actions are not "
                       "known; the episode that follows can be saved",
                       i);
}

static PyObject *episodes_of(core_vec *self) {
    if (!self->batch) Py_RETURN_NONE;
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && i < self->n; i++) core_add(&all, episode_of(self, i));
    return all;
}

static PyObject *saved(core_vec *self) {
    PyObject *idle = PyList_New(0), *dense = PyList_New(0), *chains = PyList_New(0), *state = PyDict_New();
    for (size_t i = 0; i < self->n; i++) {
        core_add(&idle, PyBool_FromLong(self->idle[i]));
        core_add(&dense, PyFloat_FromDouble(self->results[i].dense));
        core_add(&chains, chain_of(&self->chains[i]));
    }
    core *c = self->core;
    core_put_text(c, &state, "idle", idle), core_put_text(c, &state, "dense", dense);
    core_put_text(c, &state, "chains", chains);
    core_put_text(c, &state, "next", PyLong_FromSize_t(self->next_name));
    core_put_text(c, &state, "drawn", PyLong_FromUnsignedLongLong(self->n_drawn));
    core_put_text(c, &state, "progress", self->progress < 0 ? Py_NewRef(Py_None) : PyFloat_FromDouble(self->progress));
    if (state) core_put_text(c, &state, "episodes", episodes_of(self));
    return state;
}

PyObject *core_vec_save(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    return core_vec_enter(self) ? core_vec_leave(self, saved(self)) : NULL;
}

/* ---- What is to be loaded ---- */

typedef struct state {
    const sb_env **envs; /* n environments; NULL: no episode */
    bool *idle;          /* for each of n environments: it rests */
    double *dense;       /* the last dense rewards of n environments */
    core_chain *chains;  /* the chains of n environments */
    size_t next_name;
    uint64_t n_drawn;
    double progress;
} state;

static bool make_state(size_t n, state *s) {
    *s = (state){.envs = calloc(n, sizeof *s->envs),
                 .idle = calloc(n, sizeof *s->idle),
                 .dense = calloc(n, sizeof *s->dense),
                 .chains = calloc(n, sizeof *s->chains)};
    return (s->envs && s->idle && s->dense && s->chains) || (PyErr_NoMemory(), false);
}

static void free_state(state *s) { free(s->envs), free(s->idle), free(s->dense), free(s->chains); }

/* Puts a whole state into the batch, in which nothing has begun, and the batch into the vector. If that fails, the
 * vector stays as it was. Oracles begin anew, since what they remember is of the old batch. */
static bool take(core_vec *self, sb_batch *batch, const state *s, sb_error *error) {
    for (size_t i = 0; batch && i < self->n; i++) {
        if (!s->envs[i]) continue;
        if (!sb_batch_copy(batch, i, s->envs[i], error)) return sb_batch_free(batch), false;
        sb_batch_set_idle(batch, i, s->idle[i]);
    }
    core_vec_drop_batch(self);
    core_frame_forget(&self->frame);
    self->batch = batch;
    for (size_t i = 0; i < self->n; i++) {
        self->results[i] = (sb_result){.dense = s->dense[i]};
        self->idle[i] = s->idle[i], self->begun[i] = self->ended[i] = false;
        core_shaping_forget(self->shaping, i);
        self->chains[i] = s->chains[i];
    }
    self->next_name = s->next_name, self->n_drawn = s->n_drawn, self->progress = s->progress;
    return true;
}

/* ---- Loading ---- */

/* Says that something is wrong with a member of a state, unless memory is out. */
static bool refuse(const core_vec *self, const char *key) {
    if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_MemoryError)) return false;
    PyErr_Clear();
    return core_refuse(self->core, "InvalidError", "this is no state of a vector: see `%s`", key), false;
}

/* A member, borrowed; NULL with an exception. */
static PyObject *member(const core_vec *self, PyObject *dict, const char *key) {
    PyObject *name = PyUnicode_FromString(key);
    PyObject *value = name ? PyDict_GetItemWithError(dict, name) : NULL;
    Py_XDECREF(name);
    return value ? value : (refuse(self, key), NULL);
}

/* A member of a state that is a list of n, as a tuple of its own; NULL with an exception. */
static PyObject *list_of(const core_vec *self, PyObject *dict, const char *key) {
    PyObject *value = member(self, dict, key);
    PyObject *items = value && (PyList_Check(value) || PyTuple_Check(value)) ? PySequence_Tuple(value) : NULL;
    if (items && (size_t)PyTuple_Size(items) == self->n) return items;
    Py_XDECREF(items);
    if (value) refuse(self, key);
    return NULL;
}

static bool read_chain(const core_vec *self, PyObject *value, core_chain *chain) {
    uint64_t numbers[6] = {0};
    *chain = (core_chain){0};
    if (value == Py_None) return true;
    PyObject *items = PyList_Check(value) || PyTuple_Check(value) ? PySequence_Tuple(value) : NULL;
    bool ok = items && PyTuple_Size(items) == 6;
    const bool has_half = ok && PyTuple_GetItem(items, 5) != Py_None;
    for (Py_ssize_t k = 0; ok && k < 5 + has_half; k++)
        ok = core_seed(self->core, PyTuple_GetItem(items, k), "chains", &numbers[k]);
    Py_XDECREF(items);
    if (!ok || numbers[5] > UINT32_MAX || !(numbers[4] & 1)) /* increments of this generator are odd */
        return refuse(self, "chains");
    *chain = (core_chain){.begun = true,
                          .seed = numbers[0],
                          .rng = {.state = sb_uint128_of(numbers[1], numbers[2]),
                                  .increment = sb_uint128_of(numbers[3], numbers[4]),
                                  .buffer = (uint32_t)numbers[5],
                                  .buffered = has_half}};
    return true;
}

static bool read_items(const core_vec *self, PyObject *idle, PyObject *dense, PyObject *chains, state *s) {
    for (size_t i = 0; i < self->n; i++) {
        PyObject *rests = PyTuple_GetItem(idle, (Py_ssize_t)i);
        if (!PyBool_Check(rests)) return refuse(self, "idle");
        s->idle[i] = rests == Py_True;
        s->dense[i] = PyFloat_AsDouble(PyTuple_GetItem(dense, (Py_ssize_t)i));
        if (PyErr_Occurred() || !isfinite(s->dense[i])) return refuse(self, "dense");
        if (!read_chain(self, PyTuple_GetItem(chains, (Py_ssize_t)i), &s->chains[i])) return false;
    }
    return true;
}

static bool read_lists(const core_vec *self, PyObject *dict, state *s) {
    PyObject *idle = list_of(self, dict, "idle"), *dense = idle ? list_of(self, dict, "dense") : NULL;
    PyObject *chains = dense ? list_of(self, dict, "chains") : NULL;
    const bool ok = chains && read_items(self, idle, dense, chains, s);
    Py_XDECREF(idle), Py_XDECREF(dense), Py_XDECREF(chains);
    return ok;
}

static bool read_numbers(const core_vec *self, PyObject *dict, state *s) {
    PyObject *next = member(self, dict, "next"), *drawn = next ? member(self, dict, "drawn") : NULL;
    PyObject *progress = drawn ? member(self, dict, "progress") : NULL;
    uint64_t place;
    if (!progress || !core_seed(self->core, next, "next", &place) ||
        !core_seed(self->core, drawn, "drawn", &s->n_drawn))
        return false;
    if (place > self->n_names) return refuse(self, "next");
    s->next_name = (size_t)place;
    s->progress = progress == Py_None ? -1 : PyFloat_AsDouble(progress);
    if (PyErr_Occurred() || !(progress == Py_None || (s->progress >= 0 && s->progress <= 1)))
        return refuse(self, "progress");
    return true;
}

/* An episode that is played again, in any thread. */
typedef struct replay {
    const char *line; /* NULL: there is none */
    size_t length;
    sb_env *env;
    bool failed;
    sb_error error;
} replay;

typedef struct replays {
    const core_vec *self;
    replay *all; /* n episodes, one for each environment */
} replays;

static bool play_tape(const sb_catalogue *catalogue, replay *r) {
    if (!(r->env = sb_make(catalogue, NULL, &r->error)) || !sb_record(r->env, true, &r->error)) return false;
    sb_tape *tape = sb_tape_load(catalogue, r->line, r->length, &r->error);
    const bool ok = tape && sb_tape_replay(tape, r->env, NULL, NULL, &r->error);
    sb_tape_free(tape);
    return ok;
}

static void play_again(void *context, size_t i) {
    const replays *all = context;
    replay *r = &all->all[i];
    r->failed = r->line && !play_tape(all->self->core->catalogue, r);
    if (r->failed) sb_fail_at(&r->error, "environment %zu", i);
}

/* Finds the lines of tapes, which belong to the items. */
static bool find_lines(const core_vec *self, PyObject *items, replay *all) {
    for (size_t i = 0; i < self->n; i++) {
        PyObject *line = PyTuple_GetItem(items, (Py_ssize_t)i);
        if (line == Py_None) continue;
        Py_ssize_t length = 0;
        if (PyUnicode_Check(line)) all[i].line = PyUnicode_AsUTF8AndSize(line, &length);
        if (!all[i].line) return refuse(self, "episodes"); /* a str with halves of characters has no bytes */
        all[i].length = (size_t)length;
    }
    return true;
}

/* Gives what was played to the state. An environment without an episode rests. */
static bool use_replays(const core_vec *self, const replay *all, state *s) {
    for (size_t i = 0; i < self->n; i++) {
        if (all[i].failed) return core_raise(self->core, &all[i].error), false;
        if (all[i].env && !core_vec_fits(self, &all[i].env->name)) return false;
        s->envs[i] = all[i].env;
        if (!s->envs[i]) s->idle[i] = true;
    }
    return true;
}

static bool play_and_take(core_vec *self, replay *all, state *s) {
    sb_error error;
    sb_batch *batch;
    Py_BEGIN_ALLOW_THREADS;
    batch = core_vec_idle_batch(self, &error);
    if (batch) sb_team_run(sb_batch_team(batch), self->n, 1, play_again, &(replays){self, all});
    Py_END_ALLOW_THREADS;
    if (!batch) return core_raise(self->core, &error), false;
    if (!use_replays(self, all, s)) return sb_batch_free(batch), false;
    return take(self, batch, s, &error) || (core_raise(self->core, &error), false);
}

static bool load_episodes(core_vec *self, PyObject *dict, state *s) {
    PyObject *items = list_of(self, dict, "episodes");
    replay *all = items ? calloc(self->n, sizeof *all) : NULL;
    if (items && !all) PyErr_NoMemory();
    const bool ok = all && find_lines(self, items, all) && play_and_take(self, all, s);
    for (size_t i = 0; all && i < self->n; i++) sb_free(all[i].env);
    free(all);
    Py_XDECREF(items);
    return ok;
}

static bool load(core_vec *self, PyObject *dict) {
    state s;
    sb_error error;
    if (!PyDict_Check(dict)) return core_refuse(self->core, "InvalidError", "a state is a dict"), false;
    PyObject *episodes = member(self, dict, "episodes");
    bool ok = make_state(self->n, &s) && episodes && read_lists(self, dict, &s) && read_numbers(self, dict, &s);
    if (ok) ok = episodes == Py_None ? take(self, NULL, &s, &error) : load_episodes(self, dict, &s);
    free_state(&s);
    return ok;
}

/* Takes what `_save` gave. If that fails, nothing has changed. */
PyObject *core_vec_load(PyObject *object, PyObject *dict) {
    core_vec *self = (core_vec *)object;
    if (!core_vec_enter(self)) return NULL;
    const bool ok = load(self, dict);
    return core_vec_leave(self, ok ? Py_NewRef(Py_None) : NULL);
}

/* ---- Copying ---- */

static bool fits_all(const core_vec *self, const core_vec *from) {
    if (self->n != from->n || self->n_names != from->n_names || self->then != from->then)
        return core_refuse(self->core, "InvalidError", "the two vectors were made otherwise"), false;
    for (size_t i = 0; from->batch && i < from->n; i++) {
        const sb_env *env = sb_batch_env(from->batch, i);
        if (env->state && !core_vec_fits(self, &env->name)) return false;
    }
    return true;
}

static void look_at(const core_vec *from, state *s) {
    for (size_t i = 0; i < from->n; i++) {
        const sb_env *env = from->batch ? sb_batch_env(from->batch, i) : NULL;
        s->envs[i] = env && env->state ? env : NULL;
        s->idle[i] = from->idle[i], s->dense[i] = from->results[i].dense, s->chains[i] = from->chains[i];
    }
    s->next_name = from->next_name, s->n_drawn = from->n_drawn, s->progress = from->progress;
}

static bool become(core_vec *self, const core_vec *from) {
    state s;
    sb_error error;
    sb_batch *batch = NULL;
    bool ok = make_state(self->n, &s) && fits_all(self, from);
    if (ok) look_at(from, &s);
    if (ok && from->batch && !(batch = core_vec_idle_batch(self, &error))) ok = (core_raise(self->core, &error), false);
    if (ok && !take(self, batch, &s, &error)) ok = (core_raise(self->core, &error), false);
    free_state(&s);
    return ok;
}

PyObject *core_vec_become(PyObject *object, PyObject *other) {
    core_vec *self = (core_vec *)object, *from = (core_vec *)other;
    bool ok = false;
    if (!core_is(self->core, CORE_TYPE_VEC, other))
        return core_refuse(self->core, "InvalidError", "this takes a vector of seedbed");
    if (!core_vec_enter(self)) return NULL;
    if (from != self && core_vec_enter(from)) {
        ok = become(self, from);
        core_vec_leave(from, NULL);
    }
    return core_vec_leave(self, ok || from == self ? Py_NewRef(Py_None) : NULL);
}
