/* EnvCore: one environment. Its methods are those of gymnasium.Env and more; seedbed.Env inherits from both, so that a
 * step is one call of a C function. */
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "oracles/player.h"
#include "python/core/look.h"
#include "python/core/objects.h"
#include "seedbed/player.h"
#include "seedbed/tape.h"
#include "seeds/rng.h"

typedef enum core_info { CORE_INFO_NONE, CORE_INFO_LEAN, CORE_INFO_FULL } core_info;

typedef struct core_env {
    PyObject_HEAD core *core;
    sb_env *env;               /* NULL: not made yet, or closed */
    sb_name name;              /* task and difficulty; the seed of one that is pinned */
    core_look *look, *picture; /* observations; what render gives, NULL: nothing */
    core_info info;
    bool dense, pinned, prints, busy;
    double last_dense;
    bool has_chain; /* of the seeds of episodes */
    uint64_t chain_seed;
    sb_rng chain;
    PyObject *generator; /* NumPy's for the chain, once somebody has looked at it; then it draws */
    PyObject *obs, *pad; /* as given, for copies */
    sb_player player;    /* who was asked for hints last */
    bool is_asked;       /* the player began with this episode */
} core_env;

/* ---- Taking part in a call ---- */

/* False with an exception if the environment is closed or another thread is in it. */
static bool enter(core_env *self) {
    if (self->busy) return core_refuse(self->core, "Error", "another thread is using this environment"), false;
    if (!self->env) return core_refuse(self->core, "FinishedError", "the environment is closed"), false;
    return true;
}

/* ---- Making ---- */

/* The task and difficulty that a name and the argument `difficulty` say, and the seed, if the name has one. */
static bool read_name(core_env *self, const char *text, const char *difficulty) {
    const char *seed = strchr(text, '#');
    const size_t n = seed ? (size_t)(seed - text) : strlen(text);
    const char *slash = memchr(text, '/', n);
    char task[128], whole[256];
    const sb_family *family;
    size_t index;
    sb_error error;
    if (n >= sizeof task || (seed && strlen(seed) > 30))
        return core_refuse(self->core, "UnknownError", "`%.40s...` is no name of an episode", text), false;
    memcpy(task, text, n), task[slash ? slash - text : (ptrdiff_t)n] = '\0';
    if (!sb_task_resolve(NULL, task, &family, &index, &error)) return core_raise(self->core, &error), false;
    const char *usual = sb_difficulty_find(family, "medium", &index, &error) ? "medium" : family->difficulties[0];
    char said[64] = "";
    if (slash) snprintf(said, sizeof said, "%.*s", (int)(n - (size_t)(slash - text) - 1), slash + 1);
    if (slash && difficulty && strcmp(said, difficulty) != 0)
        return core_refuse(self->core, "InvalidError", "the name says `%s`, difficulty= says `%.40s`", said,
                           difficulty),
               false;
    const char *chosen = slash ? said : difficulty ? difficulty : usual;
    snprintf(whole, sizeof whole, "%s%s%s%s", task, *chosen ? "/" : "", chosen, seed ? seed : "#0");
    if (!sb_name_parse(NULL, whole, &self->name, &error)) return core_raise(self->core, &error), false;
    self->pinned = seed != NULL;
    return true;
}

static bool read_word(core_env *self, const char *what, const char *text, const char *const *words, int *index) {
    for (*index = 0; words[*index]; ++*index)
        if (strcmp(words[*index], text) == 0) return true;
    core_refuse(self->core, "InvalidError", "%s=\"%.40s\": known are \"%s\", \"%s\"%s%s%s", what, text, words[0],
                words[1], words[2] ? ", \"" : "", words[2] ? words[2] : "", words[2] ? "\"" : "");
    return false;
}

static void start_chain(core_env *self, uint64_t seed) {
    self->has_chain = true, self->chain_seed = seed;
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
    if (self->env) return core_refuse(self->core, "Error", "an environment is made once"), -1;
    if (!read_word(self, "reward", reward, rewards, &index)) return -1;
    self->dense = index == 1;
    if (!read_name(self, name, difficulty) || !make_looks(self, obs, pad, render_mode, copies)) return -1;
    const sb_info_source *source = self->look->family->info;
    if (!info) info = source && source->by_default ? "full" : "lean";
    if (!read_word(self, "info", info, infos, &index)) return -1;
    self->info = (core_info)index;
    if (seed != Py_None && !core_seed(self->core, seed, "seed", &number)) return -1;
    self->env = sb_make(NULL, NULL, &error);
    if (!self->env || !sb_record(self->env, true, &error)) return core_raise(self->core, &error), -1;
    if (seed != Py_None) start_chain(self, number);
    self->obs = Py_NewRef(obs), self->pad = Py_NewRef(pad);
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
    Py_VISIT(self->obs);
    Py_VISIT(self->pad);
    return 0;
}

static int clear(PyObject *object) {
    core_env *self = (core_env *)object;
    Py_CLEAR(self->generator);
    Py_CLEAR(self->obs);
    Py_CLEAR(self->pad);
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

static bool set_item(PyObject *dict, const char *key, PyObject *value) {
    const int code = value ? PyDict_SetItemString(dict, key, value) : -1;
    Py_XDECREF(value);
    return code == 0;
}

static PyObject *valid_names(core_env *self) {
    sb_action actions[SB_MASK_MAX];
    const size_t n = sb_valid_actions(self->env, actions, SB_MASK_MAX);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) {
        char text[64];
        const size_t length = sb_action_name(self->env, actions[i], text, sizeof text);
        PyObject *item = core_text(self->core, text, length < sizeof text ? length : sizeof text - 1);
        if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* Adds what the family's published environments tell of their own. */
static bool add_own_info(core_env *self, PyObject *info) {
    const sb_info_source *source = self->look->family->info;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!source) return true;
    sb_out *text = &self->look->text;
    sb_out_clear(text);
    source->tell(self->env, text);
    PyObject *told = sb_out_ok(text) ? core_document(self->core, text->data, text->size) : PyErr_NoMemory();
    bool ok = told != NULL;
    while (ok && PyDict_Next(told, &at, &key, &value)) {
        const bool is_cell = PyList_Check(value); /* at the top there are single cells only */
        PyObject *item = is_cell ? PyList_AsTuple(value) : Py_NewRef(value);
        ok = item && (is_cell || core_make_pairs(item, self->env->task->name, source->lists)) &&
             PyDict_SetItem(info, key, item) == 0;
        Py_XDECREF(item);
    }
    Py_XDECREF(told);
    return ok;
}

/* `result` NULL: after a reset. */
static PyObject *info_of(core_env *self, const sb_result *result) {
    PyObject *info = PyDict_New();
    const sb_status *status = &self->env->status;
    if (!info || self->info == CORE_INFO_NONE) return info;
    bool ok = true;
    if (self->info == CORE_INFO_FULL)
        ok = set_item(info, "step_count", PyLong_FromLong(status->steps)) &&
             set_item(info, "step", PyLong_FromLong(status->steps)) &&
             set_item(info, "max_steps", PyLong_FromLong(status->max_steps)) &&
             set_item(info, "episode_reward", PyFloat_FromDouble(self->dense ? status->dense_total : status->total)) &&
             set_item(info, "valid_actions", valid_names(self)) && add_own_info(self, info);
    if (ok && result) ok = set_item(info, "success", PyBool_FromLong(status->success));
    if (ok && result && result->truncated && self->info == CORE_INFO_FULL)
        ok = set_item(info, "truncated_reason", PyUnicode_FromString("max_steps_reached"));
    if (!ok) Py_CLEAR(info);
    return info;
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

/* ---- Gymnasium's methods ---- */

static uint64_t entropy(void) {
    uint64_t seed;
    randombytes_buf(&seed, sizeof seed);
    return seed >> 1; /* as large as NumPy's own seeds may be */
}

/* The seed of the next episode of the chain. */
static bool draw_seed(core_env *self, uint64_t *seed) {
    if (!self->generator) return *seed = (uint64_t)sb_integers(&self->chain, 0, INT64_C(1) << 31), true;
    PyObject *drawn = PyObject_CallMethod(self->generator, "integers", "iL", 0, (long long)INT64_C(1) << 31);
    const bool ok = drawn && core_seed(self->core, drawn, "a draw", seed);
    Py_XDECREF(drawn);
    return ok;
}

static bool begin(core_env *self, const sb_name *name) {
    sb_error error;
    self->is_asked = false, self->last_dense = 0;
    return sb_reset_name(self->env, name, &error) || (core_raise(self->core, &error), false);
}

/* What `options` say: another episode by name, or a seed that leaves the chain alone. */
static bool read_options(core_env *self, PyObject *options, sb_name *name, bool *is_said) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    sb_error error;
    sb_shape shape;
    if (!PyDict_Check(options)) return core_refuse(self->core, "InvalidError", "options is a dict or None"), false;
    while (PyDict_Next(options, &at, &key, &value)) {
        const char *word = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
        const char *text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
        PyErr_Clear();
        if (word && strcmp(word, "seed") == 0) {
            if (!core_seed(self->core, value, "options[\"seed\"]", &name->seed)) return false;
        } else if (word && strcmp(word, "name") == 0 && text) {
            if (!sb_name_parse(NULL, text, name, &error) || !sb_name_shape(NULL, name, &shape, &error))
                return core_raise(self->core, &error), false;
            if (strcmp(name->family, self->name.family) != 0 || !core_look_fits(self->look, &shape))
                return core_refuse(self->core, "InvalidError",
                                   "options[\"name\"]: observations of %.60s do not fit this environment's spaces",
                                   text),
                       false;
        } else {
            return core_refuse(self->core, "InvalidError",
                               "options may hold \"name\" (a str) and \"seed\", not \"%.40s\"", word ? word : "?"),
                   false;
        }
        *is_said = true;
    }
    return true;
}

static PyObject *reset(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"seed", "options", NULL};
    core_env *self = (core_env *)object;
    PyObject *seed = Py_None, *options = Py_None;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "|$OO:reset", names, &seed, &options) || !enter(self))
        return NULL;
    sb_name name = self->name;
    uint64_t number = 0;
    bool is_said = self->pinned && seed == Py_None;
    if (options != Py_None && !read_options(self, options, &name, &is_said)) return NULL;
    if (seed != Py_None) {
        if (!core_seed(self->core, seed, "seed", &number)) return NULL;
        start_chain(self, number);
        if (!is_said) name.seed = number;
    } else if (!is_said) {
        const bool is_first = self->has_chain && !self->env->name.task[0] && !self->generator;
        if (!self->has_chain) start_chain(self, entropy());
        if (is_first)
            name.seed = self->chain_seed; /* of make(seed=...) */
        else if (!draw_seed(self, &name.seed))
            return NULL;
    }
    if (!begin(self, &name) || (self->prints && !show(self))) return NULL;
    PyObject *observation = core_observe(self->look, self->env);
    return observation ? Py_BuildValue("(NN)", observation, info_of(self, NULL)) : NULL;
}

/* A number or a name. */
static bool read_action(core_env *self, PyObject *value, sb_action *action) {
    sb_error error;
    if (PyUnicode_Check(value)) {
        const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
        if (!text) return false;
        if (sb_action_parse(self->env, text, action, &error)) return true;
        return core_refuse(self->core, "ActionError", "%s", error.text), false;
    }
    PyObject *number = PyNumber_Index(value);
    int overflow = 0;
    const long index = number ? PyLong_AsLongAndOverflow(number, &overflow) : -1;
    Py_XDECREF(number);
    if (!number && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        return core_refuse(self->core, "ActionError", "an action is a whole number or a name"), false;
    }
    if (PyErr_Occurred()) return false;
    if (!overflow && index >= 0 && (index < self->env->n_actions || self->env->status.done))
        return *action = (sb_action)(index < INT32_MAX ? index : INT32_MAX), true;
    return core_refuse(self->core, "ActionError", "action %s%ld is not in 0..%d", overflow ? "beyond " : "", index,
                       (int)self->env->n_actions - 1),
           false;
}

static PyObject *step(PyObject *object, PyObject *value) {
    core_env *self = (core_env *)object;
    sb_result result;
    sb_action action;
    sb_error error;
    if (!enter(self) || !read_action(self, value, &action)) return NULL;
    if (!sb_step(self->env, action, &result, &error)) return core_raise(self->core, &error);
    self->last_dense = result.dense;
    if (self->prints && !show(self)) return NULL;
    PyObject *observation = core_observe(self->look, self->env), *info = observation ? info_of(self, &result) : NULL;
    if (!info) return Py_XDECREF(observation), NULL;
    return Py_BuildValue("(NdNNN)", observation, reward_of(self, &result), PyBool_FromLong(result.terminated),
                         PyBool_FromLong(result.truncated), info);
}

static PyObject *render(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    if (!enter(self)) return NULL;
    if (!self->picture || self->prints || !self->env->family) Py_RETURN_NONE;
    return core_observe(self->picture, self->env);
}

static PyObject *close_env(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    (void)none;
    if (self->busy) return core_refuse(self->core, "Error", "another thread is using this environment");
    release(self);
    Py_RETURN_NONE;
}

/* ---- More ---- */

static PyObject *observe(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"mode", NULL};
    core_env *self = (core_env *)object;
    PyObject *mode = Py_None;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "|O:observe", names, &mode) || !enter(self)) return NULL;
    if (!self->env->family) return core_refuse(self->core, "FinishedError", "no episode has begun: call reset");
    if (mode == Py_None) return core_observe(self->look, self->env);
    core_look *look = core_look_make(self->core, self->look->family, &self->env->shape, mode, Py_None, true);
    PyObject *observation = look ? core_observe(look, self->env) : NULL;
    core_look_free(look);
    return observation;
}

static PyObject *action_mask(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    Py_buffer memory;
    (void)none;
    if (!enter(self)) return NULL;
    const size_t n = sb_valid_mask(self->env, NULL, 0);
    PyObject *arguments = Py_BuildValue("((n)s)", (Py_ssize_t)n, "bool");
    PyObject *mask = arguments ? core_empty(self->core, arguments) : NULL;
    Py_XDECREF(arguments);
    if (!mask || PyObject_GetBuffer(mask, &memory, PyBUF_WRITABLE) < 0) return Py_XDECREF(mask), NULL;
    sb_valid_mask(self->env, memory.buf, n);
    PyBuffer_Release(&memory);
    return mask;
}

static PyObject *valid_actions(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    sb_action actions[SB_MASK_MAX];
    (void)none;
    if (!enter(self)) return NULL;
    const size_t n = sb_valid_actions(self->env, actions, SB_MASK_MAX);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) {
        PyObject *item = PyLong_FromLong(actions[i]);
        if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *valid_action_names(PyObject *object, PyObject *none) {
    (void)none;
    return enter((core_env *)object) ? valid_names((core_env *)object) : NULL;
}

static PyObject *parse_action(PyObject *object, PyObject *text) {
    core_env *self = (core_env *)object;
    sb_action action;
    if (!enter(self) || !read_action(self, text, &action)) return NULL;
    return PyLong_FromLong(action);
}

static PyObject *action_name(PyObject *object, PyObject *value) {
    core_env *self = (core_env *)object;
    sb_action action;
    char text[64];
    if (!enter(self) || !read_action(self, value, &action)) return NULL;
    const size_t n = sb_action_name(self->env, action, text, sizeof text);
    return core_text(self->core, text, n < sizeof text ? n : sizeof text - 1);
}

static PyObject *copy_from(PyObject *object, PyObject *other) {
    core_env *self = (core_env *)object, *from = (core_env *)other;
    sb_error error;
    const int is_env = PyObject_IsInstance(other, (PyObject *)self->core->env_type);
    if (is_env < 0) return NULL;
    if (!is_env) return core_refuse(self->core, "InvalidError", "copy_from takes another Env");
    if (!enter(self) || !enter(from)) return NULL;
    if (from->env->family &&
        (from->env->family != self->look->family || !core_look_fits(self->look, &from->env->shape)))
        return core_refuse(self->core, "InvalidError",
                           "the other environment's observations do not fit this one's spaces");
    if (!sb_copy(self->env, from->env, &error)) return core_raise(self->core, &error);
    self->name = from->name, self->pinned = from->pinned, self->last_dense = from->last_dense;
    self->has_chain = from->has_chain, self->chain_seed = from->chain_seed, self->chain = from->chain;
    self->is_asked = false;
    Py_CLEAR(self->generator);
    Py_RETURN_NONE;
}

static PyObject *tape(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"agent", NULL};
    core_env *self = (core_env *)object;
    const char *agent = "python";
    sb_error error;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "|s:tape", names, &agent) || !enter(self)) return NULL;
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

/* ---- Hints ---- */

/* What the agent would do here. Lets other Python threads run meanwhile. */
static bool ask(core_env *self, const char *agent, sb_action *action) {
    sb_error error;
    if (!self->env->family || self->env->status.done)
        return core_refuse(self->core, "FinishedError", "the episode is over or none has begun: call reset"), false;
    bool ok = true;
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS if (!self->is_asked || strcmp(self->player.own, agent) != 0) {
        snprintf(self->player.own, sizeof self->player.own, "%s", agent);
        ok = self->is_asked = sb_player_begin_as(&self->player, self->player.own, self->env, &error);
    }
    if (ok) *action = sb_player_act(&self->player, self->env);
    Py_END_ALLOW_THREADS self->busy = false;
    return ok || (core_raise(self->core, &error), false);
}

static bool read_agent(core_env *self, PyObject *positional, PyObject *keywords, const char *format,
                       sb_action *action) {
    static char *names[] = {"agent", NULL};
    const char *agent = "expert";
    return PyArg_ParseTupleAndKeywords(positional, keywords, format, names, &agent) && enter(self) &&
           ask(self, agent, action);
}

static PyObject *expert_action(PyObject *object, PyObject *positional, PyObject *keywords) {
    sb_action action;
    return read_agent((core_env *)object, positional, keywords, "|s:expert_action", &action) ? PyLong_FromLong(action)
                                                                                             : NULL;
}

static PyObject *hint(PyObject *object, PyObject *positional, PyObject *keywords) {
    core_env *self = (core_env *)object;
    sb_action action;
    char name[64];
    if (!read_agent(self, positional, keywords, "|s:hint", &action)) return NULL;
    const sb_intent *intent = &self->player.intent;
    sb_action_name(self->env, action, name, sizeof name);
    PyObject *at = intent->verb && intent->at.x >= 0 ? Py_BuildValue("(ii)", intent->at.x, intent->at.y)
                                                     : Py_NewRef(Py_None);
    return at ? Py_BuildValue("(isszzN)", action, name, self->player.own, intent->verb,
                              intent->verb ? intent->object : NULL, at)
              : NULL;
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

/* The running episode's; before the first one what resets will begin. */
static const sb_name *name_of(const core_env *self) {
    return self->env && self->env->family ? &self->env->name : &self->name;
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

static PyObject *get_key(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    uint64_t key[2];
    char digits[40];
    (void)closure;
    if (!enter(self)) return NULL;
    if (!self->env->family) Py_RETURN_NONE;
    sb_key(self->env, key);
    snprintf(digits, sizeof digits, "%016llx%016llx", (unsigned long long)key[1], (unsigned long long)key[0]);
    return PyLong_FromString(digits, NULL, 16);
}

/* For the glue: how observations are made, the chain, and what copies are made from. */
static PyObject *get_parts(PyObject *object, void *closure) {
    (void)closure;
    return core_look_describe(((core_env *)object)->look);
}

static PyObject *get_several(PyObject *object, void *closure) {
    (void)closure;
    return PyBool_FromLong(((core_env *)object)->look->several);
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

static PyObject *get_chain(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    if (!self->has_chain) Py_RETURN_NONE;
    return Py_BuildValue("(Ky#y#ii)", (unsigned long long)self->chain_seed, (const char *)&self->chain.state,
                         (Py_ssize_t)sizeof self->chain.state, (const char *)&self->chain.increment,
                         (Py_ssize_t)sizeof self->chain.increment, (int)self->chain.buffered, (int)self->chain.buffer);
}

static PyObject *get_generator(PyObject *object, void *closure) {
    (void)closure;
    PyObject *generator = ((core_env *)object)->generator;
    return Py_NewRef(generator ? generator : Py_None);
}

static int set_generator(PyObject *object, PyObject *value, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    PyObject *old = self->generator;
    self->generator = value && value != Py_None ? Py_NewRef(value) : NULL;
    Py_XDECREF(old);
    return 0;
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
    {"expert_action", KEYWORDS(expert_action),
     "expert_action($self, agent='expert')\n--\n\nWhat an oracle would do in this state."},
    {"_hint", KEYWORDS(hint), "_hint($self, agent='expert')\n--\n\nThe fields of a Hint."},
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
                                   {"_chain", get_chain, NULL, NULL, NULL},
                                   {"_generator", get_generator, set_generator, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, make},
                              {Py_tp_init, init},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_doc, "One environment: gymnasium.Env's methods in C, and more."},
                              {0, NULL}};

PyType_Spec core_env_spec = {.name = "seedbed._seedbed.EnvCore",
                             .basicsize = sizeof(core_env),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                             .slots = slots};
