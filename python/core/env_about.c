/* What an environment tells of itself: its attributes. They change nothing, so that they can be read at any time. */
#include <stdio.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "python/core/env.h"

/* ---- Names and seeds ---- */

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

/* The name of the running episode; before the first one, of what resets will begin. */
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

/* How observations are made, as the glue in Python wants to know it. */
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

/* The number of actions that the task has, also before the first episode. */
static PyObject *get_n_actions(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    sb_shape shape;
    sb_error error;
    (void)closure;
    if (!sb_name_shape(self->core->catalogue, name_of(self), &shape, &error)) return core_raise(self->core, &error);
    return PyLong_FromLong(sb_n_actions(&shape));
}

bool core_env_name_actions(core_env *self, sb_env *plain) {
    sb_resolved of;
    sb_error error;
    if (!sb_resolve(self->core->catalogue, name_of(self), &of, &error)) return core_raise(self->core, &error), false;
    *plain = (sb_env){.name = *name_of(self),
                      .family = of.family,
                      .task = of.task,
                      .task_index = of.task_index,
                      .difficulty_index = of.difficulty};
    plain->family->shape(plain->task, plain->difficulty_index, &plain->shape);
    plain->n_actions = sb_n_actions(&plain->shape);
    return true;
}

static PyObject *name_actions(core_env *self) {
    sb_env plain;
    if (!core_env_name_actions(self, &plain)) return NULL;
    PyObject *names = PyTuple_New(plain.n_actions);
    for (sb_action i = 0; names && i < plain.n_actions; i++)
        core_set(&names, (size_t)i, core_action_name(self->core, &plain, i));
    return names;
}

static PyObject *get_action_names(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    if (!self->action_names) self->action_names = name_actions(self);
    return Py_XNewRef(self->action_names);
}

enum { SUMMARY, CATEGORY, RULES };

static PyObject *get_about(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    sb_resolved of;
    sb_error error;
    if (!sb_resolve(self->core->catalogue, name_of(self), &of, &error)) return core_raise(self->core, &error);
    switch ((int)(intptr_t)closure) {
    case SUMMARY: return PyUnicode_FromString(of.task->summary);
    case CATEGORY: return PyUnicode_FromString(of.task->category);
    default: return PyUnicode_FromString(of.task->rules ? of.task->rules : of.family->version);
    }
}

/* ---- The palette ---- */

/* The colours of pixels that are colour numbers, uint8 (n, 3); None where pixels are colours, or not shown. */
static PyObject *get_palette(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    size_t n = 0;
    (void)closure;
    const sb_brush *brush = self->look && core_has_pixels(self->look) ? core_brush_of(self->look->brush) : NULL;
    const sb_rgb *colours = brush ? sb_brush_palette(brush, &n) : NULL;
    if (!colours) Py_RETURN_NONE;
    PyObject *shape = core_shape(&n, 1, (int32_t[]){3});
    return core_array_of(self->core, core_array_arguments(self->core, shape, "uint8"), colours, n * sizeof *colours);
}

/* ---- The key ---- */

PyObject *core_env_key(core_env *self) {
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
    return core_env_enter(self) ? core_env_leave(self, core_env_key(self)) : NULL;
}

/* ---- All of them ---- */

#define STATUS(name, which)                                                                                            \
    { name, get_status, NULL, NULL, (void *)(intptr_t)(which) }

PyGetSetDef core_env_attributes[] = {
    {"name", get_name, NULL, "The running episode's name; None before the first.", NULL},
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
    {"palette", get_palette, NULL, "The colours of pixels that are colour numbers, uint8 (n, 3); else None.", NULL},
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
    {"_chain", core_env_get_chain, NULL, NULL, NULL},
    {"_np_random_seed", core_env_get_chain_seed, core_env_set_chain_seed, NULL, NULL},
    {"_generator", core_env_get_generator, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
