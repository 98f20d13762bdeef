/* EnvCore: one environment. Its methods are those of gymnasium.Env and more; seedbed.Env inherits from both, so that a
 * step is one call of a C function. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/env.h"
#include "engine/lookup.h"
#include "python/core/actions.h"
#include "python/core/env.h"
#include "python/core/info.h"
#include "python/core/objects.h"
#include "seedbed/tape.h"

/* ---- Taking part in a call ---- */

static bool is_free(const core_env *self) {
    if (self->busy) PyErr_SetString(PyExc_RuntimeError, "this environment is in use by another thread");
    return !self->busy;
}

bool core_env_enter(core_env *self) {
    if (!is_free(self)) return false;
    if (!self->env) return core_refuse(self->core, "FinishedError", "the environment is closed"), false;
    return self->busy = true;
}

PyObject *core_env_leave(core_env *self, PyObject *result) {
    self->busy = false;
    return result;
}

bool core_env_is_running(core_env *self) {
    if (!self->env->family) return core_refuse(self->core, "FinishedError", "no episode has begun: call reset"), false;
    if (!self->env->status.done) return true;
    core_refuse(self->core, "FinishedError", "the episode is over after %d steps: call reset",
                (int)self->env->status.steps);
    return false;
}

void core_env_begun(core_env *self) {
    self->episode = ++self->core->n_episodes;
    self->is_asked = false;
}

core_env *core_env_of(core *c, PyObject *object) {
    PyObject *env = Py_NewRef(object);
    int is_env = PyObject_IsInstance(env, (PyObject *)c->type[CORE_TYPE_ENV]);
    if (is_env == 0) { /* a wrapper */
        Py_DECREF(env);
        env = PyObject_GetAttrString(object, "unwrapped");
        is_env = env ? PyObject_IsInstance(env, (PyObject *)c->type[CORE_TYPE_ENV]) : 0;
        if (!env && PyErr_ExceptionMatches(PyExc_AttributeError)) PyErr_Clear();
    }
    if (is_env > 0) return (core_env *)env;
    Py_XDECREF(env);
    if (!PyErr_Occurred()) core_refuse(c, "InvalidError", "this takes an environment of seedbed");
    return NULL;
}

/* ---- Making ---- */

static void start_chain(core_env *self, uint64_t seed) {
    self->has_chain = true, self->is_waiting = self->is_foreign = false;
    self->chain_seed = seed;
    sb_rng_seed(&self->chain, seed, NULL);
    Py_CLEAR(self->generator);
}

static bool make_looks(core_env *self, PyObject *obs, PyObject *pad, PyObject *render_mode, bool copies) {
    sb_error error;
    sb_shape shape;
    const sb_family *family = sb_family_find(self->name.family, &error);
    if (!family || !sb_name_shape(NULL, &self->name, &shape, &error)) return core_raise(self->core, &error), false;
    self->look = core_look_make(self->core, family, &shape, obs, pad, copies);
    if (!self->look || render_mode == Py_None) return self->look != NULL;
    const bool human = PyUnicode_Check(render_mode) && PyUnicode_CompareWithASCIIString(render_mode, "human") == 0;
    const bool ansi = PyUnicode_Check(render_mode) && PyUnicode_CompareWithASCIIString(render_mode, "ansi") == 0;
    PyObject *mode = human || ansi ? PyUnicode_FromString("ascii_color") : Py_NewRef(render_mode);
    self->prints = human;
    self->picture = mode ? core_look_make(self->core, family, &shape, mode, Py_None, true) : NULL;
    Py_XDECREF(mode);
    return self->picture != NULL;
}

static int init(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"name", "difficulty", "obs", "reward", "info", "render_mode", "seed", "copy", "pad", NULL};
    static const char *const rewards[] = {"sparse", "dense", NULL}, *const infos[] = {"none", "lean", "full", NULL};
    core_env *self = (core_env *)object;
    const char *name, *difficulty = NULL, *reward = "sparse", *info = NULL;
    PyObject *obs = Py_None, *render_mode = Py_None, *seed = Py_None, *pad = Py_None;
    int copies = 1, index;
    uint64_t number;
    sb_error error;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "s|$zOszOOpO:Env", names, &name, &difficulty, &obs, &reward,
                                     &info, &render_mode, &seed, &copies, &pad))
        return -1;
    if (self->is_made) return core_refuse(self->core, "Error", "an environment is made once"), -1;
    self->is_made = true;
    if (!core_read_word(self->core, "reward", reward, rewards, &index)) return -1;
    self->dense = index == 1;
    if (!core_read_name(self->core, name, difficulty, &self->name, &self->pinned) ||
        !make_looks(self, obs, pad, render_mode, copies))
        return -1;
    self->look->dense = self->dense;
    if (self->picture) self->picture->dense = self->dense;
    const sb_info_source *source = self->look->family->info;
    if (!info) info = source && source->by_default ? "full" : "lean";
    if (!core_read_word(self->core, "info", info, infos, &index)) return -1;
    self->info = (core_info)index;
    if (seed != Py_None && !core_seed(self->core, seed, "seed", &number)) return -1;
    self->env = sb_make(NULL, NULL, &error);
    if (!self->env || !sb_record(self->env, true, &error)) return core_raise(self->core, &error), -1;
    if (seed != Py_None) start_chain(self, number), self->is_waiting = true;
    return 0;
}

static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    (void)positional, (void)keywords;
    core *c = core_of_type(type);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_env *self = c ? (core_env *)allocate(type, 0) : NULL;
    if (self) self->core = c;
    return (PyObject *)self;
}

static void release(core_env *self) {
    sb_free(self->env), self->env = NULL;
    sb_player_clear(&self->player), self->player = (sb_player){0}, self->is_asked = false;
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
    core_env *self = (core_env *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->generator);
    return 0;
}

static int clear(PyObject *object) {
    core_env *self = (core_env *)object;
    Py_CLEAR(self->generator);
    return 0;
}

static void dealloc(PyObject *object) {
    core_env *self = (core_env *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    clear(object);
    release(self);
    core_look_free(self->look), core_look_free(self->picture);
    freefunc drop = (freefunc)PyType_GetSlot(type, Py_tp_free);
    drop(object);
    Py_DECREF(type);
}

/* ---- What is returned ---- */

static double reward_of(const core_env *self, const sb_result *result) {
    return self->dense ? result->dense : result->reward;
}

/* `result` NULL: after a reset. */
static PyObject *info_of(core_env *self, const sb_result *result) {
    return core_info_of(self->look, self->env, self->info, self->dense, result);
}

/* Prints the picture, for people who watch. */
static bool show(core_env *self) {
    PyObject *text = core_observe(self->picture, self->env), *written = NULL;
    PyObject *out = text ? PyImport_ImportModule("sys") : NULL;
    PyObject *stream = out ? PyObject_GetAttrString(out, "stdout") : NULL;
    if (stream) written = PyObject_CallMethod(stream, "write", "O", text);
    Py_XDECREF(written), Py_XDECREF(stream), Py_XDECREF(out), Py_XDECREF(text);
    return written != NULL;
}

/* ---- The chain of episodes ---- */

static bool draw(core_env *self, uint64_t *seed) {
    if (!self->generator) return *seed = (uint64_t)sb_integers(&self->chain, 0, INT64_C(1) << 31), true;
    PyObject *drawn = PyObject_CallMethod(self->generator, "integers", "iL", 0, (long long)INT64_C(1) << 31);
    const bool ok = drawn && core_seed(self->core, drawn, "a draw", seed);
    Py_XDECREF(drawn);
    return ok;
}

/* The seed of the next episode of the chain, which begins if there is none. */
static bool next_seed(core_env *self, uint64_t *seed) {
    if (!self->has_chain) start_chain(self, core_entropy());
    if (!self->is_waiting) return draw(self, seed);
    *seed = self->chain_seed;
    self->is_waiting = false;
    return true;
}

/* (seed, state, increment, whether half a draw is buffered, that half) */
static PyObject *chain_of(const core_env *self) {
    return Py_BuildValue("(Ky#y#II)", (unsigned long long)self->chain_seed, (const char *)&self->chain.state,
                         (Py_ssize_t)sizeof self->chain.state, (const char *)&self->chain.increment,
                         (Py_ssize_t)sizeof self->chain.increment, (unsigned)self->chain.buffered,
                         (unsigned)self->chain.buffer);
}

static bool read_chain(core_env *self, PyObject *tuple) {
    unsigned long long seed;
    unsigned buffered, buffer;
    const char *state, *increment;
    Py_ssize_t n_state, n_increment;
    if (!PyTuple_Check(tuple)) return core_refuse(self->core, "InvalidError", "a chain is a tuple"), false;
    if (!PyArg_ParseTuple(tuple, "Ky#y#II", &seed, &state, &n_state, &increment, &n_increment, &buffered, &buffer))
        return false;
    sb_rng chain = {.buffered = buffered != 0, .buffer = buffer};
    if (n_state != sizeof chain.state || n_increment != sizeof chain.increment)
        return core_refuse(self->core, "InvalidError", "a chain's state has 16 bytes"), false;
    memcpy(&chain.state, state, sizeof chain.state), memcpy(&chain.increment, increment, sizeof chain.increment);
    start_chain(self, seed);
    self->chain = chain;
    return true;
}

static PyObject *get_chain(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    if (!self->has_chain) start_chain(self, core_entropy());
    return chain_of(self);
}

static PyObject *get_chain_seed(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    if (!self->has_chain) start_chain(self, core_entropy());
    return self->is_foreign ? PyLong_FromLong(-1) : PyLong_FromUnsignedLongLong(self->chain_seed);
}

/* Gymnasium says that a generator which was set has the seed -1, as it has here in any case. */
static int set_chain_seed(PyObject *object, PyObject *value, void *closure) {
    (void)object, (void)value, (void)closure;
    return 0;
}

static PyObject *get_generator(PyObject *object, void *closure) {
    (void)closure;
    PyObject *generator = ((core_env *)object)->generator;
    return Py_NewRef(generator ? generator : Py_None);
}

static void hold_generator(core_env *self, PyObject *generator) {
    PyObject *old = self->generator;
    self->generator = Py_XNewRef(generator);
    Py_XDECREF(old);
}

/* Draws come from this generator from now on. `foreign`: it is not the chain's own; None: there is no chain any more.
 */
static PyObject *draw_from(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"generator", "foreign", NULL};
    core_env *self = (core_env *)object;
    PyObject *generator;
    int foreign = 0;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "O|p:_draw_from", names, &generator, &foreign)) return NULL;
    if (!is_free(self)) return NULL;
    hold_generator(self, generator == Py_None ? NULL : generator);
    if (foreign) {
        self->has_chain = self->is_foreign = generator != Py_None;
        self->is_waiting = false;
    }
    Py_RETURN_NONE;
}

/* ---- Gymnasium's methods ---- */

static bool begin(core_env *self, const sb_name *name) {
    sb_error error;
    self->last_dense = 0;
    core_env_begun(self);
    if (!self->env->log) { /* after a copy of what was not recorded */
        sb_empty(self->env);
        if (!sb_record(self->env, true, &error)) return core_raise(self->core, &error), false;
    }
    return sb_reset_name(self->env, name, &error) || (core_raise(self->core, &error), false);
}

static bool fits(core_env *self, const sb_name *name, const char *what) {
    return core_fits(self->look, &self->name, name, what);
}

static PyObject *begin_episode(core_env *self, PyObject *seed, PyObject *options) {
    sb_name name = self->name;
    uint64_t number = 0;
    bool is_said = self->pinned && seed == Py_None;
    if (options != Py_None && !core_read_options(self->look, options, NULL, &name, &is_said)) return NULL;
    if (seed != Py_None) {
        if (!core_seed(self->core, seed, "seed", &number)) return NULL;
        start_chain(self, number);
        if (!is_said) name.seed = number;
    } else if (!is_said && !next_seed(self, &name.seed)) {
        return NULL;
    }
    if (!begin(self, &name) || (self->prints && !show(self))) return NULL;
    PyObject *observation = core_observe(self->look, self->env);
    return observation ? Py_BuildValue("(NN)", observation, info_of(self, NULL)) : NULL;
}

static PyObject *reset(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"seed", "options", NULL};
    core_env *self = (core_env *)object;
    PyObject *seed = Py_None, *options = Py_None;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "|$OO:reset", names, &seed, &options)) return NULL;
    return core_env_enter(self) ? core_env_leave(self, begin_episode(self, seed, options)) : NULL;
}

static bool read_action(core_env *self, PyObject *value, sb_action *action) {
    return core_read_action(self->core, self->env, value, action);
}

static PyObject *take_step(core_env *self, PyObject *value) {
    sb_result result;
    sb_action action;
    sb_error error;
    if (!read_action(self, value, &action)) return NULL;
    if (!sb_step(self->env, action, &result, &error)) return core_raise(self->core, &error);
    self->last_dense = result.dense;
    if (self->prints && !show(self)) return NULL;
    PyObject *observation = core_observe(self->look, self->env), *info = observation ? info_of(self, &result) : NULL;
    if (!info) return Py_XDECREF(observation), NULL;
    return Py_BuildValue("(NdNNN)", observation, reward_of(self, &result), PyBool_FromLong(result.terminated),
                         PyBool_FromLong(result.truncated), info);
}

static PyObject *step(PyObject *object, PyObject *value) {
    core_env *self = (core_env *)object;
    return core_env_enter(self) ? core_env_leave(self, take_step(self, value)) : NULL;
}

static PyObject *picture_of(core_env *self) {
    if (!self->picture || self->prints || !self->env->family) Py_RETURN_NONE;
    return core_observe(self->picture, self->env);
}

static PyObject *render(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    return core_env_enter(self) ? core_env_leave(self, picture_of(self)) : NULL;
}

static PyObject *close_env(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    if (!is_free(self)) return NULL;
    release(self);
    Py_RETURN_NONE;
}

/* ---- More ---- */

static PyObject *observe_as(core_env *self, PyObject *mode) {
    if (!self->env->family) return core_refuse(self->core, "FinishedError", "no episode has begun: call reset");
    if (mode == Py_None) return core_observe(self->look, self->env);
    core_look *look = core_look_make(self->core, self->look->family, &self->env->shape, mode, Py_None, true);
    if (look) look->dense = self->dense;
    PyObject *observation = look ? core_observe(look, self->env) : NULL;
    core_look_free(look);
    return observation;
}

static PyObject *observe(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"mode", NULL};
    core_env *self = (core_env *)object;
    PyObject *mode = Py_None;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "|O:observe", names, &mode)) return NULL;
    return core_env_enter(self) ? core_env_leave(self, observe_as(self, mode)) : NULL;
}

static PyObject *mask_of(core_env *self) {
    Py_buffer memory;
    const size_t n = sb_valid_mask(self->env, NULL, 0);
    PyObject *arguments = Py_BuildValue("((n)s)", (Py_ssize_t)n, "bool");
    PyObject *mask = arguments ? core_empty(self->core, arguments) : NULL;
    Py_XDECREF(arguments);
    if (!mask || PyObject_GetBuffer(mask, &memory, PyBUF_WRITABLE) < 0) return Py_XDECREF(mask), NULL;
    sb_valid_mask(self->env, memory.buf, n);
    PyBuffer_Release(&memory);
    return mask;
}

static PyObject *action_mask(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    return core_env_enter(self) ? core_env_leave(self, mask_of(self)) : NULL;
}

static PyObject *valid_actions(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    if (!core_env_enter(self)) return NULL;
    return core_env_leave(self, core_valid_actions(self->env));
}

static PyObject *valid_action_names(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    return core_env_enter(self) ? core_env_leave(self, core_valid_names(self->core, self->env)) : NULL;
}

/* The running episode's; before the first one what resets will begin. */
static const sb_name *name_of(const core_env *self) {
    return self->env && self->env->family ? &self->env->name : &self->name;
}

/* As much of an environment as names of actions depend on, whether an episode has begun or not. */
static bool name_actions(core_env *self, sb_env *plain) {
    size_t task;
    sb_error error;
    *plain = (sb_env){.name = *name_of(self)};
    plain->family = sb_pair_find(NULL, name_of(self), &task, &plain->difficulty_index, &error);
    if (!plain->family) return core_raise(self->core, &error), false;
    plain->task = plain->family->task(task), plain->task_index = task;
    plain->family->shape(plain->task, plain->difficulty_index, &plain->shape);
    plain->n_actions = sb_n_actions(&plain->shape);
    return true;
}

static PyObject *text_of_action(core_env *self, const sb_env *env, sb_action action) {
    char text[64];
    const size_t n = sb_action_name(env, action, text, sizeof text);
    return core_text(self->core, text, n < sizeof text ? n : sizeof text - 1);
}

static PyObject *number_of_action(core_env *self, PyObject *value) {
    sb_env plain;
    sb_action action;
    const bool ok = name_actions(self, &plain) && core_read_action(self->core, &plain, value, &action);
    return ok ? PyLong_FromLong(action) : NULL;
}

static PyObject *parse_action(PyObject *object, PyObject *text) {
    core_env *self = (core_env *)object;
    return core_env_enter(self) ? core_env_leave(self, number_of_action(self, text)) : NULL;
}

static PyObject *name_of_action(core_env *self, PyObject *value) {
    sb_env plain;
    sb_action action;
    const bool ok = name_actions(self, &plain) && core_read_action(self->core, &plain, value, &action);
    return ok ? text_of_action(self, &plain, action) : NULL;
}

static PyObject *action_name(PyObject *object, PyObject *value) {
    core_env *self = (core_env *)object;
    return core_env_enter(self) ? core_env_leave(self, name_of_action(self, value)) : NULL;
}

static PyObject *bound_of(core_env *self) {
    if (!core_env_is_running(self)) return NULL;
    if (!self->env->family->bound) Py_RETURN_NONE;
    return PyLong_FromLong(self->env->family->bound(self->env));
}

static PyObject *bound(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    return core_env_enter(self) ? core_env_leave(self, bound_of(self)) : NULL;
}

static PyObject *key_of(core_env *self) {
    uint64_t key[2];
    char digits[40];
    if (!self->env->family) Py_RETURN_NONE;
    sb_key(self->env, key);
    snprintf(digits, sizeof digits, "%016llx%016llx", (unsigned long long)key[1], (unsigned long long)key[0]);
    return PyLong_FromString(digits, NULL, 16);
}

static PyObject *get_key(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    return core_env_enter(self) ? core_env_leave(self, key_of(self)) : NULL;
}

/* ---- Copies ---- */

/* NumPy's generators know how to copy themselves. */
static PyObject *copy_of(PyObject *generator) {
    PyObject *module = PyImport_ImportModule("copy");
    PyObject *made = module ? PyObject_CallMethod(module, "deepcopy", "O", generator) : NULL;
    Py_XDECREF(module);
    return made;
}

static PyObject *copy_all(core_env *self, core_env *from) {
    sb_error error;
    if (!fits(self, &from->name, "copy_from") || (from->env->family && !fits(self, &from->env->name, "copy_from")))
        return NULL;
    PyObject *generator = from->generator ? copy_of(from->generator) : NULL;
    if (from->generator && !generator) return NULL;
    core_env_begun(self);
    if (!sb_copy(self->env, from->env, &error)) return Py_XDECREF(generator), core_raise(self->core, &error);
    self->name = from->name, self->pinned = from->pinned, self->last_dense = from->last_dense;
    self->has_chain = from->has_chain, self->is_waiting = from->is_waiting, self->is_foreign = from->is_foreign;
    self->chain_seed = from->chain_seed, self->chain = from->chain;
    hold_generator(self, generator);
    Py_XDECREF(generator);
    Py_RETURN_NONE;
}

static PyObject *copy_entered(core_env *self, core_env *from) {
    if (from == self) Py_RETURN_NONE;
    return core_env_enter(from) ? core_env_leave(from, copy_all(self, from)) : NULL;
}

static PyObject *copy_from(PyObject *object, PyObject *other) {
    core_env *self = (core_env *)object, *from = core_env_of(self->core, other);
    if (!from) return NULL;
    PyObject *done = core_env_enter(self) ? core_env_leave(self, copy_entered(self, from)) : NULL;
    Py_DECREF(from);
    return done;
}

const sb_env *core_env_look_into(core *c, PyObject *object) {
    core_env *self = core_env_of(c, object);
    const bool ok = self && core_env_enter(self);
    const sb_env *env = ok ? self->env : NULL;
    if (ok) core_env_leave(self, NULL);
    Py_XDECREF((PyObject *)self); /* the caller holds the object */
    return env;
}

bool core_env_take(core *c, PyObject *object, const sb_env *from, const core_chain *chain, double last_dense) {
    core_env *self = core_env_of(c, object);
    sb_error error;
    if (!self || !core_env_enter(self)) return Py_XDECREF((PyObject *)self), false;
    const bool ok = !from || sb_copy(self->env, from, &error) || (core_raise(c, &error), false);
    if (ok) {
        start_chain(self, chain->seed);
        self->has_chain = chain->begun, self->chain = chain->rng, self->last_dense = last_dense;
        core_env_begun(self);
    }
    core_env_leave(self, NULL);
    Py_DECREF((PyObject *)self);
    return ok;
}

static PyObject *tape_of(core_env *self, const char *agent) {
    sb_error error;
    sb_tape *made = sb_tape_of(self->env, agent, &error);
    if (!made) return core_raise(self->core, &error);
    const size_t n = sb_tape_print(made, NULL, 0);
    char *line = PyMem_Malloc(n + 1);
    if (line) sb_tape_print(made, line, n + 1);
    sb_tape_free(made);
    PyObject *text = line ? PyUnicode_DecodeUTF8(line, (Py_ssize_t)n, NULL) : PyErr_NoMemory();
    PyMem_Free(line);
    return text;
}

static PyObject *tape(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"agent", NULL};
    core_env *self = (core_env *)object;
    const char *agent = "python";
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "|s:tape", names, &agent)) return NULL;
    return core_env_enter(self) ? core_env_leave(self, tape_of(self, agent)) : NULL;
}

/* What `_load` takes: (tape, key, last dense reward, chain, whether the chain waits, whether its generator is foreign,
 * generator), with None for what there is not. */
static PyObject *saved(core_env *self) {
    const bool is_begun = self->env->family != NULL;
    PyObject *line = is_begun ? tape_of(self, "python") : Py_NewRef(Py_None);
    PyObject *key = line ? key_of(self) : NULL;
    PyObject *chain = !key ? NULL : self->has_chain ? chain_of(self) : Py_NewRef(Py_None);
    if (!chain) return Py_XDECREF(line), Py_XDECREF(key), NULL;
    return Py_BuildValue("(NNdNOOO)", line, key, self->last_dense, chain, self->is_waiting ? Py_True : Py_False,
                         self->is_foreign ? Py_True : Py_False, self->generator ? self->generator : Py_None);
}

static PyObject *save(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    return core_env_enter(self) ? core_env_leave(self, saved(self)) : NULL;
}

static bool replay(core_env *self, const char *line, Py_ssize_t n) {
    sb_error error;
    sb_tape *played = sb_tape_load(NULL, line, (size_t)n, &error);
    if (!played) return core_raise(self->core, &error), false;
    bool ok = fits(self, sb_tape_name(played), "the saved episode");
    if (ok && !sb_tape_replay(played, self->env, NULL, NULL, &error)) {
        ok = false;
        sb_empty(self->env);
        core_raise(self->core, &error);
    }
    sb_tape_free(played);
    return ok;
}

static bool is_key(core_env *self, PyObject *key) {
    PyObject *own = key_of(self);
    const int same = own ? PyObject_RichCompareBool(own, key, Py_EQ) : -1;
    Py_XDECREF(own);
    if (same == 0) {
        sb_empty(self->env);
        core_refuse(self->core, "MismatchError", "the saved episode ends in another state when it is replayed");
    }
    return same > 0;
}

static PyObject *loaded(core_env *self, PyObject *saved) {
    if (!PyTuple_Check(saved)) return core_refuse(self->core, "InvalidError", "_load takes what _save gave");
    const char *line;
    Py_ssize_t n;
    PyObject *key, *chain, *generator;
    double last_dense;
    int is_waiting, is_foreign;
    if (!PyArg_ParseTuple(saved, "z#OdOppO:_load", &line, &n, &key, &last_dense, &chain, &is_waiting, &is_foreign,
                          &generator))
        return NULL;
    core_env_begun(self);
    if (line && (!replay(self, line, n) || !is_key(self, key))) return NULL;
    if (chain != Py_None && !read_chain(self, chain)) return NULL;
    self->last_dense = last_dense, self->is_waiting = is_waiting, self->is_foreign = is_foreign;
    self->has_chain = chain != Py_None;
    hold_generator(self, generator == Py_None ? NULL : generator);
    Py_RETURN_NONE;
}

static PyObject *load(PyObject *object, PyObject *saved) {
    core_env *self = (core_env *)object;
    return core_env_enter(self) ? core_env_leave(self, loaded(self, saved)) : NULL;
}

/* ---- Attributes ---- */

static PyObject *text_or_none(const char *text) {
    if (text && *text) return PyUnicode_FromString(text);
    Py_RETURN_NONE;
}

static PyObject *get_name(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    char text[SB_NAME_MAX];
    (void)closure;
    if (!self->env || !self->env->family) Py_RETURN_NONE;
    sb_name_print(&self->env->name, text, sizeof text);
    return PyUnicode_FromString(text);
}

static PyObject *get_family(PyObject *object, void *closure) {
    (void)closure;
    return text_or_none(name_of((core_env *)object)->family);
}
static PyObject *get_task(PyObject *object, void *closure) {
    (void)closure;
    return text_or_none(name_of((core_env *)object)->task);
}
static PyObject *get_difficulty(PyObject *object, void *closure) {
    (void)closure;
    return text_or_none(name_of((core_env *)object)->difficulty);
}
static PyObject *get_seed(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    if (!self->env || !self->env->family) Py_RETURN_NONE;
    return PyLong_FromUnsignedLongLong(self->env->name.seed);
}

/* Members of the status, by the name of the attribute. */
enum { STEPS, MAX_STEPS, REWARD, TOTAL, DENSE_TOTAL, LAST_DENSE, DONE, TERMINATED, TRUNCATED, SUCCESS };

static PyObject *get_status(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    const sb_status none = {.done = true}, *s = self->env ? &self->env->status : &none;
    switch ((int)(intptr_t)closure) {
    case STEPS: return PyLong_FromLong(s->steps);
    case MAX_STEPS: return PyLong_FromLong(s->max_steps);
    case REWARD: return PyFloat_FromDouble(self->dense ? s->dense_total : s->total);
    case TOTAL: return PyFloat_FromDouble(s->total);
    case DENSE_TOTAL: return PyFloat_FromDouble(s->dense_total);
    case LAST_DENSE: return PyFloat_FromDouble(self->last_dense);
    case DONE: return PyBool_FromLong(s->done);
    case TERMINATED: return PyBool_FromLong(s->terminated);
    case TRUNCATED: return PyBool_FromLong(s->truncated);
    default: return PyBool_FromLong(s->success);
    }
}

/* For the glue: how observations are made. */
static PyObject *get_parts(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    return self->look ? core_look_describe(self->look) : PyTuple_New(0);
}

static PyObject *get_several(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    return PyBool_FromLong(self->look && self->look->several);
}

/* The task's, also before the first episode. */
static PyObject *get_n_actions(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    sb_shape shape;
    sb_error error;
    (void)closure;
    if (!sb_name_shape(NULL, name_of(self), &shape, &error)) return core_raise(self->core, &error);
    return PyLong_FromLong(sb_n_actions(&shape));
}

static PyObject *get_action_names(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    sb_env plain;
    (void)closure;
    if (!name_actions(self, &plain)) return NULL;
    PyObject *list = PyTuple_New(plain.n_actions);
    for (sb_action i = 0; list && i < plain.n_actions; i++)
        if (PyTuple_SetItem(list, i, text_of_action(self, &plain, i)) < 0) Py_CLEAR(list);
    return list;
}

enum { SUMMARY, CATEGORY, RULES };

static PyObject *get_about(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    size_t task, difficulty;
    sb_error error;
    const sb_family *family = sb_pair_find(NULL, name_of(self), &task, &difficulty, &error);
    if (!family) return core_raise(self->core, &error);
    const sb_task_info *info = family->task(task);
    switch ((int)(intptr_t)closure) {
    case SUMMARY: return PyUnicode_FromString(info->summary);
    case CATEGORY: return PyUnicode_FromString(info->category);
    default: return PyUnicode_FromString(info->rules ? info->rules : family->version);
    }
}

#define KEYWORDS(function) ((PyCFunction)(void (*)(void))(function)), METH_VARARGS | METH_KEYWORDS

static PyMethodDef methods[] = {
    {"reset", KEYWORDS(reset),
     "reset($self, *, seed=None, options=None)\n--\n\nBegins an episode and returns (observation, info)."},
    {"step", step, METH_O,
     "step($self, action, /)\n--\n\nTakes an action and returns (observation, reward, terminated, truncated, info)."},
    {"render", render, METH_NOARGS, "render($self, /)\n--\n\nWhat render_mode says, or None."},
    {"close", close_env, METH_NOARGS, "close($self, /)\n--\n\nFrees the episode. Closing twice is fine."},
    {"observe", KEYWORDS(observe),
     "observe($self, mode=None)\n--\n\nThe state in any observation mode, without a step."},
    {"action_mask", action_mask, METH_NOARGS, "action_mask($self, /)\n--\n\nWhich actions are on offer, as booleans."},
    {"valid_actions", valid_actions, METH_NOARGS,
     "valid_actions($self, /)\n--\n\nWhich actions are on offer, as numbers."},
    {"valid_action_names", valid_action_names, METH_NOARGS,
     "valid_action_names($self, /)\n--\n\nWhich actions are on offer, as names."},
    {"parse_action", parse_action, METH_O, "parse_action($self, text, /)\n--\n\nThe number of an action by its name."},
    {"action_name", action_name, METH_O, "action_name($self, action, /)\n--\n\nThe name of an action by its number."},
    {"copy_from", copy_from, METH_O,
     "copy_from($self, other, /)\n--\n\nMakes this environment's episode a copy of another one's."},
    {"tape", KEYWORDS(tape), "tape($self, agent='python')\n--\n\nWhat was played so far, as a line that replays."},
    {"expert_action", KEYWORDS(core_env_expert_action),
     "expert_action($self, agent='expert', budget=None)\n--\n\nWhat an oracle would do in this state. Changes "
     "nothing."},
    {"hint", KEYWORDS(core_env_hint),
     "hint($self, agent='expert', budget=None)\n--\n\nThe same with what the oracle is up to, as a Hint."},
    {"facts", core_env_facts, METH_NOARGS,
     "facts($self, /)\n--\n\nWhat can be told of rooms, things and the target, also what is not shown."},
    {"bound", bound, METH_NOARGS,
     "bound($self, /)\n--\n\nAt least so many steps are left to success; negative: proven to be out of reach; "
     "None: unknown."},
    {"_draw_from", KEYWORDS(draw_from), NULL},
    {"_save", save, METH_NOARGS, NULL},
    {"_load", load, METH_O, NULL},
    {NULL, NULL, 0, NULL}};

#define STATUS(name, which)                                                                                            \
    { name, get_status, NULL, NULL, (void *)(intptr_t)(which) }

static PyGetSetDef attributes[] = {{"name", get_name, NULL, "The running episode's name; None before the first.", NULL},
                                   {"family", get_family, NULL, NULL, NULL},
                                   {"task", get_task, NULL, NULL, NULL},
                                   {"difficulty", get_difficulty, NULL, NULL, NULL},
                                   {"seed", get_seed, NULL, NULL, NULL},
                                   STATUS("step_count", STEPS),
                                   STATUS("max_steps", MAX_STEPS),
                                   STATUS("episode_reward", REWARD),
                                   STATUS("total", TOTAL),
                                   STATUS("dense_total", DENSE_TOTAL),
                                   STATUS("last_dense", LAST_DENSE),
                                   STATUS("done", DONE),
                                   STATUS("terminated", TERMINATED),
                                   STATUS("truncated", TRUNCATED),
                                   STATUS("success", SUCCESS),
                                   {"key", get_key, NULL, "128 bits: equal keys, equal futures.", NULL},
                                   {"_parts", get_parts, NULL, NULL, NULL},
                                   {"_several", get_several, NULL, NULL, NULL},
                                   {"n_actions", get_n_actions, NULL, NULL, NULL},
                                   {"action_names", get_action_names, NULL, NULL, NULL},
                                   {"summary", get_about, NULL, NULL, (void *)(intptr_t)SUMMARY},
                                   {"category", get_about, NULL, NULL, (void *)(intptr_t)CATEGORY},
                                   {"rules", get_about, NULL, NULL, (void *)(intptr_t)RULES},
                                   {"mission", core_env_fact, NULL, NULL, (void *)(intptr_t)CORE_MISSION},
                                   {"agent_pos", core_env_fact, NULL, NULL, (void *)(intptr_t)CORE_AGENT_POS},
                                   {"agent_dir", core_env_fact, NULL, NULL, (void *)(intptr_t)CORE_AGENT_DIR},
                                   {"carrying", core_env_fact, NULL, NULL, (void *)(intptr_t)CORE_CARRYING},
                                   {"api", core_env_api, NULL, "The coding API.", NULL},
                                   {"_chain", get_chain, NULL, NULL, NULL},
                                   {"_np_random_seed", get_chain_seed, set_chain_seed, NULL, NULL},
                                   {"_generator", get_generator, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_new, make},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_tp_doc, "EnvCore(name, *, difficulty=None, obs=None, reward='sparse', info=None, render_mode=None, "
                "seed=None, copy=True, pad=None)\n--\n\nOne environment: "
                "gymnasium.Env's methods in C, and more."},
    {0, NULL}};

PyType_Spec core_env_spec = {.name = "seedbed._seedbed.EnvCore",
                             .basicsize = sizeof(core_env),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                             .slots = slots};
