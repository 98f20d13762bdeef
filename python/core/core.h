/* What the files of the extension module share. It is written against the limited API of CPython 3.11, so that one file
 * runs on every later version. Functions that return a PyObject * return a new reference, or NULL with an exception. */
#ifndef SB_PYTHON_CORE_H
#define SB_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>

#include "base/out.h"
#include "base/stop.h"
#include "seedbed.h"

enum { CORE_TEXTS = 1024, CORE_TEXT_MAX = 24, CORE_N_DTYPES = 9 };

/* Named tuples of seedbed.api. */
typedef enum core_named { CORE_HINT, CORE_COST, CORE_ENTITY, CORE_THING, CORE_N_NAMED } core_named;

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
    PyObject *errors;                /* the module seedbed._errors, which defines the exceptions */
    PyObject *empty;                 /* numpy.empty; NULL until an array is wanted */
    PyObject *dtypes[CORE_N_DTYPES]; /* numpy.dtype of each type of numbers, once an array of it was wanted */
    PyObject *texts[CORE_TEXTS];     /* short texts that documents repeat, by hash; see core_text */
    PyObject *named[CORE_N_NAMED];   /* classes of named tuples of seedbed.api, once one is wanted */
    PyObject *brushes;               /* dict of brushes that were made; see core_brush_make */
    PyTypeObject *type[CORE_N_TYPES];
    const sb_catalogue *catalogue; /* the catalogue of programs that were loaded: the last of `catalogues` */
    sb_catalogue **catalogues;
    size_t n_catalogues, catalogues_capacity;
    struct sb_atlas_chooser *chooser; /* chooses episodes of all catalogues by what they demand */
    uint64_t n_episodes; /* how many episodes were begun in environments, so that each has a number of its own */
} core;

/* Two columns of a row in a table of methods, for a function with keywords. */
#define CORE_KEYWORDS(function) ((PyCFunction)(void (*)(void))(function)), METH_VARARGS | METH_KEYWORDS

/* ---- Objects ---- */

/* The module's state, of a type that this module made or of a subclass of one. NULL with an exception if there is none.
 */
core *core_of_type(PyTypeObject *type);
/* A new object, all zeros but for its module: each struct begins with `PyObject_HEAD core *core`. */
void *core_new(PyTypeObject *type);
/* The end of tp_dealloc: gives back the memory, and the reference to the type. */
void core_delete(PyObject *object);
/* Whether the object is of that type of the module. False without an exception if it is of another one. */
bool core_is(core *c, core_type type, PyObject *object);

/* An object is used by one call at a time. `take` is false with a RuntimeError if another call has it, be it in another
 * thread or in the middle of this one (an `__index__` of Python's may do anything); `what` is in use then. */
bool core_take(atomic_bool *in_use, const char *what);
void core_give_back(atomic_bool *in_use);

/* ---- Long work ---- */

/* Lets other Python threads run, and looks for signals. False with an exception. For loops that make Python's objects.
 */
bool core_breathe(void);

/* Work that uses nothing of Python's, and fails soon after `stop` says so. */
typedef bool core_job(void *context, const sb_stop *stop, sb_error *error);
/* Has a job done in a thread of its own, while other Python threads run and this one looks for signals. False with an
 * exception: the job's error, or KeyboardInterrupt. */
bool core_run(core *c, core_job *job, void *context);

/* ---- Programs ---- */

/* Makes a catalogue without programs, from which episodes may be chosen by what they demand. */
sb_catalogue *core_new_catalogue(core *c, sb_error *error);
/* Makes the first catalogue of the module; frees all of them. */
bool core_begin_programs(core *c);
void core_free_programs(core *c);
/* Adds the programs of a catalogue, which may be NULL, to another one. */
bool core_bring_programs(const sb_catalogue *from, sb_catalogue *to, sb_error *error);

/* ---- Errors ---- */

/* Gives the exceptions of seedbed._errors their attribute `code`. False with an exception. */
bool core_number_errors(core *c);
/* Raises what the error says, as the exception for its code; always NULL. */
PyObject *core_raise(core *c, const sb_error *error);
/* Writes what the library says with the arguments that mean here what the command's options do. */
void core_name_arguments(const char *text, sb_out *out);
/* Raises an exception of seedbed._errors by its name, with a formatted line; always NULL. */
PyObject *core_refuse(core *c, const char *exception, const char *format, ...);

/* ---- Containers that are being made ---- */

/* Each of these adds a value, whose reference it takes, to a container that nobody else has seen. If the value is NULL
 * or there is no memory, the container becomes NULL; a container that is NULL already stays so. False with an
 * exception. The key of core_put_text is kept by the module. */
bool core_add(PyObject **list, PyObject *value);
bool core_set(PyObject **tuple, size_t at, PyObject *value);
bool core_put(PyObject **dict, PyObject *key, PyObject *value);
bool core_put_text(core *c, PyObject **dict, const char *key, PyObject *value);

/* ---- Values ---- */

/* Read arguments like PyArg_ParseTuple and PyArg_ParseTupleAndKeywords. What these only say in the words of CPython (a
 * NUL, half a surrogate pair, a number beyond C's) is an InvalidError that names the argument, if it has a name. */
int core_parse(PyObject *arguments, const char *format, ...);
int core_parse_keywords(PyObject *positional, PyObject *keywords, const char *format, char **names, ...);
/* Makes an InvalidError of the exception that is set, if that says in the words of CPython what is wrong with the
 * argument `what`, which may be "". */
void core_reword(const char *what);
/* The bytes of a str, which belong to it; NULL with an exception, also if it holds a NUL, where C's texts end. */
const char *core_utf8(PyObject *text);
/* For PyArg_Parse's `O&`: takes True or False (NumPy's, too, and 1 or 0) into an int, and nothing else that has a
 * truth. */
int core_flag(PyObject *value, void *to);

/* A text that will be needed again, such as a key of a document: the same object if it is still known. */
PyObject *core_text(core *c, const char *text, size_t n);
/* The name of an action. */
PyObject *core_action_name(core *c, const sb_env *env, sb_action action);
/* What was written to `out`, as str or bytes; frees it. */
PyObject *core_written(sb_out *out);
PyObject *core_written_bytes(sb_out *out);
/* A JSON document as dicts, lists, texts, numbers, booleans and None. */
PyObject *core_document(core *c, const char *text, size_t n);
/* Replaces, in place, each list of exactly two whole numbers by a tuple, but not at the paths that are listed for the
 * task (sb_info_source.lists). The value is a dict or a list that nobody else has seen. False with an exception. */
bool core_make_pairs(PyObject *value, const char *task, const char *const *lists);
/* A named tuple of seedbed.api. Takes the tuple of its fields, which may be NULL after an exception. */
PyObject *core_named_tuple(core *c, core_named which, PyObject *fields);
PyObject *core_actions(const sb_action *actions, size_t n);
PyObject *core_cell(sb_xy at);
/* A number in 0 .. 2^64 - 1, from anything with __index__. False with an InvalidError that begins with `what`. */
bool core_seed(core *c, PyObject *value, const char *what, uint64_t *seed);
/* A number in least .. most, from anything with __index__, and two of them in a sequence. False with an InvalidError
 * that says what is wanted. */
bool core_read_number(core *c, PyObject *value, long least, long most, const char *wanted, long *number);
bool core_read_pair(core *c, PyObject *value, long least, long most, const char *wanted, long pair[2]);
/* Reads a path (str, bytes or os.PathLike) as bytes, for PyArg_Parse's `O&`. */
int core_path(PyObject *value, void *bytes);
/* A path as bytes, or NULL for None. False with an exception. */
bool core_read_path(PyObject *value, PyObject **bytes);
/* The text that bytes of a path hold; NULL for NULL. */
const char *core_bytes_text(PyObject *bytes);

/* ---- Arrays ---- */

/* How NumPy calls a type of numbers: `int8`. */
const char *core_scalar_name(sb_scalar type);
/* The shape (n, *extent) as a tuple, without the n where that is NULL. */
PyObject *core_shape(const size_t *n, int rank, const int32_t *extent);
/* What numpy.empty takes: the tuple (shape, numpy.dtype). Takes the reference to the shape, which may be NULL after an
 * exception. */
PyObject *core_array_arguments(core *c, PyObject *shape, const char *type);
/* Returns numpy.empty(*arguments). */
PyObject *core_empty(core *c, PyObject *arguments);
/* Opens an array (or another buffer), to be filled with exactly so many bytes. False with an exception, also if the
 * array has another size. */
bool core_open(core *c, PyObject *array, size_t size, Py_buffer *view);
/* Arrays of one shape and type that are made again and again. Two are kept, and filled anew once nobody else has them:
 * that takes half the time of making one, and far less where they are large. */
typedef struct core_form {
    PyObject *shape; /* a tuple */
    const char *type;
    size_t size; /* size of the arrays, in bytes */
    /* Arguments of numpy.empty; NULL until an array is wanted, so that NumPy is not imported before. */
    PyObject *arguments;
    PyObject *kept[2];
    /* How the kept arrays were when they were made. */
    int rank;
    Py_ssize_t extent[SB_ARRAY_RANK + 1];
} core_form;

enum { CORE_ANY = -1 };

/* Makes a form. Takes the reference to the shape, which may be NULL after an exception. False with an exception. */
bool core_form_make(core_form *form, PyObject *shape, const char *type, size_t size);
void core_form_free(core_form *form);
/* An array to be filled through the view. CORE_ANY: one that nobody else has; 0 or 1: that one of the kept arrays,
 * whoever has it. NULL with an exception. */
PyObject *core_form_open(core *c, core_form *form, int which, Py_buffer *view);
/* An array of a form that nobody else has, with a copy of these bytes. */
PyObject *core_form_copy(core *c, core_form *form, const void *bytes);

/* A new array with a copy of these bytes. Takes the reference to the arguments, which may be NULL after an exception.
 */
PyObject *core_array_of(core *c, PyObject *arguments, const void *bytes, size_t size);

#endif
