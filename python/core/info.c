#include "python/core/info.h"
#include "python/core/actions.h"

#include "engine/environment.h"

/* Adds what the published environments of the family tell of their own. */
static void add_own_info(core_look *look, const sb_env *env, PyObject **info) {
    const sb_info_source *source = look->family->info;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!source || !*info) return;
    sb_out *text = &look->text;
    sb_out_clear(text);
    source->tell(env, text);
    PyObject *told = sb_out_ok(text) ? core_document(look->core, text->data, text->size) : PyErr_NoMemory();
    if (!told) Py_CLEAR(*info);
    while (*info && PyDict_Next(told, &at, &key, &value)) {
        const bool is_cell = PyList_Check(value); /* at the top of the document there are single cells only */
        if (is_cell)
            core_put(info, key, PyList_AsTuple(value));
        else
            core_put(info, key, core_make_pairs(value, env->task->name, source->lists) ? Py_NewRef(value) : NULL);
    }
    Py_XDECREF(told);
}

static void add_state(core_look *look, const sb_env *env, bool dense, PyObject **info) {
    const sb_status *status = &env->status;
    (void)(core_put_text(look->core, info, "step_count", PyLong_FromLong(status->steps)) &&
           core_put_text(look->core, info, "step", PyLong_FromLong(status->steps)) &&
           core_put_text(look->core, info, "max_steps", PyLong_FromLong(status->max_steps)) &&
           core_put_text(look->core, info, "episode_reward",
                         PyFloat_FromDouble(dense ? status->dense_total : status->total)) &&
           core_put_text(look->core, info, "valid_actions", core_valid_entry_names(env)));
}

PyObject *core_info_of(core_look *look, const sb_env *env, core_info which, bool dense, const sb_result *result) {
    PyObject *info = PyDict_New();
    if (!info || which == CORE_INFO_NONE) return info;
    if (which == CORE_INFO_FULL) add_state(look, env, dense, &info), add_own_info(look, env, &info);
    if (info && result) core_put_text(look->core, &info, "success", PyBool_FromLong(env->status.success));
    if (info && result && result->truncated && which == CORE_INFO_FULL)
        core_put_text(look->core, &info, "truncated_reason", PyUnicode_FromString("max_steps_reached"));
    return info;
}
