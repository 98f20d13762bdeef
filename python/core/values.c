/* From the library's values to Python's, and back. */
#include "engine/environment.h"
#include "python/core/core.h"

/* ---- Containers that are being made ---- */

bool core_add(PyObject **list, PyObject *value) {
    if (*list && (!value || PyList_Append(*list, value) < 0)) Py_CLEAR(*list);
    Py_XDECREF(value);
    return *list != NULL;
}

bool core_set(PyObject **tuple, size_t at, PyObject *value) {
    if (!*tuple)
        Py_XDECREF(value);
    else if (!value || PyTuple_SetItem(*tuple, (Py_ssize_t)at, value) < 0)
        Py_CLEAR(*tuple);
    return *tuple != NULL;
}

bool core_put(PyObject **dict, PyObject *key, PyObject *value) {
    if (*dict && (!value || PyDict_SetItem(*dict, key, value) < 0)) Py_CLEAR(*dict);
    Py_XDECREF(value);
    return *dict != NULL;
}

bool core_put_text(core *c, PyObject **dict, const char *key, PyObject *value) {
    PyObject *name = *dict && value ? core_text(c, key, strlen(key)) : NULL;
    if (*dict && (!name || PyDict_SetItem(*dict, name, value) < 0)) Py_CLEAR(*dict);
    Py_XDECREF(name), Py_XDECREF(value);
    return *dict != NULL;
}

/* ---- Arguments ---- */

const char *core_utf8(PyObject *text) {
    Py_ssize_t n;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &n);
    if (bytes && strlen(bytes) == (size_t)n) return bytes;
    if (bytes) PyErr_SetString(PyExc_ValueError, "embedded null character");
    core_reword("");
    return NULL;
}

static bool is_numpy_bool(PyObject *value) {
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__name__");
    const bool is = name && PyUnicode_Check(name) &&
                    (PyUnicode_CompareWithASCIIString(name, "bool") == 0 ||
                     PyUnicode_CompareWithASCIIString(name, "bool_") == 0);
    Py_XDECREF(name);
    if (!name) PyErr_Clear();
    return is;
}

int core_flag(PyObject *value, void *to) {
    const long number = PyLong_Check(value) ? PyLong_AsLong(value) : is_numpy_bool(value) ? PyObject_IsTrue(value) : -1;
    if (number == 0 || number == 1) return *(int *)to = (int)number, 1;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "a flag is True or False, not %R", value);
    return 0;
}

/* ---- Texts ---- */

static size_t slot_of(const char *text, size_t n) {
    uint32_t hash = 2166136261u; /* FNV-1a over the text */
    for (size_t i = 0; i < n; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash % CORE_TEXTS;
}

static bool is_text(PyObject *known, const char *text, size_t n) {
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(known, &length);
    if (!bytes) PyErr_Clear();
    return bytes && (size_t)length == n && memcmp(bytes, text, n) == 0;
}

PyObject *core_text(core *c, const char *text, size_t n) {
    if (n > CORE_TEXT_MAX) return PyUnicode_DecodeUTF8(text, (Py_ssize_t)n, NULL);
    PyObject **slot = &c->texts[slot_of(text, n)];
    if (*slot && is_text(*slot, text, n)) return Py_NewRef(*slot);
    PyObject *made = PyUnicode_DecodeUTF8(text, (Py_ssize_t)n, NULL);
    if (!made) return NULL;
    PyObject *old = *slot;
    *slot = Py_NewRef(made);
    Py_XDECREF(old);
    return made;
}

PyObject *core_action_name(core *c, const sb_env *env, sb_action action) {
    char text[64];
    const size_t n = sb_action_name(env, action, text, sizeof text);
    return core_text(c, text, n < sizeof text ? n : sizeof text - 1);
}

PyObject *core_written(sb_out *out) {
    PyObject *text = sb_out_ok(out) ? PyUnicode_DecodeUTF8(out->size ? out->data : "", (Py_ssize_t)out->size, NULL)
                                    : PyErr_NoMemory();
    sb_out_free(out);
    return text;
}

PyObject *core_written_bytes(sb_out *out) {
    PyObject *bytes = sb_out_ok(out) ? PyBytes_FromStringAndSize(out->size ? out->data : "", (Py_ssize_t)out->size)
                                     : PyErr_NoMemory();
    sb_out_free(out);
    return bytes;
}

/* ---- Tuples and lists ---- */

PyObject *core_named_tuple(core *c, core_named which, PyObject *fields) {
    static const char *const names[CORE_N_NAMED] = {"Hint", "Cost", "Entity", "Thing"};
    if (fields && !c->named[which]) {
        PyObject *module = PyImport_ImportModule("seedbed.api");
        c->named[which] = module ? PyObject_GetAttrString(module, names[which]) : NULL;
        Py_XDECREF(module);
    }
    PyObject *made = fields && c->named[which] ? PyObject_CallObject(c->named[which], fields) : NULL;
    Py_XDECREF(fields);
    return made;
}

PyObject *core_actions(const sb_action *actions, size_t n) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) core_add(&list, PyLong_FromLong(actions[i]));
    return list;
}

PyObject *core_cell(sb_xy at) { return Py_BuildValue("(ii)", at.x, at.y); }

/* ---- Arguments ---- */

bool core_seed(core *c, PyObject *value, const char *what, uint64_t *seed) {
    const bool is_flag = PyBool_Check(value);
    PyObject *number = is_flag ? NULL : PyNumber_Index(value);
    if (number) {
        *seed = PyLong_AsUnsignedLongLong(number);
        Py_DECREF(number);
        if (!PyErr_Occurred()) return true;
    }
    if (!is_flag && !PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_OverflowError))
        return false;
    PyErr_Clear();
    core_refuse(c, "InvalidError", "%s is a whole number from 0 to 2**64 - 1", what);
    return false;
}

/* Raises an InvalidError in place of a TypeError; what else Python code has raised stays. */
static bool refuse(core *c, const char *wanted) {
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
        PyErr_Clear();
    }
    return core_refuse(c, "InvalidError", "%s", wanted), false;
}

bool core_read_number(core *c, PyObject *value, long least, long most, const char *wanted, long *number) {
    int overflow = 0;
    PyObject *index = PyNumber_Index(value);
    *number = index ? PyLong_AsLongAndOverflow(index, &overflow) : 0;
    Py_XDECREF(index);
    return (index && !overflow && *number >= least && *number <= most) || refuse(c, wanted);
}

bool core_read_pair(core *c, PyObject *value, long least, long most, const char *wanted, long pair[2]) {
    PyObject *tuple = PyUnicode_Check(value) ? NULL : PySequence_Tuple(value);
    bool ok = tuple && PyTuple_Size(tuple) == 2;
    if (!ok) refuse(c, wanted);
    for (Py_ssize_t i = 0; ok && i < 2; i++)
        ok = core_read_number(c, PyTuple_GetItem(tuple, i), least, most, wanted, &pair[i]);
    Py_XDECREF(tuple);
    return ok;
}

int core_path(PyObject *value, void *bytes) {
    const int ok = PyUnicode_FSConverter(value, bytes);
    if (!ok) core_reword("");
    return ok;
}

bool core_read_path(PyObject *value, PyObject **bytes) {
    *bytes = NULL;
    return value == Py_None || core_path(value, bytes);
}

const char *core_bytes_text(PyObject *bytes) { return bytes ? PyBytes_AsString(bytes) : NULL; }
