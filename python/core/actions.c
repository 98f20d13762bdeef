#include "python/core/actions.h"

#include <string.h>

bool core_read_action(core *c, const sb_env *env, PyObject *value, sb_action *action) {
    sb_error error;
    if (PyUnicode_Check(value)) {
        const char *text = core_utf8(value);
        if (!text) return false;
        if (sb_action_parse(env, text, action, &error)) return true;
        if (error.code == SB_FINISHED) return core_raise(c, &error), false;
        return core_refuse(c, "ActionError", "%s", error.text), false;
    }
    PyObject *number = PyNumber_Index(value);
    int overflow = 0;
    const long index = number ? PyLong_AsLongAndOverflow(number, &overflow) : -1;
    Py_XDECREF(number);
    if (!number && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        return core_refuse(c, "ActionError", "an action is a whole number or a name"), false;
    }
    if (PyErr_Occurred()) return false;
    if (!overflow && index >= 0 && (index < env->n_actions || env->status.done))
        return *action = (sb_action)(index < INT32_MAX ? index : INT32_MAX), true;
    if (overflow)
        return core_refuse(c, "ActionError", "an action is in 0..%d, not beyond 64 bits", (int)env->n_actions - 1),
               false;
    return core_refuse(c, "ActionError", "action %ld is not in 0..%d", index, (int)env->n_actions - 1), false;
}

const char *const core_masks[] = {"sound", "published", NULL};

void core_action_mask(const sb_env *env, bool published, bool *mask) {
    bool entries[SB_MASK_MAX];
    const size_t n_buttons = (size_t)env->shape.n_buttons,
                 n = (published ? sb_valid_mask : sb_action_mask)(env, entries, SB_MASK_MAX);
    memset(mask, false, (size_t)env->n_actions);
    if (n == 0) return;
    memcpy(mask, entries, n_buttons * sizeof *mask);
    if (n > n_buttons) memset(mask + n_buttons, entries[n_buttons], (size_t)env->n_actions - n_buttons);
}

/* Lists what `item` makes of each action that the published list has. */
static PyObject *list_valid(core *c, const sb_env *env,
                            PyObject *(*item)(core *c, const sb_env *env, sb_action action)) {
    bool *mask = PyMem_Calloc((size_t)env->n_actions + 1, sizeof *mask);
    if (!mask) return PyErr_NoMemory();
    core_action_mask(env, true, mask);
    PyObject *list = PyList_New(0);
    for (sb_action i = 0; list && i < env->n_actions; i++)
        if (mask[i]) core_add(&list, item(c, env, i));
    PyMem_Free(mask);
    return list;
}

static PyObject *number_of(core *c, const sb_env *env, sb_action action) {
    (void)c, (void)env;
    return PyLong_FromLong(action);
}

PyObject *core_valid_actions(const sb_env *env) { return list_valid(NULL, env, number_of); }
PyObject *core_valid_names(core *c, const sb_env *env) { return list_valid(c, env, core_action_name); }

PyObject *core_valid_entries(const sb_env *env) {
    sb_action actions[SB_MASK_MAX];
    return core_actions(actions, sb_valid_actions(env, actions, SB_MASK_MAX));
}

static PyObject *name_of_entry(const sb_env *env, sb_action entry) {
    char name[64];
    sb_out out = sb_out_fixed(name, sizeof name);
    sb_put_entry(&out, env, entry);
    sb_out_finish(&out);
    return PyUnicode_FromString(name);
}

PyObject *core_valid_entry_names(const sb_env *env) {
    sb_action entries[SB_MASK_MAX];
    const size_t n = sb_valid_actions(env, entries, SB_MASK_MAX);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) core_add(&list, name_of_entry(env, entries[i]));
    return list;
}
