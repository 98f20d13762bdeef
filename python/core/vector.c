/* VecCore: many environments. Its methods are those of gymnasium.vector.VectorEnv; seedbed.VecEnv inherits from both.
 * The environments are those of one batch. Here they are made and looked at; resets and steps are in vector_step.c. */
#include "python/core/vector.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "python/core/objects.h"

/* ---- Taking part in a call ---- */

bool core_vec_enter(core_vec *self) {
    if (self->is_stepping) {
        PyErr_SetString(PyExc_RuntimeError, "a step is under way: call step_wait first");
        return false;
    }
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "these environments are in use by another thread");
        return false;
    }
    if (self->closed || !self->look)
        return core_refuse(self->core, "FinishedError", "the environments are closed"), false;
    return true;
}

bool core_vec_enter_begun(core_vec *self) {
    if (!core_vec_enter(self)) return false;
    return self->batch || (core_refuse(self->core, "FinishedError", "no episode has begun: call reset"), false);
}

bool core_vec_index(core_vec *self, PyObject *value, size_t *index) {
    const Py_ssize_t at = PyNumber_AsSsize_t(value, PyExc_IndexError);
    if (at == -1 && PyErr_Occurred()) return false;
    if (at >= 0 && (size_t)at < self->n) return *index = (size_t)at, true;
    PyErr_Format(PyExc_IndexError, "there is no environment %zd: they are 0..%zu", at, self->n - 1);
    return false;
}

PyObject *core_vec_array(core_vec *self, PyObject *arguments, const void *bytes, size_t size) {
    PyObject *array = core_empty(self->core, arguments);
    Py_buffer memory;
    if (!array || PyObject_GetBuffer(array, &memory, PyBUF_WRITABLE) < 0) return Py_XDECREF(array), NULL;
    memcpy(memory.buf, bytes, size);
    PyBuffer_Release(&memory);
    return array;
}

/* ---- Making ---- */

static bool allocate(core_vec *self) {
    const size_t n = self->n;
    self->chains = calloc(n, sizeof *self->chains);
    self->actions = calloc(n, sizeof *self->actions);
    self->results = calloc(n, sizeof *self->results);
    self->starts = calloc(n, sizeof *self->starts);
    self->finals = calloc(n, sizeof(sb_env *));
    bool **flags[] = {&self->begun, &self->idle, &self->ended, &self->flags[0], &self->flags[1]};
    bool ok = self->chains && self->actions && self->results && self->starts && self->finals;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) ok &= (*flags[i] = calloc(n, sizeof(bool))) != NULL;
    return ok || (PyErr_NoMemory(), false);
}

bool core_vec_fits(const core_vec *self, const sb_name *name) {
    sb_shape shape;
    sb_error error;
    if (strcmp(name->family, self->look->family->name) != 0)
        return core_refuse(self->core, "InvalidError",
                           "all environments are of one family: %s is of %s, the first of %s", name->task, name->family,
                           self->look->family->name),
               false;
    if (!sb_name_shape(NULL, name, &shape, &error)) return core_raise(self->core, &error), false;
    if (core_look_fits(self->look, &shape) && sb_n_actions(&shape) == self->n_actions &&
        sb_mask_size(&shape) == self->mask_size)
        return true;
    core_refuse(self->core, "InvalidError", "%s has observations or actions of another shape: give `pad`", name->task);
    return false;
}

static bool make_look(core_vec *self, PyObject *obs, PyObject *pad, PyObject *render_mode) {
    sb_shape shape;
    sb_error error;
    const sb_family *family = sb_family_find(self->names[0].family, &error);
    if (!family || !sb_name_shape(NULL, &self->names[0], &shape, &error)) return core_raise(self->core, &error), false;
    self->n_actions = sb_n_actions(&shape);
    self->mask_size = sb_mask_size(&shape);
    PyObject *chosen = obs == Py_None && family->n_arrays ? PyUnicode_FromString("values") : Py_NewRef(obs);
    self->look = chosen ? core_look_make(self->core, family, &shape, chosen, pad, true) : NULL;
    Py_XDECREF(chosen);
    if (!self->look || render_mode == Py_None) return self->look != NULL;
    const bool ansi = PyUnicode_Check(render_mode) && PyUnicode_CompareWithASCIIString(render_mode, "ansi") == 0;
    PyObject *mode = ansi ? PyUnicode_FromString("ascii_color") : Py_NewRef(render_mode);
    self->picture = mode ? core_look_make(self->core, family, &shape, mode, Py_None, true) : NULL;
    Py_XDECREF(mode);
    return self->picture != NULL;
}

static bool read_names(core_vec *self, PyObject *list, const char *difficulty) {
    const Py_ssize_t n = PyList_Size(list);
    PyObject *before = NULL;
    self->names = calloc((size_t)n + 1, sizeof *self->names);
    self->pinned = calloc((size_t)n + 1, sizeof *self->pinned);
    if (!self->names || !self->pinned) return PyErr_NoMemory(), false;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyList_GetItem(list, i);
        const char *text = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        if (!text && !PyErr_Occurred()) core_refuse(self->core, "InvalidError", "names of environments are str");
        if (!text) return false;
        if (item == before)
            self->names[i] = self->names[i - 1], self->pinned[i] = self->pinned[i - 1];
        else if (!core_read_name(self->core, text, difficulty, &self->names[i], &self->pinned[i]))
            return false;
        if (self->then == CORE_THEN_NEXT && !self->pinned[i])
            return core_refuse(self->core, "InvalidError",
                               "then=\"next\" takes names of episodes, with seeds: not %.90s", text),
                   false;
        before = item;
    }
    self->n_names = (size_t)n;
    return true;
}

static bool check_names(const core_vec *self) {
    for (size_t i = 1; i < self->n_names; i++)
        if (!sb_same_pair(&self->names[i - 1], &self->names[i]) && !core_vec_fits(self, &self->names[i])) return false;
    return true;
}

static bool make_memory(core_vec *self, core_memory *memory, const char *type) {
    PyObject *single = PyTuple_New(0);
    const bool ok = single && core_memory_make(memory, self->n, single, type, 0);
    Py_XDECREF(single);
    return ok;
}

static bool make_parts(core_vec *self, Py_ssize_t n, bool copies) {
    if (n < 1 || (size_t)n > self->n_names || (self->then != CORE_THEN_NEXT && (size_t)n != self->n_names))
        return core_refuse(self->core, "InvalidError",
                           "num_envs is %zd, and there are %zu names: they are as many, or there are more episodes", n,
                           self->n_names),
               false;
    self->n = (size_t)n;
    return allocate(self) && core_frame_make(&self->frame, self->look, self->n, copies) &&
           make_memory(self, &self->rewards, "float64") && make_memory(self, &self->terminations, "bool") &&
           make_memory(self, &self->truncations, "bool");
}

static int init(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"names", "num_envs", "difficulty", "obs", "reward",      "info",   "autoreset",
                            "then",  "threads",  "copy",       "pad", "render_mode", "record", NULL};
    static const char *const rewards[] = {"sparse", "dense", NULL}, *const infos[] = {"none", "lean", "full", NULL},
                             *const autoresets[] = {"NextStep", "SameStep", "Disabled", NULL},
                             *const thens[] = {"chain", "same", "next", "stop", NULL};
    core_vec *self = (core_vec *)object;
    const char *difficulty = NULL, *reward = "sparse", *info = "lean", *autoreset = "NextStep", *then = "chain";
    PyObject *list, *obs = Py_None, *pad = Py_None, *render_mode = Py_None;
    Py_ssize_t n, threads = 1;
    int copies = 1, records = 0, which[4];
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "O!n|$zOssssnpOOp:VecEnv", names, &PyList_Type, &list, &n,
                                     &difficulty, &obs, &reward, &info, &autoreset, &then, &threads, &copies, &pad,
                                     &render_mode, &records))
        return -1;
    if (self->look) return core_refuse(self->core, "Error", "a vector is made once"), -1;
    if (threads < 0 || threads > 1024)
        return core_refuse(self->core, "InvalidError", "threads is 0 (one for each processor) to 1024"), -1;
    if (!core_read_word(self->core, "reward", reward, rewards, &which[0]) ||
        !core_read_word(self->core, "info", info, infos, &which[1]) ||
        !core_read_word(self->core, "autoreset", autoreset, autoresets, &which[2]) ||
        !core_read_word(self->core, "then", then, thens, &which[3]))
        return -1;
    self->dense = which[0] == 1, self->info = (core_info)which[1], self->threads = (size_t)threads;
    self->records = records;
    self->autoreset = (sb_autoreset)which[2], self->then = (core_then)which[3];
    if (PyList_Size(list) == 0)
        return core_refuse(self->core, "InvalidError", "there are no names to make environments of"), -1;
    if (!read_names(self, list, difficulty) || !make_look(self, obs, pad, render_mode) || !check_names(self)) return -1;
    self->look->dense = self->dense;
    if (self->picture) self->picture->dense = self->dense;
    return make_parts(self, n, copies) ? 0 : -1;
}

static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    (void)positional, (void)keywords;
    core *c = core_of_type(type);
    allocfunc allocate_type = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_vec *self = c ? (core_vec *)allocate_type(type, 0) : NULL;
    if (self) self->core = c;
    return (PyObject *)self;
}

/* ---- Ending ---- */

static void release(core_vec *self) {
    const bool lost = core_vec_is_lost(self);
    core_vec_join(self);
    self->is_stepping = false, self->closed = true;
    for (size_t i = 0; i < CORE_AGENTS; i++) sb_players_free(self->experts[i].players), self->experts[i].players = NULL;
    if (!lost) sb_batch_free(self->batch);
    self->batch = NULL;
    for (size_t i = 0; self->finals && i < self->n; i++) sb_free(self->finals[i]), self->finals[i] = NULL;
    core_frame_drop(&self->frame);
}

/* The arrays of numbers: rewards, terminations and truncations first. NULL behind the last. */
static core_memory *memory_at(core_vec *self, size_t at) {
    core_memory *own[] = {&self->rewards, &self->terminations, &self->truncations};
    if (at < 3) return own[at];
    for (size_t k = 0, left = at - 3; k < self->frame.n_fields; k++)
        if (self->frame.fields[k].memory.arguments && left-- == 0) return &self->frame.fields[k].memory;
    return NULL;
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
    core_memory *memory;
    Py_VISIT(Py_TYPE(object));
    for (size_t i = 0; (memory = memory_at((core_vec *)object, i)); i++) {
        const int code = core_memory_traverse(memory, visit, arg);
        if (code) return code;
    }
    return 0;
}

static int clear(PyObject *object) {
    core_memory *memory;
    for (size_t i = 0; (memory = memory_at((core_vec *)object, i)); i++) {
        Py_CLEAR(memory->bound);
        Py_CLEAR(memory->kept[0]);
        Py_CLEAR(memory->kept[1]);
    }
    return 0;
}

static void dealloc(PyObject *object) {
    core_vec *self = (core_vec *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    release(self);
    core_frame_free(&self->frame);
    core_memory_free(&self->rewards), core_memory_free(&self->terminations), core_memory_free(&self->truncations);
    core_look_free(self->look), core_look_free(self->picture);
    free(self->names), free(self->pinned), free(self->chains), free(self->actions), free(self->results);
    free(self->begun), free(self->idle), free(self->ended), free(self->flags[0]), free(self->flags[1]);
    free(self->starts), free(self->finals);
    freefunc drop = (freefunc)PyType_GetSlot(type, Py_tp_free);
    drop(object);
    Py_DECREF(type);
}

static PyObject *close_extras(PyObject *object, PyObject *positional, PyObject *keywords) {
    (void)positional, (void)keywords;
    core_vec *self = (core_vec *)object;
    if (self->busy) return PyErr_SetString(PyExc_RuntimeError, "these environments are in use by another thread"), NULL;
    release(self);
    Py_RETURN_NONE;
}

/* ---- Looking ---- */

static PyObject *render(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    if (!core_vec_enter(self)) return NULL;
    PyObject *all = PyTuple_New((Py_ssize_t)self->n);
    for (size_t i = 0; all && i < self->n; i++) {
        const sb_env *env = self->batch ? sb_batch_env(self->batch, i) : NULL;
        PyObject *one = self->picture && env && env->state ? core_observe(self->picture, env) : Py_NewRef(Py_None);
        if (!one)
            Py_CLEAR(all);
        else
            PyTuple_SetItem(all, (Py_ssize_t)i, one);
    }
    return all;
}

static PyObject *name_of(const sb_name *name, bool has_seed) {
    char text[SB_NAME_MAX];
    size_t n = sb_name_print(name, text, sizeof text);
    const char *seed = strchr(text, '#');
    if (!has_seed && seed) n = (size_t)(seed - text);
    return PyUnicode_FromStringAndSize(text, (Py_ssize_t)n);
}

static PyObject *names(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    if (!core_vec_enter(self)) return NULL;
    PyObject *all = PyList_New((Py_ssize_t)self->n);
    for (size_t i = 0; all && i < self->n; i++) {
        const sb_env *env = self->batch ? sb_batch_env(self->batch, i) : NULL;
        PyObject *one = env && env->state ? name_of(&env->name, true) : Py_NewRef(Py_None);
        if (!one)
            Py_CLEAR(all);
        else
            PyList_SetItem(all, (Py_ssize_t)i, one);
    }
    return all;
}

/* Numbers of the environments, `columns` for each. */
static PyObject *table_of(core_vec *self, size_t columns, const char *type, const void *bytes, size_t size) {
    PyObject *arguments = Py_BuildValue("((nn)s)", (Py_ssize_t)self->n, (Py_ssize_t)columns, type);
    PyObject *array = arguments ? core_vec_array(self, arguments, bytes, size) : NULL;
    Py_XDECREF(arguments);
    return array;
}

static PyObject *action_masks(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    if (!core_vec_enter_begun(self)) return NULL;
    const size_t size = self->n * self->mask_size;
    bool *masks = calloc(size + 1, sizeof *masks);
    if (!masks) return PyErr_NoMemory();
    for (size_t i = 0; i < self->n; i++)
        sb_valid_mask(sb_batch_env(self->batch, i), masks + i * self->mask_size, self->mask_size);
    PyObject *array = table_of(self, self->mask_size, "bool", masks, size);
    free(masks);
    return array;
}

static PyObject *keys(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    if (!core_vec_enter_begun(self)) return NULL;
    uint64_t(*all)[2] = calloc(self->n, sizeof *all);
    if (!all) return PyErr_NoMemory();
    for (size_t i = 0; i < self->n; i++) sb_key(sb_batch_env(self->batch, i), all[i]);
    PyObject *array = table_of(self, 2, "uint64", all, self->n * sizeof *all);
    free(all);
    return array;
}

/* ---- Copies ---- */

/* Another environment of this vector, or an EnvCore. NULL with an exception. */
static const sb_env *source_of(core_vec *self, PyObject *source) {
    size_t index;
    if (!PyIndex_Check(source)) return core_env_look_into(self->core, source);
    return core_vec_index(self, source, &index) && core_vec_enter_begun(self) ? sb_batch_env(self->batch, index) : NULL;
}

static PyObject *copy_env(PyObject *object, PyObject *arguments) {
    core_vec *self = (core_vec *)object;
    PyObject *to, *source;
    size_t index;
    sb_error error;
    if (!PyArg_ParseTuple(arguments, "OO:copy_env", &to, &source) || !core_vec_index(self, to, &index) ||
        !core_vec_enter_begun(self))
        return NULL;
    const sb_env *from = source_of(self, source);
    if (!from) return NULL;
    if (!from->state) return core_refuse(self->core, "FinishedError", "no episode has begun in what is to be copied");
    if (!core_vec_fits(self, &from->name)) return NULL;
    if (!sb_batch_copy(self->batch, index, from, &error)) return core_raise(self->core, &error);
    self->idle[index] = false;
    Py_RETURN_NONE;
}

/* Makes an EnvCore a copy of environment i, with its chain. */
static PyObject *copy_to(PyObject *object, PyObject *arguments) {
    core_vec *self = (core_vec *)object;
    PyObject *at, *env;
    size_t i;
    if (!PyArg_ParseTuple(arguments, "OO:_copy_to", &at, &env) || !core_vec_enter(self) ||
        !core_vec_index(self, at, &i))
        return NULL;
    const sb_env *from = self->batch ? sb_batch_env(self->batch, i) : NULL;
    if (!core_env_take(self->core, env, from, &self->chains[i], self->results[i].dense)) return NULL;
    Py_RETURN_NONE;
}

/* What resets begin in environment i: a task, or an episode that is pinned. */
static PyObject *name_at(PyObject *object, PyObject *at) {
    core_vec *self = (core_vec *)object;
    size_t i;
    if (!core_vec_enter(self) || !core_vec_index(self, at, &i)) return NULL;
    const sb_env *env = self->batch ? sb_batch_env(self->batch, i) : NULL;
    const bool listed = self->then == CORE_THEN_NEXT && env && env->state;
    return name_of(listed ? &env->name : &self->names[i], self->pinned[i]);
}

/* ---- Experts ---- */

/* The players of an agent; asked again they go on. NULL with an exception. */
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

static bool ask(core_vec *self, sb_players *players, sb_action *actions) {
    sb_error error;
    bool ok;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS ok = sb_players_act(players, actions, &error);
    Py_END_ALLOW_THREADS self->busy = false;
    return ok || (core_raise(self->core, &error), false);
}

/* An array of int64 for the answers: the caller's, or a new one. */
static PyObject *answers_for(core_vec *self, PyObject *out, Py_buffer *view) {
    PyObject *arguments = out == Py_None ? Py_BuildValue("((n)s)", (Py_ssize_t)self->n, "int64") : NULL;
    PyObject *array = out != Py_None ? Py_NewRef(out) : arguments ? core_empty(self->core, arguments) : NULL;
    Py_XDECREF(arguments);
    if (!array || PyObject_GetBuffer(array, view, PyBUF_WRITABLE | PyBUF_ND | PyBUF_FORMAT) < 0)
        return Py_XDECREF(array), NULL;
    if (view->ndim == 1 && (size_t)view->shape[0] == self->n && view->format && strchr("lq", *view->format) &&
        view->itemsize == sizeof(int64_t))
        return array;
    PyBuffer_Release(view);
    Py_DECREF(array);
    return core_refuse(self->core, "InvalidError", "out is an array of int64 with the shape (%zu,)", self->n);
}

static PyObject *expert_actions(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *arguments[] = {"agent", "out", NULL};
    core_vec *self = (core_vec *)object;
    const char *agent = "expert";
    PyObject *out = Py_None;
    Py_buffer view;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "|sO:expert_actions", arguments, &agent, &out) ||
        !core_vec_enter_begun(self))
        return NULL;
    PyObject *array = answers_for(self, out, &view);
    if (!array) return NULL;
    sb_players *players = core_vec_enter_begun(self) ? players_of(self, agent) : NULL;
    sb_action *actions = players ? calloc(self->n, sizeof *actions) : NULL;
    if (players && !actions) PyErr_NoMemory();
    const bool ok = actions && ask(self, players, actions);
    for (size_t i = 0; ok && i < self->n; i++) ((int64_t *)view.buf)[i] = actions[i];
    free(actions);
    PyBuffer_Release(&view);
    if (!ok) Py_CLEAR(array);
    return array;
}

/* ---- The caller's memory ---- */

/* (key of the part, name in it or None, arguments of numpy.empty) of each array of memory_at. */
static PyObject *get_arrays(PyObject *object, void *closure) {
    static const char *const first[] = {"rewards", "terminations", "truncations"};
    core_vec *self = (core_vec *)object;
    PyObject *list = PyList_New(0);
    (void)closure;
    for (size_t i = 0; list && i < 3; i++) {
        PyObject *one = Py_BuildValue("(sOO)", first[i], Py_None, memory_at(self, i)->arguments);
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    for (size_t k = 0; list && k < self->frame.n_fields; k++) {
        const core_field *f = &self->frame.fields[k];
        if (!f->memory.arguments) continue;
        PyObject *one = Py_BuildValue("(OOO)", f->part->key, f->name ? f->name : Py_None, f->memory.arguments);
        if (!one || PyList_Append(list, one) < 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* The array at such a place of that list is the caller's from now on; None: no more. */
static PyObject *set_array(PyObject *object, PyObject *arguments) {
    core_vec *self = (core_vec *)object;
    Py_ssize_t at;
    PyObject *array;
    if (!PyArg_ParseTuple(arguments, "nO:_set_array", &at, &array) || !core_vec_enter(self)) return NULL;
    core_memory *memory = at >= 0 ? memory_at(self, (size_t)at) : NULL;
    if (!memory) return core_refuse(self->core, "InvalidError", "there is no array %zd", at);
    PyObject *old = memory->bound;
    memory->bound = array == Py_None ? NULL : Py_NewRef(array);
    Py_XDECREF(old);
    Py_RETURN_NONE;
}

/* ---- Attributes ---- */

static PyObject *get_parts(PyObject *object, void *closure) {
    (void)closure;
    return core_look_describe(((core_vec *)object)->look);
}
static PyObject *get_several(PyObject *object, void *closure) {
    (void)closure;
    return PyBool_FromLong(((core_vec *)object)->look->several);
}
static PyObject *get_family(PyObject *object, void *closure) {
    (void)closure;
    return PyUnicode_FromString(((core_vec *)object)->look->family->name);
}
static PyObject *get_n_actions(PyObject *object, void *closure) {
    (void)closure;
    return PyLong_FromLong(((core_vec *)object)->n_actions);
}
static PyObject *get_running(PyObject *object, void *closure) {
    const core_vec *self = (core_vec *)object;
    (void)closure;
    return PyLong_FromSize_t(self->batch ? sb_batch_running(self->batch) : 0);
}
/* None where no chain has begun. */
static PyObject *get_seeds(PyObject *object, void *closure) {
    const core_vec *self = (core_vec *)object;
    PyObject *all = PyTuple_New((Py_ssize_t)self->n);
    (void)closure;
    for (size_t i = 0; all && i < self->n; i++) {
        const core_chain *chain = &self->chains[i];
        PyObject *one = chain->begun ? PyLong_FromUnsignedLongLong(chain->seed) : Py_NewRef(Py_None);
        if (!one)
            Py_CLEAR(all);
        else
            PyTuple_SetItem(all, (Py_ssize_t)i, one);
    }
    return all;
}

#define KEYWORDS(function) ((PyCFunction)(void (*)(void))(function)), METH_VARARGS | METH_KEYWORDS

static PyMethodDef methods[] = {
    {"reset", KEYWORDS(core_vec_reset),
     "reset($self, *, seed=None, options=None)\n--\n\nBegins episodes and returns (observations, infos)."},
    {"step", core_vec_step, METH_O,
     "step($self, actions, /)\n--\n\nTakes an action in each environment and returns (observations, rewards, "
     "terminations, truncations, infos)."},
    {"step_async", core_vec_step_async, METH_O,
     "step_async($self, actions, /)\n--\n\nBegins a step that goes on beside the caller."},
    {"step_wait", core_vec_step_wait, METH_NOARGS, "step_wait($self, /)\n--\n\nWhat step returns, of step_async."},
    {"render", render, METH_NOARGS, "render($self, /)\n--\n\nWhat render_mode says, of each environment."},
    {"close_extras", KEYWORDS(close_extras), "close_extras($self, **kwargs)\n--\n\nFrees the environments."},
    {"names", names, METH_NOARGS, "names($self, /)\n--\n\nThe names of the running episodes."},
    {"action_masks", action_masks, METH_NOARGS,
     "action_masks($self, /)\n--\n\nWhich actions are on offer, as booleans."},
    {"keys", keys, METH_NOARGS, "keys($self, /)\n--\n\nEqual keys, equal futures: two numbers for each environment."},
    {"expert_actions", KEYWORDS(expert_actions),
     "expert_actions($self, agent='expert', out=None)\n--\n\nWhat an oracle would do in each environment; -1 where its "
     "episode is over."},
    {"copy_env", copy_env, METH_VARARGS,
     "copy_env($self, to, source, /)\n--\n\nMakes an environment a copy of another one, or of an Env."},
    {"_copy_to", copy_to, METH_VARARGS, NULL},
    {"_name_at", name_at, METH_O, NULL},
    {"_set_array", set_array, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {{"family", get_family, NULL, NULL, NULL},
                                   {"n_actions", get_n_actions, NULL, NULL, NULL},
                                   {"running", get_running, NULL, "How many environments are not idle.", NULL},
                                   {"np_random_seed", get_seeds, NULL, "The seeds of the chains of episodes.", NULL},
                                   {"_parts", get_parts, NULL, NULL, NULL},
                                   {"_several", get_several, NULL, NULL, NULL},
                                   {"_arrays", get_arrays, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, make},
                              {Py_tp_init, init},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_doc, "Many environments: the methods of gymnasium.vector.VectorEnv in C."},
                              {0, NULL}};

PyType_Spec core_vec_spec = {.name = "seedbed._seedbed.VecCore",
                             .basicsize = sizeof(core_vec),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                             .slots = slots};
