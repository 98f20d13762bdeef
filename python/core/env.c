/* EnvCore: one environment. Its methods are those of gymnasium.Env and more; seedbed.Env inherits from both, so that a
 * step is one call of a C function. */
#include "python/core/env.h"

#include "api/env.h"
#include "engine/lookup.h"
#include "python/core/actions.h"
#include "python/core/objects.h"
#include "seedbed/tape.h"

/* ---- Taking part in a call ---- */

bool core_env_enter_any(core_env *self) { return core_take(&self->in_use, "this environment is"); }

bool core_env_enter(core_env *self) {
    if (!core_env_enter_any(self)) return false;
    if (self->env) return true;
    core_give_back(&self->in_use);
    return core_refuse(self->core, "FinishedError", "the environment is closed"), false;
}

PyObject *core_env_leave(core_env *self, PyObject *result) {
    core_give_back(&self->in_use);
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
    core_shaping_forget(self->shaping, 0);
    Py_CLEAR(self->action_names);
}

core_env *core_env_of(core *c, PyObject *object) {
    if (core_is(c, CORE_TYPE_ENV, object)) return (core_env *)Py_NewRef(object);
    PyObject *inner = PyObject_GetAttrString(object, "unwrapped"); /* a wrapper of an environment has `unwrapped` */
    if (inner && core_is(c, CORE_TYPE_ENV, inner)) return (core_env *)inner;
    Py_XDECREF(inner);
    if (!inner && !PyErr_ExceptionMatches(PyExc_AttributeError)) return NULL;
    PyErr_Clear();
    return core_refuse(c, "InvalidError", "this takes an environment of seedbed"), NULL;
}

/* ---- Making ---- */

/* What the arguments say of observations and pictures. */
typedef struct shown {
    PyObject *obs, *pad, *render_mode;
    core_pixel_arguments pixels;
    int copies;
} shown;

static bool make_looks(core_env *self, const shown *as) {
    core *c = self->core;
    sb_error error;
    const sb_family *family = sb_family_find(self->name.family, &error);
    if (!family) return core_raise(c, &error), false;
    if (!core_read_pixels(c, family, &as->pixels, &self->pixels)) return false;
    self->look = core_look_make(
        c, &(core_look_plan){&self->name, as->obs, as->pad, .pixels = &self->pixels, .copies = as->copies});
    if (!self->look ||
        !core_make_picture(c, &self->name, as->render_mode, &self->pixels, &self->picture, &self->prints))
        return false;
    const bool draws = core_has_pixels(self->look) || (self->picture && core_has_pixels(self->picture));
    return draws || core_check_pixels(c, family, &self->pixels);
}

static int init(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"name",      "difficulty", "obs",  "reward", "info", "render_mode", "seed",
                            "copy",      "pad",        "look", "tile",   "size", "view",        "panel",
                            "highlight", "indexed",    "mask", "gamma",  NULL};
    static const char *const infos[] = {"none", "lean", "full", NULL};
    core_env *self = (core_env *)object;
    const char *name, *difficulty = NULL, *reward = "sparse", *info = NULL, *mask = "sound";
    shown as = {.obs = Py_None, .pad = Py_None, .render_mode = Py_None, .copies = 1};
    core_pixel_arguments *p = &as.pixels;
    PyObject *seed = Py_None;
    int index;
    uint64_t number = 0;
    double gamma = 1;
    sb_error error;
    *p = core_pixel_defaults();
    if (!core_parse_keywords(positional, keywords, "s|$zOszOOO&OOOOOO&O&O&sd:Env", names, &name, &difficulty, &as.obs,
                             &reward, &info, &as.render_mode, &seed, core_flag, &as.copies, &as.pad, &p->look, &p->tile,
                             &p->size, &p->view, core_flag, &p->panel, core_flag, &p->highlight, core_flag, &p->indexed,
                             &mask, &gamma))
        return -1;
    if (self->is_made) return core_refuse(self->core, "Error", "an environment is made once"), -1;
    self->is_made = true;
    const int kind = core_read_reward(self->core, reward, gamma);
    if (kind < 0) return -1;
    self->dense = kind == CORE_DENSE;
    if (!core_read_word(self->core, "mask", mask, core_masks, &index)) return -1;
    self->published_mask = index == 1;
    if (!core_read_name(self->core, name, difficulty, &self->name, &self->pinned) || !make_looks(self, &as)) return -1;
    if (kind == CORE_PROGRESS &&
        (!core_shapes(self->core, &self->name) || !(self->shaping = core_shaping_make(1, gamma))))
        return -1;
    self->look->dense = self->dense;
    if (self->picture) self->picture->dense = self->dense;
    const sb_info_source *source = self->look->family->info;
    if (!info) info = source && source->by_default ? "full" : "lean";
    if (!core_read_word(self->core, "info", info, infos, &index)) return -1;
    self->info = (core_info)index;
    if (seed != Py_None && !core_seed(self->core, seed, "seed", &number)) return -1;
    self->env = sb_make(self->core->catalogue, NULL, &error);
    if (!self->env || !sb_record(self->env, true, &error)) return core_raise(self->core, &error), -1;
    if (seed != Py_None) core_env_start_chain(self, number), self->is_waiting = true;
    return 0;
}

static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    (void)positional, (void)keywords;
    return core_new(type);
}

static void release(core_env *self) {
    sb_free(self->env), self->env = NULL;
    sb_player_clear(&self->player), self->player = (sb_player){0}, self->is_asked = false;
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
    core_env *self = (core_env *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->generator);
    Py_VISIT(self->action_names);
    return 0;
}

static int clear(PyObject *object) {
    core_env *self = (core_env *)object;
    Py_CLEAR(self->generator);
    Py_CLEAR(self->action_names);
    return 0;
}

static void dealloc(PyObject *object) {
    core_env *self = (core_env *)object;
    PyObject_GC_UnTrack(object);
    clear(object);
    release(self);
    core_look_free(self->look), core_look_free(self->picture), core_shaping_free(self->shaping);
    core_delete(object);
}

/* ---- What is returned ---- */

/* Takes the step and tells its progress, while other Python threads run. */
static bool make_progress(core_env *self, sb_action action, sb_result *result, double *reward, sb_error *error) {
    bool ok;
    Py_BEGIN_ALLOW_THREADS;
    ok = core_shaping_begin(self->shaping, 0, self->env, error) && sb_step(self->env, action, result, error) &&
         core_shaping_step(self->shaping, 0, self->env, result, reward, error);
    Py_END_ALLOW_THREADS;
    return ok;
}

static bool take_action(core_env *self, sb_action action, sb_result *result, double *reward, sb_error *error) {
    if (self->shaping) return make_progress(self, action, result, reward, error);
    if (!sb_step(self->env, action, result, error)) return false;
    *reward = self->dense ? result->dense : result->reward;
    return true;
}

/* Returns the info of a step; `result` NULL: of a reset. */
static PyObject *info_of(core_env *self, const sb_result *result) {
    return core_info_of(self->look, self->env, self->info, self->dense, result);
}

/* Prints the picture, for people who watch. */
static bool show(core_env *self) {
    PyObject *text = core_picture_of(self->picture, self->env), *written = NULL;
    PyObject *lines = text ? PyUnicode_FromFormat("%S\n", text) : NULL;
    PyObject *out = lines ? PyImport_ImportModule("sys") : NULL;
    PyObject *stream = out ? PyObject_GetAttrString(out, "stdout") : NULL;
    if (stream) written = PyObject_CallMethod(stream, "write", "(O)", lines);
    Py_XDECREF(lines);
    Py_XDECREF(written), Py_XDECREF(stream), Py_XDECREF(out), Py_XDECREF(text);
    return written != NULL;
}

/* ---- Gymnasium's methods ---- */

static bool begin(core_env *self, const sb_name *name) {
    sb_error error;
    self->last_dense = 0;
    core_env_begun(self);
    if (!self->env->log) { /* after a copy of what was not recorded there is no log */
        sb_empty(self->env);
        if (!sb_record(self->env, true, &error)) return core_raise(self->core, &error), false;
    }
    bool ok;
    Py_BEGIN_ALLOW_THREADS; /* some games, such as those of challenges, take seconds to find */
    ok = sb_reset_name(self->env, name, &error);
    Py_END_ALLOW_THREADS;
    return ok || (core_raise(self->core, &error), false);
}

bool core_env_fits(core_env *self, const sb_name *name, const char *what) {
    return core_fits(self->look, &self->name, name, what);
}

/* Which episode a reset begins. The chain is left alone where an option or the environment itself says it. */
static bool next_episode(core_env *self, PyObject *seed, const core_options *said, sb_name *name) {
    const bool is_said = said->has_name || said->has_seed || (self->pinned && seed == Py_None);
    uint64_t number;
    *name = self->name;
    if (!core_apply_options(self->look, said, name)) return false;
    if (seed == Py_None) return is_said || core_env_next_seed(self, &name->seed);
    if (!core_seed(self->core, seed, "seed", &number)) return false;
    core_env_start_chain(self, number);
    if (!is_said) name->seed = number;
    return true;
}

static PyObject *begin_episode(core_env *self, PyObject *seed, PyObject *options) {
    core_options said;
    sb_name name;
    if (!core_read_options(self->core, options, NULL, &said) || !next_episode(self, seed, &said, &name) ||
        !begin(self, &name) || (self->prints && !show(self)))
        return NULL;
    PyObject *observation = core_observe(self->look, self->env);
    return observation ? Py_BuildValue("(NN)", observation, info_of(self, NULL)) : NULL;
}

static PyObject *reset(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"seed", "options", NULL};
    core_env *self = (core_env *)object;
    PyObject *seed = Py_None, *options = Py_None;
    if (!core_parse_keywords(positional, keywords, "|$OO:reset", names, &seed, &options)) return NULL;
    return core_env_enter(self) ? core_env_leave(self, begin_episode(self, seed, options)) : NULL;
}

static bool read_action(core_env *self, PyObject *value, sb_action *action) {
    return core_read_action(self->core, self->env, value, action);
}

static PyObject *take_step(core_env *self, PyObject *value) {
    sb_result result;
    sb_action action;
    double reward;
    sb_error error;
    if (!read_action(self, value, &action)) return NULL;
    if (!take_action(self, action, &result, &reward, &error)) return core_raise(self->core, &error);
    self->last_dense = result.dense;
    if (self->prints && !show(self)) return NULL;
    PyObject *outcome = PyTuple_New(5);
    (void)(outcome && core_set(&outcome, 0, core_observe(self->look, self->env)) &&
           core_set(&outcome, 1, PyFloat_FromDouble(reward)) &&
           core_set(&outcome, 2, PyBool_FromLong(result.terminated)) &&
           core_set(&outcome, 3, PyBool_FromLong(result.truncated)) && core_set(&outcome, 4, info_of(self, &result)));
    return outcome;
}

/* Reads one argument, which may be said by its name. */
static PyObject *step(PyObject *object, PyObject *const *arguments, Py_ssize_t n, PyObject *names) {
    core_env *self = (core_env *)object;
    const Py_ssize_t n_named = names ? PyTuple_Size(names) : 0;
    PyObject *name = n_named ? PyTuple_GetItem(names, 0) : NULL;
    if (n + n_named != 1 || (name && PyUnicode_CompareWithASCIIString(name, "action") != 0)) {
        PyErr_SetString(PyExc_TypeError, "step() takes one argument, the action");
        return NULL;
    }
    return core_env_enter(self) ? core_env_leave(self, take_step(self, arguments[0])) : NULL;
}

static PyObject *picture_of(core_env *self) { return core_picture_of(self->prints ? NULL : self->picture, self->env); }

static PyObject *render(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    return core_env_enter(self) ? core_env_leave(self, picture_of(self)) : NULL;
}

static PyObject *close_env(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    if (!core_env_enter_any(self)) return NULL;
    release(self);
    return core_env_leave(self, Py_NewRef(Py_None));
}

/* ---- More ---- */

static PyObject *observe_as(core_env *self, PyObject *mode) {
    if (!self->env->family) return core_refuse(self->core, "FinishedError", "no episode has begun: call reset");
    if (mode == Py_None) return core_observe(self->look, self->env);
    core_look *look = core_look_make(
        self->core,
        &(core_look_plan){
            .name = &self->env->name, .obs = mode, .pad = Py_None, .pixels = &self->pixels, .copies = true});
    if (look) look->dense = self->dense;
    PyObject *observation = look ? core_observe(look, self->env) : NULL;
    core_look_free(look);
    return observation;
}

static PyObject *observe(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"mode", NULL};
    core_env *self = (core_env *)object;
    PyObject *mode = Py_None;
    if (!core_parse_keywords(positional, keywords, "|O:observe", names, &mode)) return NULL;
    return core_env_enter(self) ? core_env_leave(self, observe_as(self, mode)) : NULL;
}

static PyObject *mask_of(core_env *self) {
    const size_t n = (size_t)self->env->n_actions;
    bool *mask = PyMem_Calloc(n + 1, sizeof *mask);
    if (!mask) return PyErr_NoMemory();
    core_action_mask(self->env, self->published_mask, mask);
    PyObject *shape = core_shape(&n, 0, NULL);
    PyObject *array = core_array_of(self->core, core_array_arguments(self->core, shape, "bool"), mask, n);
    PyMem_Free(mask);
    return array;
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

static PyObject *number_of_action(core_env *self, PyObject *value) {
    sb_env plain;
    sb_action action;
    const bool ok = core_env_name_actions(self, &plain) && core_read_action(self->core, &plain, value, &action);
    return ok ? PyLong_FromLong(action) : NULL;
}

static PyObject *parse_action(PyObject *object, PyObject *text) {
    core_env *self = (core_env *)object;
    return core_env_enter(self) ? core_env_leave(self, number_of_action(self, text)) : NULL;
}

static PyObject *name_of_action(core_env *self, PyObject *value) {
    sb_env plain;
    sb_action action;
    const bool ok = core_env_name_actions(self, &plain) && core_read_action(self->core, &plain, value, &action);
    return ok ? core_action_name(self->core, &plain, action) : NULL;
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

static PyMethodDef methods[] = {
    {"reset", CORE_KEYWORDS(reset),
     "reset($self, *, seed=None, options=None)\n--\n\nBegins an episode and returns (observation, info)."},
    {"step", (PyCFunction)(void (*)(void))step, METH_FASTCALL | METH_KEYWORDS,
     "step($self, action)\n--\n\nTakes an action and returns (observation, reward, terminated, truncated, info)."},
    {"render", render, METH_NOARGS, "render($self, /)\n--\n\nWhat render_mode says, or None."},
    {"close", close_env, METH_NOARGS, "close($self, /)\n--\n\nFrees the episode. Closing twice is fine."},
    {"observe", CORE_KEYWORDS(observe),
     "observe($self, mode=None)\n--\n\nThe state in any observation mode, without a step."},
    {"action_mask", action_mask, METH_NOARGS,
     "action_mask($self, /)\n--\n\nWhich actions may have an effect, as booleans."},
    {"action_masks", action_mask, METH_NOARGS,
     "action_masks($self, /)\n--\n\nThe same as action_mask, under the name that maskable trainers look for."},
    {"valid_actions", valid_actions, METH_NOARGS,
     "valid_actions($self, /)\n--\n\nThe actions that the published environments call valid, as numbers."},
    {"valid_action_names", valid_action_names, METH_NOARGS,
     "valid_action_names($self, /)\n--\n\nThe actions that the published environments call valid, as names."},
    {"parse_action", parse_action, METH_O, "parse_action($self, text, /)\n--\n\nThe number of an action by its name."},
    {"action_name", action_name, METH_O, "action_name($self, action, /)\n--\n\nThe name of an action by its number."},
    {"copy_from", core_env_copy_from, METH_O,
     "copy_from($self, other, /)\n--\n\nMakes this environment's episode a copy of another one's."},
    {"tape", CORE_KEYWORDS(core_env_tape),
     "tape($self, agent='python')\n--\n\nWhat was played so far, as a line that replays."},
    {"expert_action", CORE_KEYWORDS(core_env_expert_action),
     "expert_action($self, agent=None, budget=None)\n--\n\nWhat an oracle would do in this state: the expert, or the "
     "teacher of a family without one. Changes nothing."},
    {"hint", CORE_KEYWORDS(core_env_hint),
     "hint($self, agent=None, budget=None)\n--\n\nThe same with what the oracle is up to, as a Hint."},
    {"facts", core_env_facts, METH_NOARGS,
     "facts($self, /)\n--\n\nWhat can be told of rooms, things and the target, also what is not shown."},
    {"bound", bound, METH_NOARGS,
     "bound($self, /)\n--\n\nAt least so many steps are left to success; negative: proven to be out of reach; "
     "None: unknown."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, NULL}, /* annotations name the type of observations */
    {"_draw_from", CORE_KEYWORDS(core_env_draw_from), NULL},
    {"_save", core_env_save, METH_NOARGS, NULL},
    {"_load", core_env_load, METH_O, NULL},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_new, make},
    {Py_tp_init, init},
    {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_methods, methods},
    {Py_tp_getset, core_env_attributes},
    {Py_tp_doc,
     "EnvCore(name, *, difficulty=None, obs=None, reward='sparse', info=None, render_mode=None, "
     "seed=None, copy=True, pad=None, look=None, tile=None, size=None, view=None, panel=True, highlight=True, "
     "indexed=False, mask='sound', gamma=1.0)\n--\n\nOne environment: "
     "gymnasium.Env's methods in C, and more."},
    {0, NULL}};

PyType_Spec core_env_spec = {.name = "seedbed._seedbed.EnvCore",
                             .basicsize = sizeof(core_env),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                             .slots = slots};
