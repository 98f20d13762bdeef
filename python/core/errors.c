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

bool core_number_errors(core *c) {
    static const struct {
        const char *exception;
        int code;
    } codes[] = {{"InvalidError", SB_INVALID},
                 {"UnknownError", SB_UNKNOWN},
                 {"MismatchError", SB_MISMATCH},
                 {"FinishedError", SB_FINISHED},
                 {"VersionError", SB_VERSION_OTHER}};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof codes / sizeof *codes; i++) {
        PyObject *type = PyObject_GetAttrString(c->errors, codes[i].exception);
        PyObject *code = type ? PyLong_FromLong(codes[i].code) : NULL;
        ok = code && PyObject_SetAttrString(type, "code", code) == 0;
        Py_XDECREF(type), Py_XDECREF(code);
    }
    return ok;
}

static PyObject *raise_named(core *c, const char *exception, const char *text) {
    PyObject *type = PyObject_GetAttrString(c->errors, exception);
    PyObject *line = type ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : NULL;
    if (line) PyErr_SetObject(type, line);
    Py_XDECREF(line);
    Py_XDECREF(type);
    return NULL;
}

/* The number of the system's error whose text the line ends with; 0 if there is none. */
static int errno_of(const char *line) {
    enum { LARGEST = 133 };
    const size_t n = strlen(line);
    for (int number = 1; number <= LARGEST; number++) {
        char reason[128];
        if (strerror_r(number, reason, sizeof reason) != 0) continue;
        const size_t length = strlen(reason);
        if (length + 2 < n && strcmp(line + n - length, reason) == 0 && memcmp(line + n - length - 2, ": ", 2) == 0)
            return number;
    }
    return 0;
}

/* With a number it is an exception such as FileNotFoundError. */
static PyObject *raise_os_error(const char *text) {
    const int number = errno_of(text);
    PyObject *line = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    PyObject *value = line && number ? Py_BuildValue("(iO)", number, line) : Py_XNewRef(line);
    if (value) PyErr_SetObject(PyExc_OSError, value);
    Py_XDECREF(value), Py_XDECREF(line);
    return NULL;
}

PyObject *core_raise(core *c, const sb_error *error) {
    if (error->code == SB_MEMORY) return PyErr_NoMemory();
    if (error->code == SB_IO) return raise_os_error(error->text);
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
