/* What VecCore tells beside observations, as Gymnasium's vectors do. */
#include "engine/environment.h"
#include "python/core/vector.h"

static PyObject *flags_of(core_vec *self, size_t form, const bool *flags) {
    return core_form_copy(self->core, &self->flag_forms[form], flags);
}

/* Puts {"success": ..., "_success": ...} of the environments that are marked; nothing if none is. */
static void put_success(core_vec *self, PyObject **dict, const bool *marked, size_t form) {
    bool *success = self->flags[1], any = false;
    for (size_t i = 0; i < self->n; i++) any |= marked[i], success[i] = marked[i] && self->results[i].success;
    (void)(any && core_put_text(self->core, dict, "success", flags_of(self, form, success)) &&
           core_put_text(self->core, dict, "_success", flags_of(self, form + 1, marked)));
}

/* The last observation of environment i, as a single environment gives it; with its info if `tells`. */
static PyObject *final_of(core_vec *self, size_t i, bool tells) {
    PyObject *observation = core_observe(self->look, self->finals[i]);
    if (!observation || !tells) return observation;
    PyObject *info = core_info_of(self->look, self->finals[i], self->info, self->dense, &self->results[i]);
    return info ? Py_BuildValue("(NN)", observation, info) : (Py_DECREF(observation), NULL);
}

/* An array of objects: the last observations, None where no episode ended. */
static PyObject *final_observations(core_vec *self) {
    PyObject *arguments = core_array_arguments(self->core, core_shape(&self->n, 0, NULL), "object");
    PyObject *all = arguments ? core_empty(self->core, arguments) : NULL;
    Py_XDECREF(arguments);
    for (size_t i = 0; all && i < self->n; i++) {
        if (!self->ended[i]) continue;
        PyObject *one = final_of(self, i, false);
        if (!one || PySequence_SetItem(all, (Py_ssize_t)i, one) < 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *final_infos(core_vec *self) {
    PyObject *info = PyDict_New();
    if (info && self->info != CORE_INFO_NONE) put_success(self, &info, self->ended, CORE_FINAL_SUCCESS);
    return info;
}

static void put_finals(core_vec *self, PyObject **infos) {
    (void)(core_put_text(self->core, infos, "final_obs", final_observations(self)) &&
           core_put_text(self->core, infos, "final_info", final_infos(self)) &&
           core_put_text(self->core, infos, "_final_obs", flags_of(self, CORE_HAS_FINAL, self->ended)) &&
           core_put_text(self->core, infos, "_final_info", flags_of(self, CORE_HAS_FINAL, self->ended)));
}

/* Whether environment i took an action in this step and no other episode followed. */
static bool took(const core_vec *self, size_t i) { return !self->begun[i] && !self->idle[i] && !self->ended[i]; }

static PyObject *lean_infos(core_vec *self, bool stepped) {
    PyObject *infos = PyDict_New();
    bool *taken = self->flags[0];
    if (!infos || !stepped) return infos;
    if (memchr(self->ended, true, self->n)) put_finals(self, &infos);
    if (!infos || self->info == CORE_INFO_NONE) return infos;
    for (size_t i = 0; i < self->n; i++) taken[i] = took(self, i);
    put_success(self, &infos, taken, CORE_SUCCESS);
    return infos;
}

/* What a single environment would tell, or None where nothing was done. */
static PyObject *full_info(core_vec *self, size_t i, bool stepped) {
    const sb_env *env = sb_batch_env(self->batch, i);
    if (self->idle[i] || !env->state) Py_RETURN_NONE;
    return core_info_of(self->look, env, self->info, self->dense, stepped && took(self, i) ? &self->results[i] : NULL);
}

/* The infos in Gymnasium's own way: each environment's info is added to those of all. */
static PyObject *full_infos(core_vec *self, const bool *which, bool stepped) {
    PyObject *now = PyList_New(0), *final = now ? PyList_New(0) : NULL;
    bool ok = final != NULL;
    for (size_t i = 0; ok && i < self->n; i++)
        ok = core_add(&now, which && !which[i] ? Py_NewRef(Py_None) : full_info(self, i, stepped)) &&
             core_add(&final, self->ended[i] ? final_of(self, i, true) : Py_NewRef(Py_None));
    PyObject *infos = ok ? PyObject_CallMethod((PyObject *)self, "_merge", "OO", now, final) : NULL;
    Py_XDECREF(now), Py_XDECREF(final);
    if (!infos || PyDict_Check(infos)) return infos;
    PyErr_SetString(PyExc_TypeError, "_merge returns a dict");
    return Py_DECREF(infos), NULL;
}

PyObject *core_vec_infos(core_vec *self, const bool *which, bool stepped) {
    PyObject *infos = self->info == CORE_INFO_FULL ? full_infos(self, which, stepped) : lean_infos(self, stepped);
    const bool may_idle = self->then == CORE_THEN_NEXT || self->then == CORE_THEN_STOP;
    if (infos && may_idle) core_put_text(self->core, &infos, "idle", flags_of(self, CORE_IDLE, self->idle));
    return infos;
}
