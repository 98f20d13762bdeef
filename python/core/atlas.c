/* The atlas of difficulty: what episodes demand. */
#include "evaluation/atlas/atlas.h"

#include "python/core/objects.h"
#include "python/core/selection.h"
#include "python/core/stream.h"

typedef struct measuring {
    const sb_selection *selection;
    size_t jobs;
    const char *where; /* what episodes must demand; NULL: anything */
    sb_demand *demand;
    sb_out rows; /* rows of the atlas, lines of JSON */
} measuring;

static bool take(void *context, const sb_atlas_row *row, sb_error *error) {
    measuring *m = context;
    (void)error;
    if (!m->demand || sb_demand_holds(m->demand, row)) sb_atlas_row_print(row, &m->rows);
    return true;
}

static bool do_measure(void *context, const sb_stop *stop, sb_error *error) {
    measuring *m = context;
    if (m->where && !(m->demand = sb_demand_make(m->where, error))) return false;
    const sb_atlas_making making = {
        .selection = m->selection, .jobs = m->jobs, .demand = m->demand, .take = take, .context = m, .stop = stop};
    return sb_atlas_draw_up(&making, error);
}

static PyObject *measure(PyObject *module, PyObject *arguments) {
    core *c = PyModule_GetState(module);
    PyObject *source, *jobs, *text = NULL;
    const char *where;
    if (!core_parse(arguments, "OzO", &source, &where, &jobs)) return NULL;
    const core_selection *selection = core_selection_of(c, source);
    const Py_ssize_t workers = selection ? core_jobs(c, jobs) : -1;
    if (workers < 0) return NULL;
    measuring m = {
        .selection = &selection->selection, .jobs = (size_t)workers, .where = where, .rows = sb_out_growing()};
    if (core_run(c, do_measure, &m))
        text = sb_out_ok(&m.rows) ? PyUnicode_FromStringAndSize(m.rows.data, (Py_ssize_t)m.rows.size)
                                  : PyErr_NoMemory();
    sb_demand_free(m.demand);
    sb_out_free(&m.rows);
    return text;
}

static PyObject *measures(PyObject *module, PyObject *nothing) {
    PyObject *list = PyTuple_New(SB_N_MEASURES);
    (void)module, (void)nothing;
    for (size_t i = 0; list && i < SB_N_MEASURES; i++)
        core_set(&list, i, PyUnicode_FromString(sb_atlas_measures[i].name));
    return list;
}

PyMethodDef core_atlas_functions[] = {
    {"_measure", measure, METH_VARARGS,
     "Rows of an atlas, lines of JSON: of a Selection; by a demand or None; by so many workers."},
    {"_measures", measures, METH_NOARGS, "Names of the measures."},
    {NULL, NULL, 0, NULL}};
