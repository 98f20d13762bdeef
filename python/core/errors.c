/* From errors of the library to exceptions. */
#include <stdarg.h>
#include <stdio.h>

#include "base/numerals.h"
#include "python/core/core.h"

static const struct {
    const char *exception;
    int code;
} codes[] = {{"InvalidError", SB_INVALID},
             {"UnknownError", SB_UNKNOWN},
             {"MismatchError", SB_MISMATCH},
             {"FinishedError", SB_FINISHED},
             {"VersionError", SB_VERSION_OTHER}};
enum { N_CODES = sizeof codes / sizeof *codes };

static const char *exception_for(int code) {
    for (size_t i = 0; i < N_CODES; i++)
        if (codes[i].code == code) return codes[i].exception;
    return "Error";
}

bool core_number_errors(core *c) {
    bool ok = true;
    for (size_t i = 0; ok && i < N_CODES; i++) {
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

/* Raises an OSError. With a number it is an exception such as FileNotFoundError. */
static PyObject *raise_os_error(const sb_error *error) {
    PyObject *line = PyUnicode_DecodeUTF8(error->text, (Py_ssize_t)strlen(error->text), "replace");
    PyObject *value = line && error->number ? Py_BuildValue("(iO)", error->number, line) : Py_XNewRef(line);
    if (value) PyErr_SetObject(PyExc_OSError, value);
    Py_XDECREF(value), Py_XDECREF(line);
    return NULL;
}

/* An option that begins like a longer one stands behind it. Keys of a recipe are in quotes. */
static const struct {
    const char *option, *argument;
} names[] = {{"--program", "programs="},
             {"--challenges", "load_challenges"},
             {"`--evaluation keep`", "evaluation=\"keep\""},
             {"--failures keep", "\"failures\": \"keep\""},
             {"--unreadable keep", "\"unreadable\": \"keep\""},
             {"--shard", "shard"},
             {"--resume", "resume=True"},
             {"--force", "force=True"},
             {"--family ", "family="},
             {"--tokenizer FILE", "tokenizer="},
             {"--baseline", "baseline="},
             {"--until", "until="},
             {"--budget-for", "budget_for="},
             {"--budget-seed", "budget_seed="},
             {"--budget", "budget="},
             {"--split my-study --count 100", "base=\"my-study\", count=100"},
             {"`seedbed tasks`", "`seedbed.tasks()`"}};
enum { N_NAMES = sizeof names / sizeof *names };

void core_name_arguments(const char *text, sb_out *out) {
    while (*text) {
        const char *end = *text == '`' ? strchr(text + 1, '`') : NULL;
        size_t i = 0;
        while (i < N_NAMES && strncmp(text, names[i].option, strlen(names[i].option)) != 0) i++;
        if (i < N_NAMES) {
            sb_puts(out, names[i].argument), text += strlen(names[i].option);
        } else if (end) { /* a command line stays one */
            sb_put(out, text, (size_t)(end + 1 - text)), text = end + 1;
        } else {
            sb_putc(out, *text++);
        }
    }
}

PyObject *core_raise(core *c, const sb_error *error) {
    char said[sizeof error->text];
    sb_out out = sb_out_fixed(said, sizeof said);
    if (error->code == SB_MEMORY) return PyErr_SetString(PyExc_MemoryError, error->text), NULL;
    if (error->code == SB_IO) return raise_os_error(error);
    core_name_arguments(error->text, &out);
    sb_out_finish(&out);
    return raise_named(c, exception_for(error->code), said);
}

PyObject *core_refuse(core *c, const char *exception, const char *format, ...) {
    char text[sizeof((sb_error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    sb_format(text, sizeof text, format, arguments);
    va_end(arguments);
    return raise_named(c, exception, text);
}

/* ---- Arguments ---- */

static bool begins_with(PyObject *text, const char *words) {
    Py_ssize_t n;
    const char *said = PyUnicode_AsUTF8AndSize(text, &n);
    return said && strncmp(said, words, strlen(words)) == 0;
}

/* What is wrong with an argument, as far as CPython does not say it in the words of a person; NULL: it does. */
static const char *reason_of(PyObject *type, PyObject *value) {
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const bool is_nul = text && PyErr_GivenExceptionMatches(type, PyExc_ValueError) &&
                        begins_with(text, "embedded null");
    Py_XDECREF(text);
    PyErr_Clear();
    if (PyErr_GivenExceptionMatches(type, PyExc_UnicodeEncodeError)) return "half a surrogate pair is no character";
    if (PyErr_GivenExceptionMatches(type, PyExc_OverflowError)) return "the number is too large, or too small";
    return is_nul ? "a text cannot hold a NUL" : NULL;
}

void core_reword(const char *what) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    const char *reason = reason_of(type, value);
    PyObject *errors = reason ? PyImport_ImportModule("seedbed._errors") : NULL;
    PyObject *invalid = errors ? PyObject_GetAttrString(errors, "InvalidError") : NULL;
    Py_XDECREF(errors);
    if (!invalid) {
        PyErr_Clear();
        PyErr_Restore(type, value, trace);
        return;
    }
    PyErr_Format(invalid, *what ? "%s: %s" : "%s%s", what, reason);
    Py_DECREF(invalid), Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
}

/* Whether CPython would refuse a value as a text or as a number of C's. */
static bool is_odd(PyObject *value) {
    int overflow = 0;
    if (PyLong_Check(value)) return PyLong_AsLongAndOverflow(value, &overflow), PyErr_Clear(), overflow != 0;
    if (!PyUnicode_Check(value)) return false;
    Py_ssize_t n;
    const char *text = PyUnicode_AsUTF8AndSize(value, &n);
    PyErr_Clear();
    return !text || strlen(text) != (size_t)n;
}

/* The name of the first argument that CPython would refuse; "": none of them has a name. */
static const char *odd_name(PyObject *positional, PyObject *keywords, char **names) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(positional) && names[i]; i++)
        if (*names[i] && is_odd(PyTuple_GetItem(positional, i))) return names[i];
    for (size_t i = 0; keywords && names[i]; i++) {
        PyObject *value = PyDict_GetItemString(keywords, names[i]);
        if (value && is_odd(value)) return names[i];
    }
    return "";
}

int core_parse_keywords(PyObject *positional, PyObject *keywords, const char *format, char **names, ...) {
    va_list targets;
    va_start(targets, names);
    const int ok = PyArg_VaParseTupleAndKeywords(positional, keywords, format, names, targets);
    va_end(targets);
    if (!ok) {
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        const char *name = odd_name(positional, keywords, names);
        PyErr_Restore(type, value, trace);
        core_reword(name);
    }
    return ok;
}

int core_parse(PyObject *arguments, const char *format, ...) {
    va_list targets;
    va_start(targets, format);
    const int ok = PyArg_VaParse(arguments, format, targets);
    va_end(targets);
    if (!ok) core_reword("");
    return ok;
}
