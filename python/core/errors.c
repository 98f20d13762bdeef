/* From errors of the library to exceptions. */
#include <stdarg.h>
#include <stdio.h>

#include "python/core/core.h"

static const char *exception_for(int code) {
    switch (code) {
    case SB_INVALID: return "InvalidError";
    case SB_UNKNOWN: return "UnknownError";
    case SB_MISMATCH: return "MismatchError";
    case SB_VERSION_OTHER: return "VersionError";
    case SB_FINISHED: return "FinishedError";
    default: return "Error";
    }
}

static PyObject *raise_named(core *c, const char *exception, const char *text) {
    PyObject *type = PyObject_GetAttrString(c->errors, exception);
    PyObject *line = type ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : NULL;
    if (line) PyErr_SetObject(type, line);
    Py_XDECREF(line);
    Py_XDECREF(type);
    return NULL;
}

PyObject *core_raise(core *c, const sb_error *error) {
    if (error->code == SB_MEMORY) return PyErr_NoMemory();
    if (error->code == SB_IO) return PyErr_Format(PyExc_OSError, "%s", error->text);
    return raise_named(c, exception_for(error->code), error->text);
}

PyObject *core_refuse(core *c, const char *exception, const char *format, ...) {
    char text[sizeof((sb_error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return raise_named(c, exception, text);
}
