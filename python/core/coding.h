/* The inside of API, for the files that it is made of. */
#ifndef SB_PYTHON_CODING_H
#define SB_PYTHON_CODING_H

#include "python/core/env.h"

typedef struct core_api {
    PyObject_HEAD core *core;
    core_env *env;
} core_api;

PyObject *core_cells(const sb_xy *cells, size_t n);

/* ---- coding_paths.c ---- */

/* A cell from two arguments. False with an exception. */
bool core_read_cell(core *c, PyObject *x, PyObject *y, sb_xy *at);
PyObject *core_api_bfs_path_positions(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_api_positions_to_actions(PyObject *object, PyObject *path);
PyObject *core_api_step_action(PyObject *object, PyObject *positional, PyObject *keywords);
PyObject *core_api_update(PyObject *object, PyObject *positional, PyObject *keywords);

#endif
