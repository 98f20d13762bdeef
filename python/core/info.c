#include "python/core/info.h"
#include "python/core/actions.h"

#include "engine/environment.h"

static bool set_item(PyObject *dict, const char *key, PyObject *value) {
    const int code = value ? PyDict_SetItemString(dict, key, value) : -1;
    Py_XDECREF(value);
    return code == 0;
}

/* Adds what the family's published environments tell of their own. */
static bool add_own_info(core_look *look, const sb_env *env, PyObject *info) {
    const sb_info_source *source = look->family->info;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!source) return true;
    sb_out *text = &look->text;
    sb_out_clear(text);
    source->tell(env, text);
    PyObject *told = sb_out_ok(text) ? core_document(look->core, text->data, text->size) : PyErr_NoMemory();
    bool ok = told != NULL;
    while (ok && PyDict_Next(told, &at, &key, &value)) {
        const bool is_cell = PyList_Check(value); /* at the top there are single cells only */
        PyObject *item = is_cell ? PyList_AsTuple(value) : Py_NewRef(value);
        ok = item && (is_cell || core_make_pairs(item, env->task->name, source->lists)) &&
             PyDict_SetItem(info, key, item) == 0;
        Py_XDECREF(item);
    }
    Py_XDECREF(told);
    return ok;
}

PyObject *core_info_of(core_look *look, const sb_env *env, core_info which, bool dense, const sb_result *result) {
    PyObject *info = PyDict_New();
    const sb_status *status = &env->status;
    if (!info || which == CORE_INFO_NONE) return info;
    bool ok = true;
    if (which == CORE_INFO_FULL)
        ok = set_item(info, "step_count", PyLong_FromLong(status->steps)) &&
             set_item(info, "step", PyLong_FromLong(status->steps)) &&
             set_item(info, "max_steps", PyLong_FromLong(status->max_steps)) &&
             set_item(info, "episode_reward", PyFloat_FromDouble(dense ? status->dense_total : status->total)) &&
             set_item(info, "valid_actions", core_valid_names(look->core, env)) && add_own_info(look, env, info);
    if (ok && result) ok = set_item(info, "success", PyBool_FromLong(status->success));
    if (ok && result && result->truncated && which == CORE_INFO_FULL)
        ok = set_item(info, "truncated_reason", PyUnicode_FromString("max_steps_reached"));
    if (!ok) Py_CLEAR(info);
    return info;
}
