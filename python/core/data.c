/* Datasets as files, checks, and the command itself. */
#include <stdlib.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/verify.h"
#include "datasets/build.h"
#include "python/core/objects.h"
#include "python/core/selection.h"
#include "python/core/stream.h"

/* ---- Building ---- */

/* Work that goes on without the interpreter, and reports to it now and then. */
typedef struct reporting {
    PyThreadState *thread; /* the thread, while the interpreter is left alone */
    PyObject *progress;    /* a callable, or None */
    bool failed;           /* the call of `progress` or a warning has raised, or somebody interrupts */
    sb_left left;          /* what is left of the selection, as soon as that is known */
} reporting;

static void report(void *context, size_t episodes, size_t total) {
    reporting *r = context;
    if (r->progress == Py_None) return;
    PyEval_RestoreThread(r->thread);
    if (!r->failed) {
        PyObject *answer = PyObject_CallFunction(r->progress, "nn", (Py_ssize_t)episodes, (Py_ssize_t)total);
        r->failed = answer == NULL;
        Py_XDECREF(answer);
    }
    r->thread = PyEval_SaveThread();
}

static bool has_failed(void *context) {
    reporting *r = context;
    PyEval_RestoreThread(r->thread);
    if (!r->failed && PyErr_CheckSignals() < 0) r->failed = true;
    r->thread = PyEval_SaveThread();
    return r->failed;
}

/* Warns of what is no error. False: the warning was raised as an exception. */
static bool warn(const char *text) {
    sb_out said = sb_out_growing();
    core_name_arguments(text, &said);
    PyObject *line = sb_out_ok(&said) ? PyUnicode_DecodeUTF8(said.data, (Py_ssize_t)said.size, "replace")
                                      : PyErr_NoMemory();
    const bool ok = line && PyErr_WarnFormat(PyExc_UserWarning, 2, "%U", line) == 0;
    Py_XDECREF(line);
    sb_out_free(&said);
    return ok;
}

/* Notes come in the thread that builds. */
static void tell(void *context, const char *text) {
    reporting *r = context;
    PyEval_RestoreThread(r->thread);
    if (!r->failed) r->failed = !warn(text);
    r->thread = PyEval_SaveThread();
}

static void keep_left(void *context, const sb_left *left) { ((reporting *)context)->left = *left; }

/* Warns if nothing is left of some tasks; false as of `warn`. */
static bool warn_of_exhausted(const sb_left *left) {
    char text[2048];
    sb_out out = sb_out_fixed(text, sizeof text);
    if (!left->n_exhausted) return true;
    sb_left_put(left, &out);
    sb_out_finish(&out);
    return warn(text);
}

/* (recipe, folder, jobs, resume, force, progress, tokenizer, python): the last two may be None */
static PyObject *build(PyObject *module, PyObject *arguments) {
    core *c = PyModule_GetState(module);
    const char *json;
    Py_ssize_t n;
    PyObject *folder, *jobs, *progress;
    sb_tokenizer_source tokenizer = {.now = cli_now};
    int resume, force;
    sb_recipe recipe = {0};
    sb_manifest made = {0};
    sb_error error;
    if (!core_parse(arguments, "s#O&OO&O&Ozz", &json, &n, core_path, &folder, &jobs, core_flag, &resume, core_flag,
                    &force, &progress, &tokenizer.file, &tokenizer.python))
        return NULL;
    const Py_ssize_t workers = core_jobs(c, jobs);
    cJSON *document = workers < 0 ? NULL : core_json(c, json, (size_t)n);
    if (!document) return Py_DECREF(folder), NULL;
    reporting r = {.progress = progress};
    const sb_stop stop = {has_failed, &r};
    const sb_build work = {.recipe = &recipe,
                           .folder = PyBytes_AsString(folder),
                           .jobs = (size_t)workers,
                           .overwrite = force,
                           .resume = resume,
                           .progress = report,
                           .stop = &stop,
                           .left = keep_left,
                           .note = tell,
                           .context = &r};
    r.thread = PyEval_SaveThread();
    bool ok = sb_recipe_read(c->catalogue, document, &recipe, &error) && sb_recipe_embed_all(&recipe, &error);
    recipe.tokenizer_source = tokenizer;
    ok = ok && sb_build_run(&work, &made, &error) && sb_manifest_check_rows(&made, work.folder, &error);
    PyEval_RestoreThread(r.thread);
    sb_manifest_free(&made);
    sb_recipe_free(&recipe);
    Py_DECREF(folder);
    if (PyErr_Occurred()) return NULL;
    if (!ok) return core_raise(c, &error);
    if (!warn_of_exhausted(&r.left)) return NULL;
    Py_RETURN_NONE;
}

/* ---- Checking ---- */

typedef struct checking {
    const char *path;
    cli_verify_options options;
    sb_out notes; /* what is no fault but worth knowing: texts, each with its NUL */
} checking;

static bool check(void *context, const sb_stop *stop, sb_error *error) {
    checking *c = context;
    char text[1024];
    sb_out said = sb_out_fixed(text, sizeof text);
    c->options.stop = stop;
    return cli_check(c->path, &c->options, &said, &c->notes, error);
}

static bool warn_of_notes(const sb_out *notes) {
    bool ok = true;
    for (size_t at = 0; ok && sb_out_ok(notes) && at < notes->size; at += strlen(notes->data + at) + 1)
        ok = warn(notes->data + at);
    return ok;
}

/* (path, again, jobs, tokenizer, python): the last two may be None */
static PyObject *verify(PyObject *module, PyObject *arguments) {
    core *c = PyModule_GetState(module);
    PyObject *path, *jobs;
    int again;
    const char *tokenizer, *python;
    if (!core_parse(arguments, "O&O&Ozz", core_path, &path, core_flag, &again, &jobs, &tokenizer, &python)) return NULL;
    const Py_ssize_t workers = core_jobs(c, jobs);
    checking what = {.path = PyBytes_AsString(path),
                     .options = {.common.quiet = true,
                                 .common.catalogue = c->catalogue,
                                 .common.jobs = (uint64_t)workers,
                                 .again = again,
                                 .tokenizer = tokenizer,
                                 .python = python},
                     .notes = sb_out_growing()};
    const bool ok = workers >= 0 && core_run(c, check, &what) && warn_of_notes(&what.notes);
    Py_DECREF(path);
    sb_out_free(&what.notes);
    if (!ok) return NULL;
    Py_RETURN_NONE;
}

/* ---- The command ---- */

/* The program's name and the bytes of the arguments, which stay the list's. */
static char **arguments_of(char *program, PyObject *list, Py_ssize_t n) {
    char **argv = PyMem_Calloc((size_t)n + 2, sizeof *argv);
    if (!argv) return PyErr_NoMemory(), NULL;
    argv[0] = program;
    for (Py_ssize_t i = 0; i < n; i++) argv[i + 1] = PyBytes_AsString(PyList_GetItem(list, i));
    return argv;
}

static PyObject *command(PyObject *module, PyObject *arguments) {
    PyObject *list = PySequence_List(arguments);
    const Py_ssize_t n = list ? PyList_Size(list) : -1;
    char program[] = "seedbed";
    int status;
    (void)module;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *bytes;
        if (!core_path(PyList_GetItem(list, i), &bytes) || PyList_SetItem(list, i, bytes) < 0)
            return Py_DECREF(list), NULL;
    }
    char **argv = list ? arguments_of(program, list, n) : NULL;
    if (!argv) return Py_XDECREF(list), NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = cli_main((int)n + 1, argv);
    Py_END_ALLOW_THREADS;
    PyMem_Free(argv);
    Py_DECREF(list);
    return PyLong_FromLong(status);
}

PyMethodDef core_data_functions[] = {
    {"_build", build, METH_VARARGS, "Builds the dataset of a recipe."},
    {"_verify", verify, METH_VARARGS, "Checks anything that the library writes."},
    {"_command", command, METH_O, "The command's main, with arguments behind the program's name."},
    {NULL, NULL, 0, NULL}};
