/* What all types of the module have in common. */
#include "python/core/core.h"

core *core_of_type(PyTypeObject *type) {
    for (; type; type = (PyTypeObject *)PyType_GetSlot(type, Py_tp_base)) {
        core *c = PyType_GetModuleState(type);
        if (c) return c;
        PyErr_Clear(); /* a class of Python's: its base may be ours */
    }
    PyErr_SetString(PyExc_SystemError, "a type of seedbed without its module");
    return NULL;
}

typedef struct any_object {
    PyObject_HEAD core *core;
} any_object;

void *core_new(PyTypeObject *type) {
    core *c = core_of_type(type);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    any_object *object = c ? (any_object *)allocate(type, 0) : NULL;
    if (object) object->core = c;
    return object;
}

void core_delete(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    freefunc drop = (freefunc)PyType_GetSlot(type, Py_tp_free);
    drop(object);
    Py_DECREF(type);
}

bool core_is(core *c, core_type type, PyObject *object) { return PyObject_TypeCheck(object, c->type[type]); }

bool core_take(atomic_bool *in_use, const char *what) {
    if (!atomic_exchange(in_use, true)) return true;
    PyErr_Format(PyExc_RuntimeError, "%s in use by another thread", what);
    return false;
}

void core_give_back(atomic_bool *in_use) { atomic_store(in_use, false); }
