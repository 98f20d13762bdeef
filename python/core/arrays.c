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

/* A type as an object, since numpy.empty takes twice as long to read its name. */
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

PyObject *core_array_of(core *c, PyObject *arguments, const void *bytes, size_t size) {
    Py_buffer view;
    PyObject *array = arguments ? core_empty(c, arguments) : NULL;
    Py_XDECREF(arguments);
    if (!array || !core_open(c, array, size, &view)) return Py_XDECREF(array), NULL;
    if (size) memcpy(view.buf, bytes, size);
    PyBuffer_Release(&view);
    return array;
}
