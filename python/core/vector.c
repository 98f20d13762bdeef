/* VecCore: many environments. Its methods are those of gymnasium.vector.VectorEnv; seedbed.VecEnv inherits from both.
 * The environments are those of one batch. Here they are made and ended. */
#include "python/core/vector.h"

#include <stdlib.h>

#include "engine/lookup.h"
#include "python/core/actions.h"
#include "python/core/objects.h"
#include "python/core/selection.h"

/* ---- Taking part in a call ---- */

static bool refuse_use(int use) {
    PyErr_SetString(PyExc_RuntimeError, use == CORE_VEC_STEPS ? "a step is under way: call step_wait first"
                                                              : "these environments are in use by another thread");
    return false;
}

bool core_vec_enter(core_vec *self) {
    int use = CORE_VEC_FREE;
    if (!atomic_compare_exchange_strong(&self->use, &use, CORE_VEC_IN_CALL)) return refuse_use(use);
    if (self->is_ready && !self->closed) return true;
    core_vec_leave(self, NULL);
    return core_refuse(self->core, "FinishedError", "the environments are closed"), false;
}

PyObject *core_vec_leave(core_vec *self, PyObject *result) {
    atomic_store(&self->use, CORE_VEC_FREE);
    return result;
}

bool core_vec_enter_begun(core_vec *self) {
    if (!core_vec_enter(self)) return false;
    if (self->batch) return true;
    core_vec_leave(self, NULL);
    return core_refuse(self->core, "FinishedError", "no episode has begun: call reset"), false;
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
    if (!sb_name_shape(self->core->catalogue, name, &shape, &error)) return core_raise(self->core, &error), false;
    const bool looks_alike = core_look_fits(self->look, name);
    if (looks_alike && sb_n_actions(&shape) == self->n_actions && shape.n_buttons == self->n_buttons) return true;
    core_refuse(self->core, "InvalidError",
                looks_alike ? "%s has other actions" : "%s has observations of another shape: give `pad`", name->task);
    return false;
}

/* What the arguments say of observations and pictures. */
typedef struct shown {
    PyObject *obs, *pad, *render_mode;
    core_pixel_arguments pixels;
} shown;

static bool make_look(core_vec *self, const sb_family *family, const shown *as, const core_pixels *pixels) {
    const bool in_arrays = as->obs == Py_None && family->n_arrays;
    PyObject *obs = in_arrays ? PyUnicode_FromString("values") : Py_NewRef(as->obs);
    const core_look_plan plan = {&self->names[0], obs, as->pad, .pixels = pixels, .copies = true};
    self->look = obs ? core_look_make(self->core, &plan) : NULL;
    Py_XDECREF(obs);
    return self->look;
}

static bool make_looks(core_vec *self, const shown *as) {
    core *c = self->core;
    const sb_name *first = &self->names[0];
    sb_shape shape;
    sb_error error;
    core_pixels pixels;
    const sb_family *family = sb_family_find(first->family, &error);
    if (!family || !sb_name_shape(c->catalogue, first, &shape, &error)) return core_raise(c, &error), false;
    self->n_actions = sb_n_actions(&shape);
    self->n_buttons = shape.n_buttons;
    if (!core_read_pixels(c, family, &as->pixels, &pixels) || !make_look(self, family, as, &pixels) ||
        !core_make_picture(c, first, as->render_mode, &pixels, &self->picture, NULL))
        return false;
    const bool draws = core_has_pixels(self->look) || (self->picture && core_has_pixels(self->picture));
    return draws || core_check_pixels(c, family, &pixels);
}

static const char *const thens[] = {"chain", "same", "next", "stop", "draw", "repeat", NULL};

static bool read_names(core_vec *self, PyObject *list, const char *difficulty) {
    const Py_ssize_t n = PyList_Size(list);
    const PyObject *before = NULL;
    self->names = calloc((size_t)n + 1, sizeof *self->names);
    self->pinned = calloc((size_t)n + 1, sizeof *self->pinned);
    if (!self->names || !self->pinned) return PyErr_NoMemory(), false;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyList_GetItem(list, i);
        const char *text = PyUnicode_Check(item) ? core_utf8(item) : NULL;
        if (!text && !PyErr_Occurred()) core_refuse(self->core, "InvalidError", "names of environments are str");
        if (!text) return false;
        if (item == before)
            self->names[i] = self->names[i - 1], self->pinned[i] = self->pinned[i - 1];
        else if (!core_read_name(self->core, text, difficulty, &self->names[i], &self->pinned[i]))
            return false;
        if (core_vec_is_list(self) && !self->pinned[i])
            return core_refuse(self->core, "InvalidError", "then=\"%s\" takes names of episodes, with seeds: not %.90s",
                               thens[self->then], text),
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

/* All tasks and difficulties of the mixture have to look alike to a learner and have the rewards asked for. */
static bool check_mixture(const core_vec *self, const sb_mixture *mixture, bool shapes) {
    for (size_t i = 0; i < mixture->pairs.n; i++) {
        sb_name name;
        sb_selection_name(&mixture->pairs, i, &name);
        if (!core_vec_fits(self, &name) || (shapes && !core_shapes(self->core, &name))) return false;
    }
    return true;
}

static void free_mixture(sb_mixture *mixture) {
    if (mixture) sb_mixture_free(mixture);
    free(mixture);
}

/* Draws all episodes that begin from now on from this mixture. False with an exception; then nothing has changed. */
static bool use_mixture(core_vec *self, const char *json, Py_ssize_t total, bool shapes) {
    if ((json != NULL) != (self->then == CORE_THEN_DRAW))
        return core_refuse(self->core, "InvalidError", "then=\"draw\" goes with a Mixture, and only with one"), false;
    if (!json) return true;
    sb_mixture *mixture = calloc(1, sizeof *mixture);
    if (!mixture) return PyErr_NoMemory(), false;
    if (!core_mixture_read(self->core, json, mixture) || !check_mixture(self, mixture, shapes))
        return free_mixture(mixture), false;
    free_mixture(self->mixture);
    self->mixture = mixture, self->total = (uint64_t)(total > 0 ? total : 0);
    return true;
}

static PyObject *draw_from(PyObject *object, PyObject *arguments) {
    core_vec *self = (core_vec *)object;
    const char *json;
    Py_ssize_t total;
    if (!core_parse(arguments, "sn:_draw_from", &json, &total) || !core_vec_enter(self)) return NULL;
    const bool ok = use_mixture(self, json, total, self->shaping != NULL);
    return core_vec_leave(self, ok ? Py_NewRef(Py_None) : NULL);
}

static bool make_flag_forms(core_vec *self) {
    bool ok = true;
    for (size_t i = 0; ok && i < CORE_VEC_FLAGS; i++)
        ok = core_form_make(&self->flag_forms[i], core_shape(&self->n, 0, NULL), "bool", self->n);
    return ok;
}

static bool make_parts(core_vec *self, Py_ssize_t n, bool copies) {
    if (n < 1 || (size_t)n > self->n_names || (!core_vec_is_list(self) && (size_t)n != self->n_names))
        return core_refuse(self->core, "InvalidError",
                           "num_envs is %zd, and there are %zu names: they are as many, or there are more episodes", n,
                           self->n_names),
               false;
    self->n = (size_t)n;
    return allocate(self) && core_frame_make(&self->frame, self->look, self->n, copies) && make_flag_forms(self) &&
           core_memory_make(&self->rewards, self->n, NULL, "float64", sizeof(double)) &&
           core_memory_make(&self->terminations, self->n, NULL, "bool", sizeof(bool)) &&
           core_memory_make(&self->truncations, self->n, NULL, "bool", sizeof(bool));
}

/* Prepares for rewards of progress, in all episodes that may come. */
static bool shape(core_vec *self, double gamma) {
    for (size_t i = 0; i < self->n_names; i++)
        if ((!i || !sb_same_pair(&self->names[i - 1], &self->names[i])) && !core_shapes(self->core, &self->names[i]))
            return false;
    return (self->shaping = core_shaping_make(self->n, gamma)) != NULL;
}

static int init(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"names", "num_envs", "difficulty", "obs",     "reward",      "info",   "autoreset",
                            "then",  "threads",  "copy",       "pad",     "look",        "tile",   "size",
                            "view",  "panel",    "highlight",  "indexed", "render_mode", "record", "mixture",
                            "total", "mask",     "gamma",      NULL};
    static const char *const infos[] = {"none", "lean", "full", NULL}, *const autoresets[] = {"NextStep", "SameStep",
                                                                                              "Disabled", NULL};
    core_vec *self = (core_vec *)object;
    const char *difficulty = NULL, *reward = "sparse", *info = "lean", *autoreset = "NextStep", *then = "chain",
               *mixture = NULL, *mask = "sound";
    PyObject *list;
    shown as = {.obs = Py_None, .pad = Py_None, .render_mode = Py_None};
    core_pixel_arguments *p = &as.pixels;
    Py_ssize_t n, threads = 1, total = 0;
    int copies = 1, records = 1, which[5];
    double gamma = 1;
    *p = core_pixel_defaults();
    if (!core_parse_keywords(positional, keywords, "O!n|$zOssssnO&OOOOOO&O&O&OO&znsd:VecEnv", names, &PyList_Type,
                             &list, &n, &difficulty, &as.obs, &reward, &info, &autoreset, &then, &threads, core_flag,
                             &copies, &as.pad, &p->look, &p->tile, &p->size, &p->view, core_flag, &p->panel, core_flag,
                             &p->highlight, core_flag, &p->indexed, &as.render_mode, core_flag, &records, &mixture,
                             &total, &mask, &gamma))
        return -1;
    if (self->is_made) return core_refuse(self->core, "Error", "a vector is made once"), -1;
    self->is_made = true;
    if (threads < 0 || threads > 1024)
        return core_refuse(self->core, "InvalidError", "threads is 0 (one for each processor) to 1024"), -1;
    if ((which[0] = core_read_reward(self->core, reward, gamma)) < 0 ||
        !core_read_word(self->core, "info", info, infos, &which[1]) ||
        !core_read_word(self->core, "autoreset", autoreset, autoresets, &which[2]) ||
        !core_read_word(self->core, "then", then, thens, &which[3]) ||
        !core_read_word(self->core, "mask", mask, core_masks, &which[4]))
        return -1;
    self->dense = which[0] == CORE_DENSE, self->info = (core_info)which[1], self->threads = (size_t)threads;
    self->records = records, self->published_mask = which[4] == 1;
    self->autoreset = (sb_autoreset)which[2], self->then = (core_then)which[3];
    if (PyList_Size(list) == 0)
        return core_refuse(self->core, "InvalidError", "there are no names to make environments of"), -1;
    self->progress = -1;
    if (!read_names(self, list, difficulty) || !make_looks(self, &as) || !check_names(self) ||
        !use_mixture(self, mixture, total, which[0] == CORE_PROGRESS))
        return -1;
    self->look->dense = self->dense;
    if (self->picture) self->picture->dense = self->dense;
    if (!make_parts(self, n, copies) || (which[0] == CORE_PROGRESS && !shape(self, gamma))) return -1;
    self->is_ready = true;
    return 0;
}

static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    (void)positional, (void)keywords;
    return core_new(type);
}

/* ---- Ending ---- */

void core_vec_drop_batch(core_vec *self) {
    for (size_t i = 0; i < CORE_AGENTS; i++) sb_players_free(self->experts[i].players), self->experts[i].players = NULL;
    sb_batch_free(self->batch);
    self->batch = NULL;
}

static void release(core_vec *self) {
    const bool lost = core_vec_is_lost(self);
    core_vec_join(self);
    self->closed = true;
    if (lost) self->batch = NULL;
    core_vec_drop_batch(self);
    for (size_t i = 0; self->finals && i < self->n; i++) sb_free(self->finals[i]), self->finals[i] = NULL;
    core_frame_drop(&self->frame);
}

core_memory *core_vec_memory(core_vec *self, size_t at) {
    core_memory *own[] = {&self->rewards, &self->terminations, &self->truncations};
    if (at < 3) return own[at];
    for (size_t k = 0, left = at - 3; k < self->frame.n_fields; k++)
        if (self->frame.fields[k].memory.form.shape && left-- == 0) return &self->frame.fields[k].memory;
    return NULL;
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
    core_memory *memory;
    Py_VISIT(Py_TYPE(object));
    for (size_t i = 0; (memory = core_vec_memory((core_vec *)object, i)); i++) {
        const int code = core_memory_traverse(memory, visit, arg);
        if (code) return code;
    }
    return 0;
}

static int clear(PyObject *object) {
    core_memory *memory;
    for (size_t i = 0; (memory = core_vec_memory((core_vec *)object, i)); i++) {
        Py_CLEAR(memory->bound);
    }
    return 0;
}

static void dealloc(PyObject *object) {
    core_vec *self = (core_vec *)object;
    PyObject_GC_UnTrack(object);
    release(self);
    core_frame_free(&self->frame);
    for (size_t i = 0; i < CORE_VEC_FLAGS; i++) core_form_free(&self->flag_forms[i]);
    core_memory_free(&self->rewards), core_memory_free(&self->terminations), core_memory_free(&self->truncations);
    core_look_free(self->look), core_look_free(self->picture), core_shaping_free(self->shaping);
    free(self->names), free(self->pinned), free(self->chains), free(self->actions), free(self->results);
    free(self->begun), free(self->idle), free(self->ended), free(self->flags[0]), free(self->flags[1]);
    free(self->starts), free(self->finals);
    free_mixture(self->mixture);
    core_delete(object);
}

/* Closes the vector, also while a step of step_async is under way, for which it waits. */
static PyObject *close_extras(PyObject *object, PyObject *positional, PyObject *keywords) {
    (void)positional, (void)keywords;
    core_vec *self = (core_vec *)object;
    if (atomic_exchange(&self->use, CORE_VEC_IN_CALL) == CORE_VEC_IN_CALL) return refuse_use(CORE_VEC_IN_CALL), NULL;
    release(self);
    return core_vec_leave(self, Py_NewRef(Py_None));
}

/* ---- The type ---- */

static PyMethodDef methods[] = {
    {"reset", CORE_KEYWORDS(core_vec_reset),
     "reset($self, *, seed=None, options=None)\n--\n\nBegins episodes and returns (observations, infos)."},
    {"step", core_vec_step, METH_O,
     "step($self, actions, /)\n--\n\nTakes an action, a number or a name, in each environment and returns "
     "(observations, rewards, "
     "terminations, truncations, infos)."},
    {"step_async", core_vec_step_async, METH_O,
     "step_async($self, actions, /)\n--\n\nBegins a step that goes on beside the caller."},
    {"step_wait", core_vec_step_wait, METH_NOARGS, "step_wait($self, /)\n--\n\nWhat step returns, of step_async."},
    {"render", core_vec_render, METH_NOARGS, "render($self, /)\n--\n\nWhat render_mode says, of each environment."},
    {"close_extras", CORE_KEYWORDS(close_extras), "close_extras($self, **kwargs)\n--\n\nFrees the environments."},
    {"names", core_vec_names, METH_NOARGS, "names($self, /)\n--\n\nThe names of the running episodes."},
    {"action_masks", core_vec_action_masks, METH_NOARGS,
     "action_masks($self, /)\n--\n\nWhich actions may have an effect, as booleans."},
    {"keys", core_vec_keys, METH_NOARGS,
     "keys($self, /)\n--\n\nEqual keys, equal futures: two numbers for each environment."},
    {"expert_actions", CORE_KEYWORDS(core_vec_expert_actions),
     "expert_actions($self, agent=None, out=None)\n--\n\nWhat an oracle would do in each environment; -1 where its "
     "episode is over."},
    {"copy_env", core_vec_copy_env, METH_VARARGS,
     "copy_env($self, to, source, /)\n--\n\nMakes an environment a copy of another one, or of an Env: its episode. The "
     "episodes that follow are those of its own chain of seeds."},
    {"observe", core_vec_observe, METH_NOARGS,
     "observe($self, /)\n--\n\nThe observations as they are now, without a step."},
    {"_copy_to", core_vec_copy_to, METH_VARARGS, NULL},
    {"_name_at", core_vec_name_at, METH_O, NULL},
    {"_made_of", core_vec_made_of, METH_NOARGS, NULL},
    {"_save", core_vec_save, METH_NOARGS, NULL},
    {"_load", core_vec_load, METH_O, NULL},
    {"_become", core_vec_become, METH_O, NULL},
    {"_draw_from", draw_from, METH_VARARGS, NULL},
    {"_set_array", core_vec_set_array, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, make},
                              {Py_tp_init, init},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, core_vec_attributes},
                              {Py_tp_doc, "Many environments: the methods of gymnasium.vector.VectorEnv in C."},
                              {0, NULL}};

PyType_Spec core_vec_spec = {.name = "seedbed._seedbed.VecCore",
                             .basicsize = sizeof(core_vec),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                             .slots = slots};
