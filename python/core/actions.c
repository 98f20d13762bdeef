#include "python/core/actions.h"

bool core_read_action(core *c, const sb_env *env, PyObject *value, sb_action *action) {
    sb_error error;
    if (PyUnicode_Check(value)) {
        const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
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
    return core_refuse(c, "ActionError", "action %s%ld is not in 0..%d", overflow ? "beyond " : "", index,
                       (int)env->n_actions - 1),
           false;
}

PyObject *core_valid_actions(const sb_env *env) {
    sb_action actions[SB_MASK_MAX];
    return core_actions(actions, sb_valid_actions(env, actions, SB_MASK_MAX));
}

PyObject *core_valid_names(core *c, const sb_env *env) {
    sb_action actions[SB_MASK_MAX];
    const size_t n = sb_valid_actions(env, actions, SB_MASK_MAX);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) core_add(&list, core_action_name(c, env, actions[i]));
    return list;
}
