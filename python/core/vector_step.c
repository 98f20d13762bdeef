/* Steps of VecCore, at once or beside the caller. The batch steps the environments in its threads, and has the frame
 * filled in there, while other Python threads run. */
#include <unistd.h>

#include "base/system.h"
#include "engine/environment.h"
#include "python/core/actions.h"
#include "python/core/vector.h"

/* ---- Actions ---- */

/* Size of the numbers in an array: 4 or 8 bytes, with a sign, in this machine's order; 0 for other formats. How long an
 * `l` is depends on the sign before it. */
static size_t bytes_of(const Py_buffer *view) {
    const char *format = view->format;
    if (format && *format && strchr("@=<", *format)) format++;
    return format && strlen(format) == 1 && strchr("ilq", *format) ? (size_t)view->itemsize : 0;
}

/* Whether a value is a list or a tuple with a name in it. */
static bool has_names(PyObject *value) {
    if (!PyList_Check(value) && !PyTuple_Check(value)) return false;
    bool found = false;
    PyObject *items = PySequence_Tuple(value);
    for (Py_ssize_t i = 0; items && !found && i < PyTuple_Size(items); i++)
        found = PyUnicode_Check(PyTuple_GetItem(items, i));
    Py_XDECREF(items);
    PyErr_Clear();
    return found;
}

/* Reads names of actions, and numbers among them. */
static bool read_names(core_vec *self, PyObject *value) {
    PyObject *items = PySequence_Tuple(value);
    bool ok = items != NULL;
    if (ok && (size_t)PyTuple_Size(items) != self->n)
        ok = (core_refuse(self->core, "ActionError", "actions have the shape (%zu,)", self->n), false);
    for (size_t i = 0; ok && i < self->n; i++) {
        const sb_env *env = sb_batch_env(self->batch, i);
        self->actions[i] = 0;
        if (!env->status.done) /* the action of an episode that is over is not taken */
            ok = core_read_action(self->core, env, PyTuple_GetItem(items, (Py_ssize_t)i), &self->actions[i]);
    }
    Py_XDECREF(items);
    return ok;
}

/* Makes an array of int64 of any array of whole numbers, or of a list of them. */
static PyObject *converted(core_vec *self, PyObject *value) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *array = numpy ? PyObject_CallMethod(numpy, "asarray", "(O)", value) : NULL;
    PyObject *type = array ? PyObject_GetAttrString(array, "dtype") : NULL;
    PyObject *kind = type ? PyObject_GetAttrString(type, "kind") : NULL, *result = NULL;
    if (kind && (PyUnicode_CompareWithASCIIString(kind, "i") == 0 || PyUnicode_CompareWithASCIIString(kind, "u") == 0))
        result = PyObject_CallMethod(array, "astype", "ss", "int64", "C");
    else if (kind)
        core_refuse(self->core, "ActionError",
                    "actions are whole numbers in an array of the shape (%zu,), or a list of names", self->n);
    Py_XDECREF(numpy), Py_XDECREF(array), Py_XDECREF(type), Py_XDECREF(kind);
    return result;
}

static bool check_action(const core_vec *self, size_t i, int64_t action) {
    if (sb_batch_env(self->batch, i)->status.done) return true; /* an episode that is over takes no step */
    core_refuse(self->core, "ActionError", "environment %zu: action %lld is not in 0..%d", i, (long long)action,
                (int)self->n_actions - 1);
    return false;
}

static bool read_numbers(core_vec *self, const Py_buffer *view, size_t bytes) {
    if (view->ndim != 1 || (size_t)view->shape[0] != self->n)
        return core_refuse(self->core, "ActionError", "actions have the shape (%zu,)", self->n), false;
    const int64_t *wide = view->buf;
    const int32_t *narrow = view->buf;
    for (size_t i = 0; i < self->n; i++) {
        const int64_t action = bytes == 8 ? wide[i] : narrow[i];
        const bool ok = action >= 0 && action < self->n_actions;
        if (!ok && !check_action(self, i, action)) return false;
        self->actions[i] = ok ? (sb_action)action : 0;
    }
    return true;
}

/* Reads the actions. Arrays of int64 and int32 are read where they are. */
static bool read_actions(core_vec *self, PyObject *value) {
    Py_buffer view;
    PyObject *array = NULL;
    size_t bytes = 0;
    if (has_names(value)) return read_names(self, value);
    if (PyObject_GetBuffer(value, &view, PyBUF_ND | PyBUF_FORMAT) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_Exception)) return false; /* an exception such as KeyboardInterrupt stays */
        PyErr_Clear();
    } else if ((bytes = bytes_of(&view)) == 0)
        PyBuffer_Release(&view);
    if (bytes == 0) {
        array = converted(self, value);
        if (!array || PyObject_GetBuffer(array, &view, PyBUF_ND | PyBUF_FORMAT) < 0) return Py_XDECREF(array), false;
        bytes = sizeof(int64_t);
    }
    const bool ok = read_numbers(self, &view, bytes);
    PyBuffer_Release(&view);
    Py_XDECREF(array);
    return ok;
}

/* ---- Step ---- */

static void drop_memory(core_vec *self) {
    core_frame_drop(&self->frame);
    Py_XDECREF(core_memory_close(&self->rewards));
    Py_XDECREF(core_memory_close(&self->terminations));
    Py_XDECREF(core_memory_close(&self->truncations));
}

static bool open_memory(core_vec *self) {
    core *c = self->core;
    const bool copies = self->frame.copies;
    const int turn = self->frame.turn;
    if (core_frame_open(&self->frame) && core_memory_open(c, &self->rewards, copies, turn) &&
        core_memory_open(c, &self->terminations, copies, turn) && core_memory_open(c, &self->truncations, copies, turn))
        return true;
    drop_memory(self);
    return false;
}

static bool prepare(core_vec *self, PyObject *actions) {
    if (!read_actions(self, actions) || !open_memory(self)) return false;
    memset(self->ended, 0, self->n);
    atomic_store(&self->failed, false);
    return true;
}

/* Whether environment i was idle before this step. */
static bool rested(const core_vec *self, size_t i) {
    return self->idle[i] && !self->results[i].terminated && !self->results[i].truncated;
}

static void fill_results(core_vec *self) {
    double *rewards = self->rewards.view.buf;
    bool *terminations = self->terminations.view.buf, *truncations = self->truncations.view.buf;
    for (size_t i = 0; i < self->n; i++) {
        const sb_result *r = &self->results[i];
        const bool rests = rested(self, i);
        if (!self->shaping) rewards[i] = self->dense ? r->dense : r->reward;
        terminations[i] = r->terminated || rests, truncations[i] = r->truncated || rests;
    }
}

/* ---- Progress ---- */

static bool begin_progress(void *context, size_t first, size_t end, sb_error *error) {
    core_vec *self = context;
    for (size_t i = first; i < end; i++) {
        const sb_env *env = sb_batch_env(self->batch, i);
        if (env->state && !env->status.done && !core_shaping_begin(self->shaping, i, env, error)) return false;
    }
    return true;
}

/* Tells what the step was worth as progress. Where the step was a reset, or nothing was done, there is no reward. */
static bool tell_progress(void *context, size_t first, size_t end, sb_error *error) {
    core_vec *self = context;
    double *rewards = self->rewards.view.buf;
    for (size_t i = first; i < end; i++) {
        const sb_env *env = self->ended[i] ? NULL : sb_batch_env(self->batch, i);
        rewards[i] = 0;
        if (rested(self, i) || (self->begun[i] && !self->ended[i]))
            core_shaping_forget(self->shaping, i);
        else if (!core_shaping_step(self->shaping, i, env, &self->results[i], &rewards[i], error))
            return false;
    }
    return true;
}

/* Takes the step of the batch, and what its rewards need; touches no Python object. */
static bool take_step(core_vec *self, sb_error *error) {
    core_shaping *s = self->shaping;
    if (!s) return sb_batch_step(self->batch, self->actions, error);
    sb_team *team = sb_batch_team(self->batch);
    return core_shaping_run(s, team, begin_progress, self, error) && sb_batch_step(self->batch, self->actions, error) &&
           core_shaping_run(s, team, tell_progress, self, error);
}

/* What a step returns, or its error. */
static PyObject *deliver(core_vec *self, bool ok, const sb_error *error) {
    const bool failed = atomic_load(&self->failed);
    if (!ok || failed) {
        drop_memory(self);
        return ok ? PyErr_NoMemory() : core_raise(self->core, error);
    }
    fill_results(self);
    PyObject *outcome = PyTuple_New(5);
    (void)(outcome && core_set(&outcome, 1, core_memory_close(&self->rewards)) &&
           core_set(&outcome, 2, core_memory_close(&self->terminations)) &&
           core_set(&outcome, 3, core_memory_close(&self->truncations)) &&
           core_set(&outcome, 0, core_frame_close(&self->frame, self->batch, (PyObject *)self)) &&
           core_set(&outcome, 4, core_vec_infos(self, NULL, true)));
    if (!outcome) drop_memory(self);
    return outcome;
}

/* Takes a step at once. A single environment is stepped as Env.step does it: letting others run would take longer than
 * the step. */
static PyObject *step_now(core_vec *self, PyObject *actions) {
    sb_error error;
    if (!prepare(self, actions)) return NULL;
    PyThreadState *thread = self->n > 1 || self->shaping ? PyEval_SaveThread() : NULL;
    const bool ok = take_step(self, &error);
    if (thread) PyEval_RestoreThread(thread);
    return deliver(self, ok, &error);
}

PyObject *core_vec_step(PyObject *object, PyObject *actions) {
    core_vec *self = (core_vec *)object;
    return core_vec_enter_begun(self) ? core_vec_leave(self, step_now(self, actions)) : NULL;
}

/* ---- A step beside the caller ---- */

void core_vec_join(core_vec *self) {
    if (self->has_thread && self->process == getpid()) {
        Py_BEGIN_ALLOW_THREADS;
        pthread_join(self->thread, NULL);
        Py_END_ALLOW_THREADS;
    }
    self->has_thread = false;
}

bool core_vec_is_lost(const core_vec *self) { return self->has_thread && self->process != getpid(); }

static void *step_alone(void *context) {
    core_vec *self = context;
    self->ok = take_step(self, &self->error);
    return NULL;
}

/* Begins a step beside the caller. While it runs, only step_wait and close get in. */
PyObject *core_vec_step_async(PyObject *object, PyObject *actions) {
    core_vec *self = (core_vec *)object;
    if (!core_vec_enter_begun(self)) return NULL;
    if (!prepare(self, actions)) return core_vec_leave(self, NULL);
    self->process = getpid();
    self->has_thread = sb_start_thread(&self->thread, SB_STACK, step_alone, self) == 0;
    if (!self->has_thread) step_alone(self); /* without a thread the step is taken now */
    atomic_store(&self->use, CORE_VEC_STEPS);
    Py_RETURN_NONE;
}

PyObject *core_vec_step_wait(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    int use = CORE_VEC_STEPS;
    (void)none;
    if (!atomic_compare_exchange_strong(&self->use, &use, CORE_VEC_IN_CALL)) {
        PyErr_SetString(PyExc_RuntimeError, use == CORE_VEC_FREE ? "no step is under way: call step_async first"
                                                                 : "another thread waits for this step");
        return NULL;
    }
    if (core_vec_is_lost(self)) {
        atomic_store(&self->use, CORE_VEC_STEPS);
        PyErr_SetString(PyExc_RuntimeError, "the step was left in the process before the fork");
        return NULL;
    }
    core_vec_join(self);
    return core_vec_leave(self, deliver(self, self->ok, &self->error));
}
