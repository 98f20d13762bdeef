/* Methods of API whose arguments are more than a cell or a name: paths between any cells. */
#include "python/core/coding.h"
#include "seedbed/gridworld.h"

/* ---- Arguments ---- */

enum { FARTHEST = INT16_MAX };

static const char a_cell[] = "a cell is (x, y), two whole numbers from -32768 to 32767";

static sb_xy cell_of(const long pair[2]) { return (sb_xy){(int16_t)pair[0], (int16_t)pair[1]}; }

bool core_read_cell(core *c, PyObject *x, PyObject *y, sb_xy *at) {
    long pair[2];
    if (!core_read_number(c, x, -FARTHEST - 1, FARTHEST, a_cell, &pair[0]) ||
        !core_read_number(c, y, -FARTHEST - 1, FARTHEST, a_cell, &pair[1]))
        return false;
    return *at = cell_of(pair), true;
}

static bool read_pair(core *c, PyObject *value, sb_xy *at) {
    long pair[2];
    return core_read_pair(c, value, -FARTHEST - 1, FARTHEST, a_cell, pair) && (*at = cell_of(pair), true);
}

/* Reads a terrain: its number or its name. */
static bool read_terrain(core *c, PyObject *value, sb_terrain *terrain) {
    const char *name = PyUnicode_Check(value) ? core_utf8(value) : NULL;
    if (name && sb_terrain_code(name, terrain)) return true;
    const long code = PyLong_Check(value) ? PyLong_AsLong(value) : -1;
    if (code >= 0 && code <= INT8_MAX) return *terrain = (sb_terrain)code, true;
    PyErr_Clear();
    core_refuse(c, "InvalidError", "terrain_ok is a set of names of terrain, such as \"empty\", or of their numbers");
    return false;
}

/* The items of anything that can be iterated, on the heap; NULL with an exception. */
static void *read_items(core *c, PyObject *items, size_t size, bool (*read)(core *, PyObject *, void *), size_t *n) {
    PyObject *list = PySequence_List(items);
    *n = list ? (size_t)PyList_Size(list) : 0;
    char *all = list ? PyMem_Malloc((*n + 1) * size) : NULL;
    bool ok = all != NULL;
    for (size_t i = 0; ok && i < *n; i++) ok = read(c, PyList_GetItem(list, (Py_ssize_t)i), all + i * size);
    if (list && !all) PyErr_NoMemory();
    Py_XDECREF(list);
    if (ok) return all;
    PyMem_Free(all);
    return NULL;
}

static bool read_pair_item(core *c, PyObject *value, void *to) { return read_pair(c, value, to); }
static bool read_terrain_item(core *c, PyObject *value, void *to) { return read_terrain(c, value, to); }

static bool read_cells(core *c, PyObject *items, sb_xy **cells, size_t *n) {
    return items == Py_None || (*cells = read_items(c, items, sizeof **cells, read_pair_item, n));
}

static bool read_terrains(core *c, PyObject *items, sb_terrain **terrains, size_t *n) {
    return items == Py_None || (*terrains = read_items(c, items, sizeof **terrains, read_terrain_item, n));
}

/* ---- Paths ---- */

static PyObject *find_path(core_api *self, PyObject *ends[2], const sb_path_rules *rules) {
    sb_xy start, goal, path[SB_CELLS_MAX];
    if (!read_pair(self->core, ends[0], &start) || !read_pair(self->core, ends[1], &goal)) return NULL;
    if (!core_env_enter(self->env)) return NULL;
    const size_t n = sb_bfs_path(self->env->env, start, goal, rules, path, SB_CELLS_MAX);
    return core_env_leave(self->env, n ? core_cells(path, n) : Py_NewRef(Py_None));
}

PyObject *core_api_bfs_path_positions(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"start", "goal", "extra_passable", "avoid", "terrain_ok", NULL};
    core_api *self = (core_api *)object;
    PyObject *ends[2], *extra = Py_None, *avoid = Py_None, *terrain = Py_None, *path = NULL;
    sb_xy *extra_cells = NULL, *avoid_cells = NULL;
    sb_terrain *terrains = NULL;
    sb_path_rules rules = {0};
    if (!core_parse_keywords(positional, keywords, "OO|OOO:bfs_path_positions", names, &ends[0], &ends[1], &extra,
                             &avoid, &terrain))
        return NULL;
    if (read_cells(self->core, extra, &extra_cells, &rules.n_extra) &&
        read_cells(self->core, avoid, &avoid_cells, &rules.n_avoid) &&
        read_terrains(self->core, terrain, &terrains, &rules.n_terrain)) {
        rules.extra = extra_cells, rules.avoid = avoid_cells, rules.terrain = terrains;
        path = find_path(self, ends, &rules);
    }
    PyMem_Free(extra_cells), PyMem_Free(avoid_cells), PyMem_Free(terrains);
    return path;
}

PyObject *core_api_positions_to_actions(PyObject *object, PyObject *path) {
    core_api *self = (core_api *)object;
    sb_xy *cells = NULL;
    size_t n = 0;
    if (!read_cells(self->core, path, &cells, &n)) return NULL;
    sb_action *moves = PyMem_Malloc((n + 1) * sizeof *moves);
    PyObject *list = moves ? core_actions(moves, sb_positions_to_actions(cells, n, moves, n)) : PyErr_NoMemory();
    PyMem_Free(cells), PyMem_Free(moves);
    return list;
}

PyObject *core_api_step_action(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"dx", "dy", NULL};
    core_api *self = (core_api *)object;
    PyObject *dx, *dy;
    sb_xy delta;
    sb_action move;
    if (!core_parse_keywords(positional, keywords, "OO:step_action", names, &dx, &dy) ||
        !core_read_cell(self->core, dx, dy, &delta))
        return NULL;
    if (sb_action_of_delta(delta.x, delta.y, &move)) return PyLong_FromLong(move);
    Py_RETURN_NONE;
}

PyObject *core_api_update(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"obs", "info", NULL};
    PyObject *obs, *info;
    (void)object;
    if (!core_parse_keywords(positional, keywords, "|OO:update", names, &obs, &info)) return NULL;
    Py_RETURN_NONE;
}
