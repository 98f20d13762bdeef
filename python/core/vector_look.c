/* What a vector of environments tells between two steps: names, masks, keys, labels, copies; and the arrays of the
 * caller's that it writes into. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "python/core/actions.h"
#include "python/core/env.h"
#include "python/core/vector.h"

/* Returns environment i; NULL before its first episode. */
static const sb_env *env_at(const core_vec *self, size_t i) {
    const sb_env *env = self->batch ? sb_batch_env(self->batch, i) : NULL;
    return env && env->state ? env : NULL;
}

/* An index of an environment. False with an exception. */
static bool read_index(const core_vec *self, PyObject *value, size_t *index) {
    const Py_ssize_t at = PyNumber_AsSsize_t(value, PyExc_IndexError);
    if (at == -1 && PyErr_Occurred()) return false;
    if (at >= 0 && (size_t)at < self->n) return *index = (size_t)at, true;
    PyErr_Format(PyExc_IndexError, "there is no environment %zd: they are 0..%zu", at, self->n - 1);
    return false;
}

/* ---- Pictures and names ---- */

static PyObject *pictures_of(core_vec *self) {
    PyObject *all = PyTuple_New((Py_ssize_t)self->n);
    for (size_t i = 0; all && i < self->n; i++) core_set(&all, i, core_picture_of(self->picture, env_at(self, i)));
    return all;
}

PyObject *core_vec_render(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    return core_vec_enter(self) ? core_vec_leave(self, pictures_of(self)) : NULL;
}

static PyObject *name_of(const sb_name *name, bool has_seed) {
    char text[SB_NAME_MAX];
    size_t n = sb_name_print(name, text, sizeof text);
    const char *seed = strchr(text, '#');
    if (!has_seed && seed) n = (size_t)(seed - text);
    return PyUnicode_FromStringAndSize(text, (Py_ssize_t)n);
}

static PyObject *names_of(const core_vec *self) {
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && i < self->n; i++) {
        const sb_env *env = env_at(self, i);
        core_add(&all, env ? name_of(&env->name, true) : Py_NewRef(Py_None));
    }
    return all;
}

PyObject *core_vec_names(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    return core_vec_enter(self) ? core_vec_leave(self, names_of(self)) : NULL;
}

/* The name of what resets begin in environment i: a task, or an episode that is pinned. */
static PyObject *name_to_begin(const core_vec *self, PyObject *at) {
    size_t i;
    if (!read_index(self, at, &i)) return NULL;
    const sb_env *env = core_vec_is_list(self) || self->then == CORE_THEN_DRAW ? env_at(self, i) : NULL;
    return name_of(env ? &env->name : &self->names[i], self->pinned[i]);
}

PyObject *core_vec_name_at(PyObject *object, PyObject *at) {
    core_vec *self = (core_vec *)object;
    return core_vec_enter(self) ? core_vec_leave(self, name_to_begin(self, at)) : NULL;
}

/* The names that the vector was made of. */
static PyObject *made_of(const core_vec *self) {
    PyObject *all = PyList_New(0), *one = NULL;
    for (size_t i = 0; all && i < self->n_names; i++) {
        const bool again = i && sb_same_pair(&self->names[i - 1], &self->names[i]) && !self->pinned[i - 1] &&
                           !self->pinned[i];
        if (!again) Py_XDECREF(one), one = name_of(&self->names[i], self->pinned[i]);
        core_add(&all, Py_XNewRef(one));
    }
    Py_XDECREF(one);
    return all;
}

PyObject *core_vec_made_of(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    return core_vec_enter(self) ? core_vec_leave(self, made_of(self)) : NULL;
}

/* ---- Numbers of all environments ---- */

/* An array with a row for each environment, of so many columns. */
static PyObject *table_of(core_vec *self, size_t columns, const char *type, const void *bytes, size_t size) {
    PyObject *shape = Py_BuildValue("(nn)", (Py_ssize_t)self->n, (Py_ssize_t)columns);
    return core_array_of(self->core, core_array_arguments(self->core, shape, type), bytes, size);
}

static PyObject *masks_of(core_vec *self) {
    const size_t n_actions = (size_t)self->n_actions, size = self->n * n_actions;
    bool *masks = PyMem_Calloc(size + 1, sizeof *masks);
    if (!masks) return PyErr_NoMemory();
    for (size_t i = 0; i < self->n; i++)
        core_action_mask(sb_batch_env(self->batch, i), self->published_mask, masks + i * n_actions);
    PyObject *array = table_of(self, n_actions, "bool", masks, size);
    PyMem_Free(masks);
    return array;
}

PyObject *core_vec_action_masks(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    return core_vec_enter_begun(self) ? core_vec_leave(self, masks_of(self)) : NULL;
}

static PyObject *keys_of(core_vec *self) {
    uint64_t(*keys)[2] = PyMem_Calloc(self->n, sizeof *keys);
    if (!keys) return PyErr_NoMemory();
    for (size_t i = 0; i < self->n; i++) sb_key(sb_batch_env(self->batch, i), keys[i]);
    PyObject *array = table_of(self, 2, "uint64", keys, self->n * sizeof *keys);
    PyMem_Free(keys);
    return array;
}

PyObject *core_vec_keys(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    return core_vec_enter_begun(self) ? core_vec_leave(self, keys_of(self)) : NULL;
}

/* ---- Copies ---- */

/* `last_dense`: the dense reward of the last step of what is copied. */
static PyObject *copy_into(core_vec *self, size_t to, const sb_env *from, double last_dense) {
    sb_error error;
    if (!from->state) return core_refuse(self->core, "FinishedError", "no episode has begun in what is to be copied");
    if (!core_vec_fits(self, &from->name)) return NULL;
    if (!sb_batch_copy(self->batch, to, from, &error)) return core_raise(self->core, &error);
    self->results[to] = (sb_result){.dense = last_dense};
    self->idle[to] = false;
    core_shaping_forget(self->shaping, to);
    Py_RETURN_NONE;
}

/* Makes an environment a copy of `source`: another environment of this vector, or an EnvCore. */
static PyObject *copy_one(core_vec *self, PyObject *to, PyObject *source) {
    size_t index, other;
    if (!read_index(self, to, &index)) return NULL;
    if (PyIndex_Check(source)) {
        if (!read_index(self, source, &other)) return NULL;
        return copy_into(self, index, sb_batch_env(self->batch, other), self->results[other].dense);
    }
    core_env *env = core_env_hold(self->core, source);
    if (!env) return NULL;
    PyObject *done = copy_into(self, index, env->env, env->last_dense);
    core_env_let_go(env);
    return done;
}

PyObject *core_vec_copy_env(PyObject *object, PyObject *arguments) {
    core_vec *self = (core_vec *)object;
    PyObject *to, *source;
    if (!core_parse(arguments, "OO:copy_env", &to, &source)) return NULL;
    return core_vec_enter_begun(self) ? core_vec_leave(self, copy_one(self, to, source)) : NULL;
}

/* Makes an EnvCore a copy of environment i, with its chain. */
static PyObject *copy_out(core_vec *self, PyObject *at, PyObject *env) {
    size_t i;
    if (!read_index(self, at, &i) ||
        !core_env_become(self->core, env, env_at(self, i), &self->chains[i], self->results[i].dense))
        return NULL;
    Py_RETURN_NONE;
}

PyObject *core_vec_copy_to(PyObject *object, PyObject *arguments) {
    core_vec *self = (core_vec *)object;
    PyObject *at, *env;
    if (!core_parse(arguments, "OO:_copy_to", &at, &env)) return NULL;
    return core_vec_enter(self) ? core_vec_leave(self, copy_out(self, at, env)) : NULL;
}

/* ---- Experts ---- */

/* Returns the players of an agent, which go on when they are asked again. NULL with an exception. */
static sb_players *players_of(core_vec *self, const char *agent) {
    sb_error error;
    for (size_t i = 0; i < CORE_AGENTS; i++)
        if (self->experts[i].players && strcmp(self->experts[i].agent, agent) == 0) return self->experts[i].players;
    sb_players *made = sb_players_make(self->batch, agent, &error);
    if (!made) return core_raise(self->core, &error), NULL;
    core_experts *place = &self->experts[self->next_expert];
    self->next_expert = (self->next_expert + 1) % CORE_AGENTS;
    sb_players_free(place->players);
    place->players = made;
    snprintf(place->agent, sizeof place->agent, "%s", agent);
    return made;
}

/* Writes an agent's answers, one for each environment; `agent` NULL: the default. False with an exception. */
static bool ask(core_vec *self, const char *agent, int64_t *answers) {
    sb_error error;
    bool ok;
    sb_players *players = players_of(self, agent ? agent : sb_default_agent(&sb_batch_env(self->batch, 0)->name));
    if (!players) return false;
    sb_action *actions = PyMem_Calloc(self->n, sizeof *actions);
    if (!actions) return PyErr_NoMemory(), false;
    Py_BEGIN_ALLOW_THREADS;
    ok = sb_players_act(players, actions, &error);
    Py_END_ALLOW_THREADS;
    if (!ok) core_raise(self->core, &error);
    for (size_t i = 0; ok && i < self->n; i++) answers[i] = actions[i];
    PyMem_Free(actions);
    return ok;
}

static PyObject *new_answers(core_vec *self) {
    PyObject *arguments = core_array_arguments(self->core, core_shape(&self->n, 0, NULL), "int64");
    PyObject *array = arguments ? core_empty(self->core, arguments) : NULL;
    Py_XDECREF(arguments);
    return array;
}

/* An array of int64 for the answers: the caller's, or a new one. */
static PyObject *open_answers(core_vec *self, PyObject *out, Py_buffer *view) {
    PyObject *array = out == Py_None ? new_answers(self) : Py_NewRef(out);
    if (!array || PyObject_GetBuffer(array, view, PyBUF_WRITABLE | PyBUF_ND | PyBUF_FORMAT) < 0)
        return Py_XDECREF(array), NULL;
    if (view->ndim == 1 && (size_t)view->shape[0] == self->n && view->format && strchr("lq", *view->format) &&
        view->itemsize == sizeof(int64_t))
        return array;
    PyBuffer_Release(view);
    Py_DECREF(array);
    return core_refuse(self->core, "InvalidError", "out is an array of int64 with the shape (%zu,)", self->n);
}

static PyObject *answers_of(core_vec *self, const char *agent, PyObject *out) {
    Py_buffer view;
    PyObject *array = open_answers(self, out, &view);
    if (!array) return NULL;
    const bool ok = ask(self, agent, view.buf);
    PyBuffer_Release(&view);
    if (!ok) Py_CLEAR(array);
    return array;
}

PyObject *core_vec_expert_actions(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *arguments[] = {"agent", "out", NULL};
    core_vec *self = (core_vec *)object;
    const char *agent = NULL;
    PyObject *out = Py_None;
    if (!core_parse_keywords(positional, keywords, "|zO:expert_actions", arguments, &agent, &out)) return NULL;
    return core_vec_enter_begun(self) ? core_vec_leave(self, answers_of(self, agent, out)) : NULL;
}

/* ---- The caller's memory ---- */

/* The tuple (key of the part, name in it or None, (shape, type)) of each array of core_vec_memory. */
static PyObject *arrays_of(core_vec *self) {
    static const char *const first[] = {"rewards", "terminations", "truncations"};
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < 3; i++) {
        const core_form *form = &core_vec_memory(self, i)->form;
        core_add(&list, Py_BuildValue("(sO(Os))", first[i], Py_None, form->shape, form->type));
    }
    for (size_t k = 0; list && k < self->frame.n_fields; k++) {
        const core_field *f = &self->frame.fields[k];
        const core_form *form = &f->memory.form;
        if (form->shape)
            core_add(&list,
                     Py_BuildValue("(OO(Os))", f->part->key, f->name ? f->name : Py_None, form->shape, form->type));
    }
    return list;
}

/* Lets array `at` of core_vec_memory be the caller's from now on; None: no more. It is checked at every step. */
static PyObject *bind_array(core_vec *self, Py_ssize_t at, PyObject *array) {
    core_memory *memory = at >= 0 ? core_vec_memory(self, (size_t)at) : NULL;
    if (!memory) return core_refuse(self->core, "InvalidError", "there is no array %zd", at);
    PyObject *old = memory->bound;
    memory->bound = array == Py_None ? NULL : Py_NewRef(array);
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

PyObject *core_vec_set_array(PyObject *object, PyObject *arguments) {
    core_vec *self = (core_vec *)object;
    Py_ssize_t at;
    PyObject *array;
    if (!core_parse(arguments, "nO:_set_array", &at, &array)) return NULL;
    return core_vec_enter(self) ? core_vec_leave(self, bind_array(self, at, array)) : NULL;
}

/* ---- Attributes ---- */

/* Returns the vector for attributes that cannot change. They stay readable while a step is under way and after close,
 * but not if making failed. */
static core_vec *made(PyObject *object) {
    core_vec *self = (core_vec *)object;
    if (self->is_ready) return self;
    return core_refuse(self->core, "FinishedError", "the environments were not made"), NULL;
}

static PyObject *get_parts(PyObject *object, void *closure) {
    const core_vec *self = made(object);
    (void)closure;
    return self ? core_look_describe(self->look) : NULL;
}

static PyObject *get_several(PyObject *object, void *closure) {
    const core_vec *self = made(object);
    (void)closure;
    return self ? PyBool_FromLong(self->look->several) : NULL;
}

static PyObject *get_family(PyObject *object, void *closure) {
    const core_vec *self = made(object);
    (void)closure;
    return self ? PyUnicode_FromString(self->look->family->name) : NULL;
}

static PyObject *get_n_actions(PyObject *object, void *closure) {
    const core_vec *self = made(object);
    (void)closure;
    return self ? PyLong_FromLong(self->n_actions) : NULL;
}

static PyObject *get_arrays(PyObject *object, void *closure) {
    core_vec *self = (core_vec *)object;
    (void)closure;
    return core_vec_enter(self) ? core_vec_leave(self, arrays_of(self)) : NULL;
}

static PyObject *get_running(PyObject *object, void *closure) {
    core_vec *self = (core_vec *)object;
    (void)closure;
    if (self->closed) return PyLong_FromLong(0);
    if (!core_vec_enter(self)) return NULL;
    return core_vec_leave(self, PyLong_FromSize_t(self->batch ? sb_batch_running(self->batch) : 0));
}

/* The seeds of the environments' chains; None where no chain has begun. */
static PyObject *get_seeds(PyObject *object, void *closure) {
    const core_vec *self = made(object);
    PyObject *all = self ? PyTuple_New((Py_ssize_t)self->n) : NULL;
    (void)closure;
    for (size_t i = 0; all && i < self->n; i++) {
        const core_chain *chain = &self->chains[i];
        core_set(&all, i, chain->begun ? PyLong_FromUnsignedLongLong(chain->seed) : Py_NewRef(Py_None));
    }
    return all;
}

static PyObject *get_progress(PyObject *object, void *closure) {
    const core_vec *self = made(object);
    (void)closure;
    return self ? PyFloat_FromDouble(core_vec_progress(self)) : NULL;
}

static int set_progress(PyObject *object, PyObject *value, void *closure) {
    core_vec *self = (core_vec *)object;
    (void)closure;
    const double progress = value && value != Py_None ? PyFloat_AsDouble(value) : -1;
    if (PyErr_Occurred()) return -1;
    if (value != Py_None && !(progress >= 0 && progress <= 1))
        return core_refuse(self->core, "InvalidError",
                           "progress is a number from 0 to 1, or None: counted by episodes"),
               -1;
    if (!core_vec_enter(self)) return -1;
    self->progress = progress;
    core_vec_leave(self, NULL);
    return 0;
}

PyGetSetDef core_vec_attributes[] = {{"family", get_family, NULL, NULL, NULL},
                                     {"n_actions", get_n_actions, NULL, NULL, NULL},
                                     {"running", get_running, NULL, "How many environments are not idle.", NULL},
                                     {"np_random_seed", get_seeds, NULL, "The seeds of the chains of episodes.", NULL},
                                     {"progress", get_progress, set_progress,
                                      "How far training has come, from 0 to 1, by which a Mixture's weights change.",
                                      NULL},
                                     {"_parts", get_parts, NULL, NULL, NULL},
                                     {"_several", get_several, NULL, NULL, NULL},
                                     {"_arrays", get_arrays, NULL, NULL, NULL},
                                     {NULL, NULL, NULL, NULL, NULL}};
