/* JSON documents as values of Python. */
#include <stdio.h>

#include "base/json_visit.h"
#include "python/core/core.h"

/* ---- Reading ---- */

enum { DEEPEST = 32 };

/* A document that is being read: the containers that are open, the outermost first; `made` is the document once its
 * first value is there. */
typedef struct building {
    core *core;
    PyObject *open[DEEPEST], *key[DEEPEST]; /* key: the key in each container that waits for its value, or NULL */
    int depth;
    PyObject *made;
} building;

static bool failed(sb_error *error) {
    error->code = SB_INVALID;
    error->text[0] = '\0'; /* the exception says what is wrong */
    return false;
}

/* Puts a value where it belongs, and takes its reference. */
static bool put(building *b, PyObject *value, sb_error *error) {
    if (!value) return failed(error);
    if (b->depth == 0) return b->made = value, true;
    const int at = b->depth - 1;
    const int code = b->key[at] ? PyDict_SetItem(b->open[at], b->key[at], value) : PyList_Append(b->open[at], value);
    Py_CLEAR(b->key[at]);
    Py_DECREF(value);
    return code == 0 || failed(error);
}

static bool begin(void *context, bool is_object, sb_error *error) {
    building *b = context;
    PyObject *container = is_object ? PyDict_New() : PyList_New(0);
    if (container && b->depth == DEEPEST) {
        Py_CLEAR(container);
        PyErr_SetString(PyExc_RecursionError, "a document is nested too deeply");
    }
    if (!container) return failed(error);
    b->open[b->depth] = container, b->key[b->depth++] = NULL;
    return true;
}

static bool end(void *context, bool is_object, sb_error *error) {
    building *b = context;
    (void)is_object;
    return put(b, b->open[--b->depth], error);
}

static bool put_key(void *context, const char *text, size_t n, sb_error *error) {
    building *b = context;
    b->key[b->depth - 1] = core_text(b->core, text, n);
    return b->key[b->depth - 1] || failed(error);
}

static bool put_string(void *context, const char *text, size_t n, sb_error *error) {
    building *b = context;
    return put(b, core_text(b->core, text, n), error);
}

static bool put_integer(void *context, int64_t value, sb_error *error) {
    return put(context, PyLong_FromLongLong(value), error);
}
static bool put_large(void *context, uint64_t value, sb_error *error) {
    return put(context, PyLong_FromUnsignedLongLong(value), error);
}
static bool put_real(void *context, double value, sb_error *error) {
    return put(context, PyFloat_FromDouble(value), error);
}
static bool put_boolean(void *context, bool value, sb_error *error) {
    return put(context, PyBool_FromLong(value), error);
}
static bool put_null(void *context, sb_error *error) { return put(context, Py_NewRef(Py_None), error); }

static const sb_json_events events = {.begin = begin,
                                      .end = end,
                                      .key = put_key,
                                      .string = put_string,
                                      .integer = put_integer,
                                      .large = put_large,
                                      .real = put_real,
                                      .boolean = put_boolean,
                                      .null = put_null};

PyObject *core_document(core *c, const char *text, size_t n) {
    enum { SHORT = 1024 };
    char some[SHORT], *scratch = n <= SHORT ? some : PyMem_Malloc(n); /* room for strings with escapes */
    building b = {.core = c};
    sb_error error;
    if (!scratch) return PyErr_NoMemory();
    const bool ok = sb_json_visit(text, n, &events, &b, scratch, n <= SHORT ? SHORT : n, &error);
    if (scratch != some) PyMem_Free(scratch);
    if (ok) return b.made;
    while (b.depth > 0) {
        b.depth--;
        Py_XDECREF(b.open[b.depth]);
        Py_XDECREF(b.key[b.depth]);
    }
    Py_XDECREF(b.made);
    return PyErr_Occurred() ? NULL : core_raise(c, &error);
}

/* ---- Pairs ---- */

enum { PATH_MAX_BYTES = 128 };

/* Whether a path of a document is one of the task's lists. */
static bool is_listed(const char *task, const char *path, const char *const *lists) {
    const size_t n = strlen(task);
    for (; lists && *lists; lists++)
        if (strncmp(*lists, task, n) == 0 && (*lists)[n] == ' ' && strcmp(*lists + n + 1, path) == 0) return true;
    return false;
}

static bool is_pair(PyObject *value) {
    if (!PyList_Check(value) || PyList_Size(value) != 2) return false;
    for (Py_ssize_t i = 0; i < 2; i++) {
        PyObject *item = PyList_GetItem(value, i);
        if (!PyLong_Check(item) || PyBool_Check(item)) return false;
    }
    return true;
}

/* A key as paths have it: keys that are numbers and cells (`3,4`) are `*`. */
static const char *key_in_path(PyObject *key) {
    const char *text = PyUnicode_AsUTF8AndSize(key, NULL);
    return text && (*text == '-' || (*text >= '0' && *text <= '9')) ? "*" : text;
}

static bool make_pairs_at(PyObject *value, const char *path, const char *task, const char *const *lists);

/* Returns what is to stand in place of a value of a document: a new reference. */
static PyObject *paired(PyObject *value, const char *path, const char *task, const char *const *lists) {
    if (is_pair(value) && !is_listed(task, path, lists)) return PyList_AsTuple(value);
    return make_pairs_at(value, path, task, lists) ? Py_NewRef(value) : NULL;
}

static bool make_pairs_at(PyObject *value, const char *path, const char *task, const char *const *lists) {
    char deeper[PATH_MAX_BYTES];
    PyObject *key, *item;
    Py_ssize_t at = 0;
    if (PyList_Check(value)) {
        snprintf(deeper, sizeof deeper, "%s[]", path);
        for (Py_ssize_t i = 0, n = PyList_Size(value); i < n; i++) {
            PyObject *changed = paired(PyList_GetItem(value, i), deeper, task, lists);
            if (!changed || PyList_SetItem(value, i, changed) < 0) return false;
        }
    }
    while (PyDict_Check(value) && PyDict_Next(value, &at, &key, &item)) {
        const char *word = key_in_path(key);
        snprintf(deeper, sizeof deeper, "%s%s%s", path, *path ? "." : "", word ? word : "");
        PyObject *changed = word ? paired(item, deeper, task, lists) : NULL;
        const int code = changed ? PyDict_SetItem(value, key, changed) : -1;
        Py_XDECREF(changed);
        if (code < 0) return false;
    }
    return true;
}

bool core_make_pairs(PyObject *value, const char *task, const char *const *lists) {
    return make_pairs_at(value, "", task, lists);
}
