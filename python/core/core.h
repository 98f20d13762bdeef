/* What the files of the extension module share. It is written against the limited API of CPython 3.11, so that one file
 * runs on every later version. Functions that return a PyObject * return a new reference, or NULL with an exception. */
#ifndef SB_PYTHON_CORE_H
#define SB_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "base/out.h"
#include "seedbed.h"

enum { CORE_TEXTS = 1024, CORE_TEXT_MAX = 24 };

/* Named tuples of seedbed.api. */
typedef enum core_named { CORE_HINT, CORE_ENTITY, CORE_THING, CORE_N_NAMED } core_named;

/* Types of the module. */
typedef enum core_type {
    CORE_TYPE_ENV,
    CORE_TYPE_VEC,
    CORE_TYPE_PLAYER,
    CORE_TYPE_API,
    CORE_TYPE_SELECTION,
    CORE_TYPE_PACK,
    CORE_TYPE_PLAN,
    CORE_TYPE_ROWS,
    CORE_TYPE_ROLLOUTS,
    CORE_TYPE_EVALUATION,
    CORE_N_TYPES
} core_type;

/* The state of the module. */
typedef struct core {
    PyObject *errors;              /* the module seedbed._errors, which defines the exceptions */
    PyObject *empty;               /* numpy.empty; NULL until an array is wanted */
    PyObject *names[CORE_TEXTS];   /* short texts that documents repeat, by hash; see core_text */
    PyObject *named[CORE_N_NAMED]; /* classes of named tuples of seedbed.api, once one is wanted */
    PyTypeObject *type[CORE_N_TYPES];
    uint64_t n_episodes; /* that were begun in environments, so that each has a number of its own */
} core;

/* Of a type that this module made, or of a subclass of one. NULL with an exception if there is none. */
core *core_of_type(PyTypeObject *type);

/* ---- Errors ---- */

/* Raises what the error says, as the exception for its code; always NULL. */
PyObject *core_raise(core *c, const sb_error *error);
/* Raises an exception of seedbed._errors with such a line; always NULL. */
PyObject *core_refuse(core *c, const char *exception, const char *format, ...);

/* ---- Values ---- */

/* A text that will be needed again, such as a key of a document: the same object if it is still known. */
PyObject *core_text(core *c, const char *text, size_t n);
/* A JSON document as dicts, lists, texts, numbers, booleans and None. */
PyObject *core_document(core *c, const char *text, size_t n);
/* Replaces, in place, each list of exactly two whole numbers by a tuple, but not at the paths that are listed for the
 * task (sb_info_source.lists). The value is a dict or a list. False with an exception. */
bool core_make_pairs(PyObject *value, const char *task, const char *const *lists);
/* Such a named tuple. Takes the tuple of its fields, which may be NULL after an exception. */
PyObject *core_named_tuple(core *c, core_named which, PyObject *fields);
PyObject *core_actions(const sb_action *actions, size_t n);
/* An integer in 0 .. 2^64 - 1. False with an InvalidError that begins with `what`. */
bool core_seed(core *c, PyObject *value, const char *what, uint64_t *seed);
/* A path (str, bytes or os.PathLike) as bytes, or NULL for None. False with an exception. */
bool core_read_path(PyObject *value, PyObject **bytes);
/* What such bytes hold; NULL for NULL. */
const char *core_bytes_text(PyObject *bytes);
/* numpy.empty(shape, type), for arrays that are filled in place. `arguments`: the tuple (shape, type). */
PyObject *core_empty(core *c, PyObject *arguments);
/* How NumPy calls a type of numbers: `int8`. */
const char *core_scalar_name(sb_scalar type);

#endif
