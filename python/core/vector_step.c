/* Resets and steps of VecCore. The batch steps the environments in its threads, and has the frame filled in there,
 * while other Python threads run. */
#include <stdlib.h>
#include <unistd.h>

#include "engine/environment.h"
#include "python/core/vector.h"

/* ---- What the batch asks and shows ---- */

static bool next_name(void *context, size_t i, sb_name *name) {
    core_vec *self = context;
    const sb_env *env;
    switch (self->then) {
    case CORE_THEN_STOP: return false;
    case CORE_THEN_SAME:
        env = sb_batch_env(self->batch, i);
        *name = env->name;
        return env->state != NULL;
    case CORE_THEN_NEXT:
        if (self->next_name == self->n_names) return false;
        *name = self->names[self->next_name++];
        return true;
    case CORE_THEN_CHAIN: break;
    }
    *name = self->names[i];
    if (!self->pinned[i]) name->seed = (uint64_t)sb_integers(&self->chains[i].rng, 0, INT64_C(1) << 31);
    return true;
}

static void watch(void *context, size_t i, const sb_env *env, bool final) {
    core_vec *self = context;
    sb_error error;
    if (!final) {
        core_frame_fill(&self->frame, i, env);
        return;
    }
    self->ended[i] = true;
    if (!sb_copy(self->finals[i], env, &error)) atomic_store(&self->failed, true);
}

static void show(void *context, size_t i) {
    core_vec *self = context;
    core_frame_fill(&self->frame, i, sb_batch_env(self->batch, i));
}

/* ---- Reset ---- */

static void start_chain(core_chain *chain, uint64_t seed) {
    chain->begun = true, chain->seed = seed;
    sb_rng_seed(&chain->rng, seed, NULL);
}

/* What a reset is asked for. */
typedef struct request {
    bool *which;     /* NULL: all */
    bool *has_seed;  /* n */
    uint64_t *seeds; /* n */
    bool *said;      /* n: the episode is said, and the chain is left alone */
} request;

static bool read_seed_list(core_vec *self, PyObject *seed, request *r) {
    PyObject *list = PySequence_List(seed);
    if (!list) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
        PyErr_Clear();
        return core_refuse(self->core, "InvalidError", "seed is None, a whole number, or a list of them"), false;
    }
    bool ok = (size_t)PyList_Size(list) == self->n;
    if (!ok)
        core_refuse(self->core, "InvalidError",
                    "If seeds are passed as a list the length must match num_envs=%zu but got length=%zd.", self->n,
                    PyList_Size(list));
    for (size_t i = 0; ok && i < self->n; i++) {
        PyObject *item = PyList_GetItem(list, (Py_ssize_t)i);
        r->has_seed[i] = item != Py_None;
        if (r->has_seed[i]) ok = core_seed(self->core, item, "seed", &r->seeds[i]);
    }
    Py_DECREF(list);
    return ok;
}

/* Arrays, too, say that they can be an index, but only some are. */
static bool is_number(PyObject *value) {
    PyObject *number = PyIndex_Check(value) ? PyNumber_Index(value) : NULL;
    Py_XDECREF(number);
    PyErr_Clear();
    return number != NULL;
}

static bool read_seeds(core_vec *self, PyObject *seed, request *r) {
    uint64_t first;
    if (seed == Py_None) return true;
    if (self->then == CORE_THEN_NEXT)
        return core_refuse(self->core, "InvalidError", "the episodes are those of the selection: reset takes no seed"),
               false;
    if (!is_number(seed)) return read_seed_list(self, seed, r);
    if (!core_seed(self->core, seed, "seed", &first)) return false;
    if (first > UINT64_MAX - (self->n - 1))
        return core_refuse(self->core, "InvalidError", "seed is a whole number from 0 to 2**64 - num_envs"), false;
    for (size_t i = 0; i < self->n; i++) r->has_seed[i] = true, r->seeds[i] = first + i;
    return true;
}

static bool is_bool_array(const Py_buffer *view) { return view->format && strcmp(view->format, "?") == 0; }

/* The complaints are those of Gymnasium's SyncVectorEnv. */
static bool read_mask(core_vec *self, PyObject *mask, request *r) {
    Py_buffer view;
    bool any = false;
    if (PyObject_GetBuffer(mask, &view, PyBUF_FULL_RO) < 0) {
        PyErr_Format(PyExc_TypeError, "`options['reset_mask']` must be a numpy array, got %R", Py_TYPE(mask));
        return false;
    }
    if (view.ndim != 1 || (size_t)view.shape[0] != self->n) {
        core_refuse(self->core, "InvalidError", "`options['reset_mask']` must have shape `(%zu,)`", self->n);
    } else if (!is_bool_array(&view)) {
        PyErr_SetString(PyExc_TypeError, "`options['reset_mask']` must have `dtype=np.bool_`");
    } else {
        r->which = self->flags[0];
        for (size_t i = 0; i < self->n; i++)
            any |= r->which[i] = ((const char *)view.buf)[(Py_ssize_t)i * view.strides[0]];
        if (!any)
            core_refuse(self->core, "InvalidError",
                        "`options['reset_mask']` must contain a boolean array with at least one True value");
    }
    PyBuffer_Release(&view);
    return any;
}

/* Which environments, and which episodes are said by the options. */
static bool read_options(core_vec *self, PyObject *options, request *r) {
    for (size_t i = 0; i < self->n; i++) {
        self->starts[i] = self->names[i];
        r->said[i] = self->pinned[i] && !r->has_seed[i];
    }
    if (options == Py_None) return true;
    if (!PyDict_Check(options)) return core_refuse(self->core, "InvalidError", "options is a dict or None"), false;
    PyObject *mask = PyDict_GetItemString(options, "reset_mask");
    if (mask && !read_mask(self, mask, r)) return false;
    if (PyDict_Size(options) == (mask != NULL)) return true;
    if (self->then == CORE_THEN_NEXT)
        return core_refuse(self->core, "InvalidError",
                           "the episodes are those of the selection: options may hold "
                           "\"reset_mask\" alone"),
               false;
    for (size_t i = 0; i < self->n; i++)
        if (!core_read_options(self->look, options, "reset_mask", &self->starts[i], &r->said[i]) ||
            !core_vec_fits(self, &self->starts[i]))
            return false;
    return true;
}

/* Gives each environment that is reset the seed of its episode. Nothing fails here. */
static void draw_seeds(core_vec *self, const request *r) {
    for (size_t i = 0; i < self->n; i++) {
        core_chain *chain = &self->chains[i];
        if (r->which && !r->which[i]) continue;
        if (r->has_seed[i]) {
            start_chain(chain, r->seeds[i]);
            if (!r->said[i]) self->starts[i].seed = r->seeds[i];
        } else if (!r->said[i] || !chain->begun) {
            if (!chain->begun) start_chain(chain, core_entropy());
            if (!r->said[i]) self->starts[i].seed = (uint64_t)sb_integers(&chain->rng, 0, INT64_C(1) << 31);
        }
    }
}

static bool make_finals(core_vec *self, sb_error *error) {
    for (size_t i = 0; self->autoreset == SB_SAME_STEP && i < self->n; i++)
        if (!self->finals[i] && !(self->finals[i] = sb_make(NULL, NULL, error))) return false;
    return true;
}

static bool make_batch(core_vec *self, sb_error *error) {
    const sb_batch_plan plan = {.names = self->starts,
                                .n_names = self->n,
                                .n = self->n,
                                .threads = self->threads,
                                .then = SB_THEN_ASK,
                                .autoreset = self->autoreset,
                                .next = next_name,
                                .context = self,
                                .record = self->records};
    const sb_batch_arrays arrays = {.results = self->results, .begun = self->begun, .idle = self->idle};
    if (!make_finals(self, error) || !(self->batch = sb_batch_make(&plan, &arrays, error))) return false;
    sb_batch_set_watch(self->batch, watch, self);
    sb_team_run(sb_batch_team(self->batch), self->n, 16, show, self);
    self->next_name = self->n;
    return true;
}

static bool reset_batch(core_vec *self, const bool *which, sb_error *error) {
    const bool draws = self->then == CORE_THEN_NEXT;
    if (!self->batch) return make_batch(self, error);
    if (draws && !which) self->next_name = 0;
    if (!sb_batch_reset(self->batch, which, draws ? NULL : self->starts, error)) return false;
    for (size_t i = 0; which && i < self->n; i++)
        if (!which[i]) show(self, i);
    return true;
}

static PyObject *infos_of(core_vec *self, const bool *which, bool stepped);

static PyObject *reset_to(core_vec *self, const request *r) {
    sb_error error;
    bool ok;
    if (!core_frame_open(&self->frame)) return NULL;
    draw_seeds(self, r);
    memset(self->ended, 0, self->n);
    Py_BEGIN_ALLOW_THREADS ok = reset_batch(self, r->which, &error);
    Py_END_ALLOW_THREADS if (!ok) return core_frame_drop(&self->frame), core_raise(self->core, &error);
    PyObject *observation = core_frame_close(&self->frame, self->batch, (PyObject *)self);
    PyObject *infos = observation ? infos_of(self, r->which, false) : NULL;
    return infos ? Py_BuildValue("(NN)", observation, infos) : (Py_XDECREF(observation), NULL);
}

PyObject *core_vec_reset(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"seed", "options", NULL};
    core_vec *self = (core_vec *)object;
    PyObject *seed = Py_None, *options = Py_None, *result = NULL;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "|$OO:reset", names, &seed, &options) ||
        !core_vec_enter(self))
        return NULL;
    request r = {.has_seed = calloc(self->n, 1), .seeds = calloc(self->n, sizeof *r.seeds), .said = calloc(self->n, 1)};
    self->busy = true; /* also while arguments are read: that may call whatever they bring */
    if (!r.has_seed || !r.seeds || !r.said)
        PyErr_NoMemory();
    else if (read_seeds(self, seed, &r) && read_options(self, options, &r)) {
        if (r.which && !self->batch)
            core_refuse(self->core, "InvalidError", "the first reset is of all environments: without `reset_mask`");
        else
            result = reset_to(self, &r);
    }
    self->busy = false;
    free(r.has_seed), free(r.seeds), free(r.said);
    return result;
}

/* ---- Actions ---- */

/* Of 4 or 8 bytes with a sign; 0 for other formats. */
static size_t bytes_of_format(const char *format) {
    if (format && strchr("@=<", *format)) format++;
    if (!format || strlen(format) != 1 || !strchr("ilq", *format)) return 0;
    return *format == 'i' ? 4 : 8;
}

/* Any array of whole numbers, or a list of them, as int64. */
static PyObject *converted(core_vec *self, PyObject *value) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *array = numpy ? PyObject_CallMethod(numpy, "asarray", "O", value) : NULL;
    PyObject *type = array ? PyObject_GetAttrString(array, "dtype") : NULL;
    PyObject *kind = type ? PyObject_GetAttrString(type, "kind") : NULL, *result = NULL;
    if (kind && (PyUnicode_CompareWithASCIIString(kind, "i") == 0 || PyUnicode_CompareWithASCIIString(kind, "u") == 0))
        result = PyObject_CallMethod(array, "astype", "ss", "int64", "C");
    else if (kind)
        core_refuse(self->core, "ActionError", "actions are whole numbers, in an array of the shape (%zu,)", self->n);
    Py_XDECREF(numpy), Py_XDECREF(array), Py_XDECREF(type), Py_XDECREF(kind);
    return result;
}

static bool check_action(const core_vec *self, size_t i, int64_t action) {
    if (sb_batch_env(self->batch, i)->status.done) return true; /* it is not taken */
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

/* Arrays of int64 and int32 are read where they are. */
static bool read_actions(core_vec *self, PyObject *value) {
    Py_buffer view;
    PyObject *array = NULL;
    size_t bytes = 0;
    if (PyObject_GetBuffer(value, &view, PyBUF_ND | PyBUF_FORMAT) < 0)
        PyErr_Clear();
    else if ((bytes = bytes_of_format(view.format)) == 0)
        PyBuffer_Release(&view);
    if (bytes == 0) {
        array = converted(self, value);
        if (!array || PyObject_GetBuffer(array, &view, PyBUF_ND | PyBUF_FORMAT) < 0) return Py_XDECREF(array), false;
        bytes = 8;
    }
    const bool ok = read_numbers(self, &view, bytes);
    PyBuffer_Release(&view);
    Py_XDECREF(array);
    return ok;
}

/* ---- Infos ---- */

static bool put(PyObject *dict, const char *key, PyObject *value) {
    const int code = value ? PyDict_SetItemString(dict, key, value) : -1;
    Py_XDECREF(value);
    return code == 0;
}

static PyObject *flags_of(core_vec *self, const bool *flags) {
    return core_vec_array(self, self->terminations.arguments, flags, self->n);
}

/* {"success": ..., "_success": ...} of those that are marked; nothing if none is. */
static bool put_success(core_vec *self, PyObject *dict, const bool *marked) {
    bool *success = self->flags[1], any = false;
    for (size_t i = 0; i < self->n; i++) any |= marked[i], success[i] = marked[i] && self->results[i].success;
    return !any || (put(dict, "success", flags_of(self, success)) && put(dict, "_success", flags_of(self, marked)));
}

/* The last observation of environment i, as a single environment gives it; with its info if `tells`. */
static PyObject *final_of(core_vec *self, size_t i, bool tells) {
    PyObject *observation = core_observe(self->look, self->finals[i]);
    if (!observation || !tells) return observation;
    PyObject *info = core_info_of(self->look, self->finals[i], self->info, self->dense, &self->results[i]);
    return info ? Py_BuildValue("(NN)", observation, info) : (Py_DECREF(observation), NULL);
}

static bool put_finals(core_vec *self, PyObject *infos) {
    PyObject *arguments = Py_BuildValue("((n)s)", (Py_ssize_t)self->n, "object");
    PyObject *all = arguments ? core_empty(self->core, arguments) : NULL; /* of None */
    PyObject *info = PyDict_New();
    bool ok = all && info;
    Py_XDECREF(arguments);
    for (size_t i = 0; ok && i < self->n; i++) {
        PyObject *one = self->ended[i] ? final_of(self, i, false) : NULL;
        ok = !self->ended[i] || (one && PySequence_SetItem(all, (Py_ssize_t)i, one) == 0);
        Py_XDECREF(one);
    }
    ok = ok && (self->info == CORE_INFO_NONE || put_success(self, info, self->ended)) &&
         PyDict_SetItemString(infos, "final_obs", all) == 0 && PyDict_SetItemString(infos, "final_info", info) == 0 &&
         put(infos, "_final_obs", flags_of(self, self->ended)) &&
         put(infos, "_final_info", flags_of(self, self->ended));
    Py_XDECREF(all), Py_XDECREF(info);
    return ok;
}

/* Whether it took an action that no other episode followed. */
static bool took(const core_vec *self, size_t i) { return !self->begun[i] && !self->idle[i] && !self->ended[i]; }

static PyObject *lean_infos(core_vec *self, bool stepped) {
    PyObject *infos = PyDict_New();
    bool ok = infos != NULL, *taken = self->flags[0];
    if (ok && stepped && memchr(self->ended, true, self->n)) ok = put_finals(self, infos);
    if (ok && stepped && self->info != CORE_INFO_NONE) {
        for (size_t i = 0; i < self->n; i++) taken[i] = took(self, i);
        ok = put_success(self, infos, taken);
    }
    if (!ok) Py_CLEAR(infos);
    return infos;
}

/* What a single environment would tell, or None where nothing was done. */
static PyObject *full_info(core_vec *self, size_t i, bool stepped) {
    const sb_env *env = sb_batch_env(self->batch, i);
    if (self->idle[i] || !env->state) Py_RETURN_NONE;
    return core_info_of(self->look, env, self->info, self->dense, stepped && took(self, i) ? &self->results[i] : NULL);
}

/* Gymnasium's own way: each environment's info is added to those of all. */
static PyObject *full_infos(core_vec *self, const bool *which, bool stepped) {
    PyObject *now = PyList_New(0), *final = PyList_New(0);
    bool ok = now && final;
    for (size_t i = 0; ok && i < self->n; i++) {
        PyObject *one = which && !which[i] ? Py_NewRef(Py_None) : full_info(self, i, stepped);
        PyObject *last = self->ended[i] ? final_of(self, i, true) : Py_NewRef(Py_None);
        ok = one && last && PyList_Append(now, one) == 0 && PyList_Append(final, last) == 0;
        Py_XDECREF(one), Py_XDECREF(last);
    }
    PyObject *infos = ok ? PyObject_CallMethod((PyObject *)self, "_merge", "OO", now, final) : NULL;
    Py_XDECREF(now), Py_XDECREF(final);
    return infos;
}

static PyObject *infos_of(core_vec *self, const bool *which, bool stepped) {
    PyObject *infos = self->info == CORE_INFO_FULL ? full_infos(self, which, stepped) : lean_infos(self, stepped);
    const bool may_idle = self->then == CORE_THEN_NEXT || self->then == CORE_THEN_STOP;
    if (infos && may_idle && !put(infos, "idle", flags_of(self, self->idle))) Py_CLEAR(infos);
    return infos;
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

/* The vector is in use from here until the step is delivered. */
static bool prepare(core_vec *self, PyObject *actions) {
    if (!core_vec_enter_begun(self)) return false;
    self->busy = true;
    if (!read_actions(self, actions) || !open_memory(self)) return self->busy = false;
    memset(self->ended, 0, self->n);
    atomic_store(&self->failed, false);
    return true;
}

static void fill_results(core_vec *self) {
    double *rewards = self->rewards.view.buf;
    bool *terminations = self->terminations.view.buf, *truncations = self->truncations.view.buf;
    for (size_t i = 0; i < self->n; i++) {
        const sb_result *r = &self->results[i];
        const bool rests = self->idle[i] && !r->terminated && !r->truncated; /* since an earlier step */
        rewards[i] = self->dense ? r->dense : r->reward;
        terminations[i] = r->terminated || rests, truncations[i] = r->truncated || rests;
    }
}

static PyObject *outcome_of(core_vec *self, bool ok, const sb_error *error) {
    if (ok && atomic_load(&self->failed)) {
        drop_memory(self);
        return PyErr_NoMemory();
    }
    if (!ok) return drop_memory(self), core_raise(self->core, error);
    fill_results(self);
    PyObject *rewards = core_memory_close(&self->rewards), *terminations = core_memory_close(&self->terminations);
    PyObject *truncations = core_memory_close(&self->truncations);
    PyObject *observation = core_frame_close(&self->frame, self->batch, (PyObject *)self);
    PyObject *infos = observation ? infos_of(self, NULL, true) : NULL;
    if (infos) return Py_BuildValue("(NNNNN)", observation, rewards, terminations, truncations, infos);
    Py_XDECREF(observation), Py_DECREF(rewards), Py_DECREF(terminations), Py_DECREF(truncations);
    return NULL;
}

/* What a step returns, or its error. */
static PyObject *deliver(core_vec *self, bool ok, const sb_error *error) {
    PyObject *outcome = outcome_of(self, ok, error);
    self->busy = false;
    return outcome;
}

PyObject *core_vec_step(PyObject *object, PyObject *actions) {
    core_vec *self = (core_vec *)object;
    sb_error error;
    bool ok;
    if (!prepare(self, actions)) return NULL;
    Py_BEGIN_ALLOW_THREADS ok = sb_batch_step(self->batch, self->actions, &error);
    Py_END_ALLOW_THREADS return deliver(self, ok, &error);
}

void core_vec_join(core_vec *self) {
    if (self->has_thread && self->process == getpid()) {
        Py_BEGIN_ALLOW_THREADS pthread_join(self->thread, NULL);
        Py_END_ALLOW_THREADS
    }
    self->has_thread = false;
}

bool core_vec_is_lost(const core_vec *self) {
    return self->is_stepping && self->has_thread && self->process != getpid();
}

static void *step_alone(void *context) {
    core_vec *self = context;
    self->ok = sb_batch_step(self->batch, self->actions, &self->error);
    return NULL;
}

PyObject *core_vec_step_async(PyObject *object, PyObject *actions) {
    core_vec *self = (core_vec *)object;
    if (!prepare(self, actions)) return NULL;
    self->process = getpid();
    self->is_stepping = true;
    self->busy = false; /* but for step_wait nobody gets in */
    self->has_thread = pthread_create(&self->thread, NULL, step_alone, self) == 0;
    if (!self->has_thread) step_alone(self); /* no thread is to be had: then now */
    Py_RETURN_NONE;
}

PyObject *core_vec_step_wait(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    if (!self->is_stepping || self->busy || core_vec_is_lost(self)) {
        PyErr_SetString(PyExc_RuntimeError, !self->is_stepping ? "no step is under way: call step_async first"
                                            : self->busy       ? "another thread waits for this step"
                                                               : "the step was left in the process before the fork");
        return NULL;
    }
    self->busy = true;
    core_vec_join(self);
    self->is_stepping = false;
    return deliver(self, self->ok, &self->error);
}
