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

/* With a number it is an exception such as FileNotFoundError. */
static PyObject *raise_os_error(const sb_error *error) {
    PyObject *line = PyUnicode_DecodeUTF8(error->text, (Py_ssize_t)strlen(error->text), "replace");
    PyObject *value = line && error->number ? Py_BuildValue("(iO)", error->number, line) : Py_XNewRef(line);
    if (value) PyErr_SetObject(PyExc_OSError, value);
    Py_XDECREF(value), Py_XDECREF(line);
    return NULL;
}

/* Errors of the library name the command's options; here arguments have the same meaning. */
static void name_arguments(const char *text, char said[sizeof((sb_error *)0)->text]) {
    static const struct {
        const char *option, *argument;
    } names[] = {{"--program", "programs="}, {"--challenges", "load_challenges"}};
    sb_out out = sb_out_fixed(said, sizeof((sb_error *)0)->text);
    while (*text) {
        size_t i = 0;
        while (i < 2 && strncmp(text, names[i].option, strlen(names[i].option)) != 0) i++;
        if (i < 2)
            sb_puts(&out, names[i].argument), text += strlen(names[i].option);
        else
            sb_putc(&out, *text++);
    }
    sb_out_finish(&out);
}

PyObject *core_raise(core *c, const sb_error *error) {
    char said[sizeof error->text];
    if (error->code == SB_MEMORY) return PyErr_NoMemory();
    if (error->code == SB_IO) return raise_os_error(error);
    name_arguments(error->text, said);
    return raise_named(c, exception_for(error->code), said);
}

PyObject *core_refuse(core *c, const char *exception, const char *format, ...) {
    char text[sizeof((sb_error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return raise_named(c, exception, text);
}
