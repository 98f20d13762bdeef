/* Programs of users, which become tasks of this process. */
#include <stdlib.h>

#include "base/grow.h"
#include "cli/programs.h"
#include "evaluation/atlas/chooser.h"
#include "python/core/objects.h"

bool core_bring_programs(const sb_catalogue *from, sb_catalogue *to, sb_error *error) {
    const sb_program *program;
    for (size_t i = 0; from && (program = sb_program_at(from, i)); i++)
        if (!sb_catalogue_add_program(to, program->family, program->text, program->n, NULL, error)) return false;
    return true;
}

sb_catalogue *core_new_catalogue(core *c, sb_error *error) {
    sb_catalogue *made = sb_catalogue_make(error);
    if (made) sb_catalogue_set_chooser(made, sb_chooser_face(c->chooser));
    return made;
}

/* Returns a catalogue with one program more. It is a new one, because a catalogue must not change once something was
 * made with it. */
static sb_catalogue *extend(core *c, const char *path, const sb_program **program, sb_error *error) {
    sb_catalogue *made = core_new_catalogue(c, error);
    if (made && core_bring_programs(c->catalogue, made, error) &&
        (*program = cli_catalogue_add_program(made, path, error)))
        return made;
    sb_catalogue_free(made);
    return NULL;
}

/* Keeps a catalogue as long as the module lives, because objects may use the one that was there when they were made. */
static bool keep(core *c, sb_catalogue *made) {
    if (!SB_GROW(c->catalogues, c->n_catalogues + 1, c->catalogues_capacity))
        return sb_catalogue_free(made), PyErr_NoMemory(), false;
    c->catalogues[c->n_catalogues++] = made;
    c->catalogue = made;
    return true;
}

bool core_begin_programs(core *c) {
    sb_error error;
    sb_catalogue *first = NULL;
    c->chooser = sb_chooser_make(&(sb_chooser_settings){0}, &error);
    if (c->chooser) first = core_new_catalogue(c, &error);
    return first ? keep(c, first) : (PyErr_NoMemory(), false);
}

static size_t count(const sb_catalogue *catalogue) {
    size_t n = 0;
    while (catalogue && sb_program_at(catalogue, n)) n++;
    return n;
}

static PyObject *load(PyObject *module, PyObject *path) {
    core *c = PyModule_GetState(module);
    PyObject *bytes;
    const sb_program *program;
    sb_error error;
    char name[SB_NAME_MAX];
    if (!core_path(path, &bytes)) return NULL;
    sb_catalogue *made = extend(c, PyBytes_AsString(bytes), &program, &error);
    Py_DECREF(bytes);
    if (!made) return core_raise(c, &error);
    snprintf(name, sizeof name, "%s:%s", program->family->name, program->task->name);
    if (count(made) == count(c->catalogue)) /* the program was there already */
        sb_catalogue_free(made);
    else if (!keep(c, made))
        return NULL;
    return PyUnicode_FromString(name);
}

void core_free_programs(core *c) {
    for (size_t i = 0; i < c->n_catalogues; i++) sb_catalogue_free(c->catalogues[i]);
    free(c->catalogues);
    sb_chooser_free(c->chooser);
    c->catalogues = NULL, c->n_catalogues = c->catalogues_capacity = 0, c->catalogue = NULL, c->chooser = NULL;
}

PyMethodDef core_program_functions[] = {
    {"_load_program", load, METH_O, "Makes a task of the program in a file, and returns its name."},
    {NULL, NULL, 0, NULL}};
