/* NumPy's arrays: they are made by numpy.empty and filled through the buffer protocol, so that no version of NumPy's
 * own C interface is needed. */
#include "engine/environment.h"
#include "python/core/core.h"

const char *core_scalar_name(sb_scalar type) {
    static const char *const names[SB_N_SCALARS] = {
        [SB_BOOL] = "bool",   [SB_CHAR] = "uint8",    [SB_INT8] = "int8",
        [SB_UINT8] = "uint8", [SB_INT16] = "int16",   [SB_INT32] = "int32",
        [SB_INT64] = "int64", [SB_UINT64] = "uint64", [SB_DOUBLE] = "float64"};
    return names[type];
}

/* ---- What numpy.empty takes ---- */

PyObject *core_shape(const size_t *n, int rank, const int32_t *extent) {
    const size_t first = n != NULL;
    PyObject *shape = PyTuple_New((Py_ssize_t)first + rank);
    if (shape && n) core_set(&shape, 0, PyLong_FromSize_t(*n));
    for (size_t i = 0; shape && i < (size_t)rank; i++) core_set(&shape, first + i, PyLong_FromLong(extent[i]));
    return shape;
}

static PyObject *make_dtype(const char *name) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *made = numpy ? PyObject_CallMethod(numpy, "dtype", "s", name) : NULL;
    Py_XDECREF(numpy);
    return made;
}

/* A type of numbers as an object, since numpy.empty takes twice as long to read its name. */
static PyObject *dtype_of(core *c, const char *name) {
    static const char *const known[CORE_N_DTYPES] = {"bool",  "int8",   "uint8",   "int16",  "int32",
                                                     "int64", "uint64", "float32", "float64"};
    for (size_t i = 0; i < CORE_N_DTYPES; i++) {
        if (strcmp(known[i], name) != 0) continue;
        if (!c->dtypes[i]) c->dtypes[i] = make_dtype(name);
        return Py_XNewRef(c->dtypes[i]);
    }
    return make_dtype(name);
}

PyObject *core_array_arguments(core *c, PyObject *shape, const char *type) {
    PyObject *dtype = shape ? dtype_of(c, type) : NULL;
    PyObject *arguments = dtype ? PyTuple_Pack(2, shape, dtype) : NULL;
    Py_XDECREF(shape), Py_XDECREF(dtype);
    return arguments;
}

/* ---- Arrays ---- */

PyObject *core_empty(core *c, PyObject *arguments) {
    if (!c->empty) {
        PyObject *numpy = PyImport_ImportModule("numpy");
        c->empty = numpy ? PyObject_GetAttrString(numpy, "empty") : NULL;
        Py_XDECREF(numpy);
        if (!c->empty) return NULL;
    }
    return PyObject_CallObject(c->empty, arguments);
}

bool core_open(core *c, PyObject *array, size_t size, Py_buffer *view) {
    if (PyObject_GetBuffer(array, view, PyBUF_WRITABLE) < 0) return false;
    if ((size_t)view->len == size) return true;
    core_refuse(c, "InvalidError", "an array has %zd bytes where %zu are written", view->len, size);
    PyBuffer_Release(view);
    return false;
}

/* ---- Arrays that are made again and again ---- */

bool core_form_make(core_form *form, PyObject *shape, const char *type, size_t size) {
    form->shape = shape, form->type = type, form->size = size;
    return shape != NULL;
}

void core_form_free(core_form *form) {
    Py_CLEAR(form->shape);
    Py_CLEAR(form->arguments);
    Py_CLEAR(form->kept[0]);
    Py_CLEAR(form->kept[1]);
}

enum { VIEW = PyBUF_WRITABLE | PyBUF_ND };

/* Whether an array has the form's type, which is the object that numpy.empty was given. Asking for the buffer's format
 * instead takes twice as long. */
static bool has_type(core *c, const core_form *form, PyObject *array) {
    PyObject *name = core_text(c, "dtype", 5), *type = name ? PyObject_GetAttr(array, name) : NULL;
    const bool same = type == PyTuple_GetItem(form->arguments, 1);
    Py_XDECREF(type), Py_XDECREF(name);
    return same;
}

/* Whether an array is as it was made: who had it may have changed its shape, its type or whether it can be written. */
static bool open_kept(core *c, const core_form *form, PyObject *array, Py_buffer *view) {
    const size_t bytes = sizeof *form->extent * (size_t)form->rank;
    if (!has_type(c, form, array) || PyObject_GetBuffer(array, view, VIEW) < 0) return PyErr_Clear(), false;
    if ((size_t)view->len == form->size && view->ndim == form->rank &&
        (form->rank == 0 || memcmp(view->shape, form->extent, bytes) == 0))
        return true;
    PyBuffer_Release(view);
    return false;
}

static bool note(core *c, core_form *form, const Py_buffer *view) {
    if ((size_t)view->len != form->size || view->ndim > SB_ARRAY_RANK + 1)
        return core_refuse(c, "InvalidError", "numpy.empty made another array than it was asked for"), false;
    form->rank = view->ndim;
    for (int i = 0; i < view->ndim; i++) form->extent[i] = view->shape[i];
    return true;
}

static PyObject *open_new(core *c, core_form *form, PyObject **place, Py_buffer *view) {
    if (!form->arguments) form->arguments = core_array_arguments(c, Py_NewRef(form->shape), form->type);
    PyObject *array = form->arguments ? core_empty(c, form->arguments) : NULL;
    if (!array || PyObject_GetBuffer(array, view, VIEW) < 0) return Py_XDECREF(array), NULL;
    if (!note(c, form, view)) return PyBuffer_Release(view), Py_DECREF(array), NULL;
    PyObject *old = *place;
    *place = Py_NewRef(array);
    Py_XDECREF(old);
    return array;
}

static bool is_free(PyObject *array) { return array && Py_REFCNT(array) == 1; }

PyObject *core_form_open(core *c, core_form *form, int which, Py_buffer *view) {
    const bool any = which == CORE_ANY;
    if (any) which = form->kept[0] && !is_free(form->kept[0]);
    PyObject *array = form->kept[which];
    if (array && (!any || is_free(array)) && open_kept(c, form, array, view)) return Py_NewRef(array);
    return open_new(c, form, &form->kept[which], view);
}

PyObject *core_form_copy(core *c, core_form *form, const void *bytes) {
    Py_buffer view;
    PyObject *array = core_form_open(c, form, CORE_ANY, &view);
    if (!array) return NULL;
    memcpy(view.buf, bytes, form->size);
    PyBuffer_Release(&view);
    return array;
}

/* ---- Arrays that are made once ---- */

PyObject *core_array_of(core *c, PyObject *arguments, const void *bytes, size_t size) {
    Py_buffer view;
    PyObject *array = arguments ? core_empty(c, arguments) : NULL;
    Py_XDECREF(arguments);
    if (!array || !core_open(c, array, size, &view)) return Py_XDECREF(array), NULL;
    if (size) memcpy(view.buf, bytes, size);
    PyBuffer_Release(&view);
    return array;
}
