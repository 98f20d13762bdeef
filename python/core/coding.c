/* API: the coding API (docs/bots.md, "The coding API"), method for method as the published one has it. An object holds
 * its environment and nothing else: every answer is about the episode as it is now. */
#include "python/core/coding.h"

#include "python/core/objects.h"
#include "seedbed/gridworld.h"

/* What a query asks for; the environment is entered while it is answered. */
typedef struct question {
    core *core;
    const sb_env *env;
    const core_env *whole;
    sb_xy at;         /* the cell that a query is about */
    sb_object object; /* the kind of object that a query is about; SB_NONE: no object has such a name */
    const char *word; /* the kind of object as it was said */
} question;

typedef PyObject *answer(const question *q);

/* ---- Values ---- */

PyObject *core_cells(const sb_xy *cells, size_t n) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) core_add(&list, core_cell(cells[i]));
    return list;
}

static PyObject *entity(core *c, const sb_entity *e) {
    const char *name = sb_object_name(e->object);
    PyObject *type = name ? core_text(c, name, strlen(name)) : PyUnicode_FromFormat("object_%d", (int)e->object);
    return core_named_tuple(
        c, CORE_ENTITY,
        Py_BuildValue("(NNiNi)", type, core_cell(e->at), (int)e->distance, PyDict_New(), (int)e->metadata));
}

static PyObject *item(core *c, const sb_item *i) {
    const char *property = sb_item_property((sb_item_kind)i->kind);
    PyObject *properties = property ? Py_BuildValue("{s:i}", property, i->value) : PyDict_New();
    return core_named_tuple(
        c, CORE_ENTITY,
        Py_BuildValue("(sNiNi)", sb_item_name((sb_item_kind)i->kind), core_cell(i->at), 0, properties, (int)i->value));
}

static PyObject *text_of(const question *q, const char *name, const char *what, int code) {
    return name ? core_text(q->core, name, strlen(name)) : PyUnicode_FromFormat("%s_%d", what, code);
}

/* ---- State ---- */

static PyObject *agent_position(const question *q) { return core_cell(sb_agent_position(q->env)); }

static PyObject *agent_direction(const question *q) {
    return PyUnicode_FromString(sb_direction_name(sb_agent_direction(q->env)));
}

static PyObject *grid_size(const question *q) { return core_cell(sb_grid_size(q->env)); }
static PyObject *current_step(const question *q) { return PyLong_FromLong(q->env->status.steps); }
static PyObject *max_steps(const question *q) { return PyLong_FromLong(q->env->status.max_steps); }
static PyObject *is_done(const question *q) { return PyBool_FromLong(q->env->status.done); }

static PyObject *total_reward(const question *q) {
    return PyFloat_FromDouble(q->whole->dense ? q->env->status.dense_total : q->env->status.total);
}

static PyObject *valid_actions(const question *q) {
    sb_action actions[SB_MASK_MAX];
    return core_actions(actions, sb_valid_actions(q->env, actions, SB_MASK_MAX));
}

/* The names of all actions by their number, or the other way round. */
static PyObject *dict_of_actions(const question *q, bool by_name) {
    PyObject *dict = PyDict_New();
    for (sb_action i = 0; dict && i < q->env->n_actions; i++) {
        PyObject *name = core_action_name(q->core, q->env, i), *number = name ? PyLong_FromLong(i) : NULL;
        if (!number)
            Py_CLEAR(dict);
        else
            core_put(&dict, by_name ? name : number, Py_NewRef(by_name ? number : name));
        Py_XDECREF(name), Py_XDECREF(number);
    }
    return dict;
}

static PyObject *action_names(const question *q) { return dict_of_actions(q, false); }
static PyObject *action_name_to_int(const question *q) { return dict_of_actions(q, true); }

static PyObject *task_config(const question *q) {
    const size_t n = sb_task_config(q->env, NULL, 0);
    const sb_info_source *source = q->env->family ? q->env->family->info : NULL;
    char *text = PyMem_Malloc(n + 1);
    if (!text) return PyErr_NoMemory();
    sb_task_config(q->env, text, n + 1);
    PyObject *document = core_document(q->core, text, n);
    PyMem_Free(text);
    if (document && source && !core_make_pairs(document, q->env->task->name, source->lists)) Py_CLEAR(document);
    return document;
}

/* ---- Entities ---- */

static PyObject *list_of_entities(core *c, const sb_entity *found, size_t n) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) core_add(&list, entity(c, &found[i]));
    return list;
}

static PyObject *get_entities(const question *q) {
    sb_entity found[SB_CELLS_MAX];
    return list_of_entities(q->core, found, sb_entities(q->env, found, SB_CELLS_MAX));
}

static PyObject *get_entities_of_type(const question *q) {
    sb_entity found[SB_CELLS_MAX];
    return list_of_entities(q->core, found, sb_entities_of(q->env, q->object, found, SB_CELLS_MAX));
}

static PyObject *get_entity_at(const question *q) {
    sb_entity found;
    if (sb_entity_at(q->env, q->at, &found)) return entity(q->core, &found);
    Py_RETURN_NONE;
}

static PyObject *get_nearest(const question *q) {
    sb_entity found;
    if (sb_nearest(q->env, q->object, &found)) return entity(q->core, &found);
    Py_RETURN_NONE;
}

static PyObject *get_all_positions(const question *q) {
    sb_xy found[SB_CELLS_MAX];
    return core_cells(found, sb_positions(q->env, q->object, found, SB_CELLS_MAX));
}

static PyObject *count(const question *q) { return PyLong_FromSize_t(sb_count(q->env, q->object)); }

static PyObject *get_inventory(const question *q) {
    sb_item found[SB_ITEMS_MAX];
    const size_t n = sb_inventory(q->env, found, SB_ITEMS_MAX);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) core_add(&list, item(q->core, &found[i]));
    return list;
}

/* Finds an item by its word. The published interface takes such words in lower case only. */
static PyObject *has_in_inventory(const question *q) {
    sb_item_kind kind;
    const bool is_word = sb_item_code(q->word, &kind) && strcmp(sb_item_name(kind), q->word) == 0;
    return PyBool_FromLong(is_word && kind != SB_ITEM_NONE && sb_has(q->env, kind));
}

/* ---- Distances and cells ---- */

static PyObject *distance_to(const question *q) { return PyLong_FromLong(sb_distance_to(q->env, q->at)); }

static PyObject *direction_to(const question *q) {
    const sb_direction direction = sb_direction_to(q->env, q->at);
    if (direction == SB_NOWHERE) Py_RETURN_NONE;
    return PyUnicode_FromString(sb_direction_name(direction));
}

static PyObject *is_adjacent(const question *q) { return PyBool_FromLong(sb_is_adjacent(q->env, q->at)); }
static PyObject *is_walkable(const question *q) { return PyBool_FromLong(sb_is_walkable(q->env, q->at)); }
static PyObject *is_reachable(const question *q) { return PyBool_FromLong(sb_is_reachable(q->env, q->at)); }

static PyObject *neighbors(const question *q) {
    sb_xy found[4];
    return core_cells(found, sb_neighbors(q->env, q->at, found, 4));
}

static PyObject *get_cell(const question *q) {
    const sb_terrain terrain = sb_terrain_at(q->env, q->at);
    return text_of(q, sb_terrain_name(terrain), "terrain", (int)terrain);
}

static PyObject *get_object(const question *q) {
    const sb_object object = sb_object_at(q->env, q->at);
    return text_of(q, sb_object_name(object), "object", (int)object);
}

static PyObject *get_walkable_cells(const question *q) {
    sb_xy found[SB_CELLS_MAX];
    return core_cells(found, sb_walkable_cells(q->env, found, SB_CELLS_MAX));
}

static PyObject *get_walls(const question *q) {
    sb_xy found[SB_CELLS_MAX];
    return core_cells(found, sb_walls(q->env, found, SB_CELLS_MAX));
}

static int32_t terrain_code(const sb_env *env, sb_xy at) { return (int32_t)sb_terrain_at(env, at); }
static int32_t object_code(const sb_env *env, sb_xy at) { return (int32_t)sb_object_at(env, at); }

/* One layer of the grid as an array of int16, row by row. */
static PyObject *layer_of(const question *q, int32_t (*code)(const sb_env *env, sb_xy at)) {
    const sb_xy size = sb_grid_size(q->env);
    int16_t layer[SB_CELLS_MAX], *next = layer;
    for (int y = 0; y < size.y; y++)
        for (int x = 0; x < size.x; x++) *next++ = (int16_t)code(q->env, (sb_xy){x, y});
    PyObject *shape = core_shape(NULL, 2, (int32_t[]){size.y, size.x});
    return core_array_of(q->core, core_array_arguments(q->core, shape, "int16"), layer,
                         (size_t)(next - layer) * sizeof *layer);
}

static PyObject *layers(const question *q) {
    PyObject *all = PyDict_New();
    (void)(all && core_put_text(q->core, &all, "terrain", layer_of(q, terrain_code)) &&
           core_put_text(q->core, &all, "objects", layer_of(q, object_code)) &&
           core_put_text(q->core, &all, "metadata", layer_of(q, sb_metadata_at)));
    return all;
}

/* ---- Plans ---- */

enum { PLAN = SB_CELLS_MAX + 1 };

static PyObject *path_to(const question *q) {
    sb_action plan[PLAN];
    return core_actions(plan, sb_path_to(q->env, q->at, plan, PLAN));
}

static PyObject *move_toward(const question *q) {
    sb_action move;
    return core_actions(&move, sb_move_toward(q->env, q->at, &move));
}

static PyObject *go_to_nearest(const question *q) {
    sb_action plan[PLAN];
    return core_actions(plan, sb_go_to_nearest(q->env, q->object, plan, PLAN));
}

static PyObject *interact_with(const question *q) {
    sb_action plan[PLAN];
    return core_actions(plan, sb_interact_with(q->env, q->at, plan, PLAN));
}

static PyObject *flee_from(const question *q) {
    sb_action move;
    return core_actions(&move, sb_flee_from(q->env, q->at, &move));
}

static PyObject *action_int(const question *q) {
    sb_action action;
    sb_error error;
    if (sb_action_parse(q->env, q->word, &action, &error)) return PyLong_FromLong(action);
    if (error.code == SB_INVALID) return core_refuse(q->core, "ActionError", "%s", error.text);
    return core_raise(q->core, &error);
}

/* ---- Asking ---- */

static PyObject *ask(PyObject *object, question q, answer *answer) {
    core_api *self = (core_api *)object;
    if (!core_env_enter(self->env)) return NULL;
    q.core = self->core, q.env = self->env->env, q.whole = self->env;
    return core_env_leave(self->env, answer(&q));
}

static PyObject *get(PyObject *object, void *closure) { return ask(object, (question){0}, (answer *)closure); }

static PyObject *ask_at(PyObject *object, PyObject *positional, PyObject *keywords, answer *answer) {
    static char *names[] = {"x", "y", NULL};
    core_api *self = (core_api *)object;
    PyObject *x, *y;
    question q = {0};
    if (!core_parse_keywords(positional, keywords, "OO", names, &x, &y) || !core_read_cell(self->core, x, y, &q.at))
        return NULL;
    return ask(object, q, answer);
}

static PyObject *ask_word(PyObject *object, PyObject *word, answer *answer) {
    core_api *self = (core_api *)object;
    question q = {0};
    if (!PyUnicode_Check(word)) return core_refuse(self->core, "InvalidError", "a type or a name is a str");
    q.word = core_utf8(word);
    if (!q.word) return NULL;
    if (!sb_object_code(q.word, &q.object)) q.object = SB_NONE;
    return ask(object, q, answer);
}

#define OF_NOTHING(name)                                                                                               \
    static PyObject *name##_asked(PyObject *object, PyObject *none) {                                                  \
        (void)none;                                                                                                    \
        return ask(object, (question){0}, name);                                                                       \
    }
#define OF_CELL(name)                                                                                                  \
    static PyObject *name##_asked(PyObject *object, PyObject *positional, PyObject *keywords) {                        \
        return ask_at(object, positional, keywords, name);                                                             \
    }
#define OF_WORD(name)                                                                                                  \
    static PyObject *name##_asked(PyObject *object, PyObject *word) { return ask_word(object, word, name); }

OF_NOTHING(get_entities)
OF_NOTHING(get_inventory)
OF_NOTHING(get_walkable_cells)
OF_NOTHING(get_walls)
OF_NOTHING(layers)
OF_CELL(get_entity_at)
OF_CELL(distance_to)
OF_CELL(direction_to)
OF_CELL(is_adjacent)
OF_CELL(is_walkable)
OF_CELL(is_reachable)
OF_CELL(neighbors)
OF_CELL(get_cell)
OF_CELL(get_object)
OF_CELL(path_to)
OF_CELL(move_toward)
OF_CELL(interact_with)
OF_CELL(flee_from)
OF_WORD(get_entities_of_type)
OF_WORD(get_nearest)
OF_WORD(get_all_positions)
OF_WORD(count)
OF_WORD(has_in_inventory)
OF_WORD(go_to_nearest)
OF_WORD(action_int)

/* ---- The type ---- */

static PyObject *make_for(PyTypeObject *type, core_env *env) {
    core_api *self = core_new(type);
    if (self) self->env = (core_env *)Py_NewRef((PyObject *)env);
    return (PyObject *)self;
}

static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"env", NULL};
    core *c = core_of_type(type);
    PyObject *object;
    if (!c || !core_parse_keywords(positional, keywords, "O:API", names, &object)) return NULL;
    core_env *env = core_env_of(c, object);
    PyObject *made = env ? make_for(type, env) : NULL;
    Py_XDECREF((PyObject *)env);
    return made;
}

PyObject *core_env_api(PyObject *object, void *closure) {
    core_env *self = (core_env *)object;
    (void)closure;
    return make_for(self->core->type[CORE_TYPE_API], self);
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT((PyObject *)((core_api *)object)->env);
    return 0;
}

static void dealloc(PyObject *object) {
    PyObject_GC_UnTrack(object);
    Py_XDECREF((PyObject *)((core_api *)object)->env);
    core_delete(object);
}

#define NOTHING(name, text)                                                                                            \
    { #name, name##_asked, METH_NOARGS, #name "($self, /)\n--\n\n" text }
#define WORD(name, text)                                                                                               \
    { #name, name##_asked, METH_O, #name "($self, name, /)\n--\n\n" text }
#define CELL(name, text)                                                                                               \
    { #name, CORE_KEYWORDS(name##_asked), #name "($self, x, y)\n--\n\n" text }

static PyMethodDef methods[] = {
    NOTHING(get_entities, "Every cell that holds an object, row by row, as Entity."),
    WORD(get_entities_of_type, "Those that hold this object."),
    CELL(get_entity_at, "The object in a cell, or None."),
    WORD(get_nearest, "The one with the smallest Manhattan distance, or None."),
    WORD(get_all_positions, "The cells that hold this object."),
    WORD(count, "How many cells hold this object."),
    NOTHING(get_inventory, "What the agent carries, in the order of picking up, as Entity."),
    WORD(has_in_inventory, "Whether the agent carries an item of this type."),
    CELL(distance_to, "Manhattan distance from the agent."),
    CELL(direction_to, "`north`, `east`, `south` or `west`: the axis along which the cell is farther away; None on the "
                       "agent's own cell."),
    CELL(is_adjacent, "Whether the distance is 1."),
    CELL(neighbors, "The passable cells to the north, east, south and west."),
    CELL(get_cell, "The terrain of a cell."),
    {"get_terrain_type", CORE_KEYWORDS(get_cell_asked), "get_terrain_type($self, x, y)\n--\n\nThe terrain of a cell."},
    CELL(get_object, "The object in a cell, `none` if there is none."),
    CELL(is_walkable, "Whether a cell is passable."),
    NOTHING(get_walkable_cells, "All passable cells, row by row."),
    NOTHING(get_walls, "All cells of wall, row by row."),
    NOTHING(layers, "The arrays terrain, objects and metadata, without fog."),
    CELL(is_reachable, "Whether there is a path from the agent."),
    CELL(path_to, "The moves along the shortest path from the agent; [] if there is none."),
    {"move_to", CORE_KEYWORDS(path_to_asked), "move_to($self, x, y)\n--\n\nThe same as path_to."},
    CELL(move_toward, "The first of these moves, or the one in the cell's direction, as a list."),
    WORD(go_to_nearest, "The moves to the nearest entity with this object."),
    {"pickup_nearest", go_to_nearest_asked, METH_O, "pickup_nearest($self, name, /)\n--\n\nThe same as go_to_nearest."},
    CELL(interact_with, "The moves to a cell, then the interaction."),
    CELL(flee_from, "One move away from a cell, as a list; [] if there is none."),
    WORD(action_int, "The number of an action by its name."),
    {"step_action", CORE_KEYWORDS(core_api_step_action),
     "step_action($self, dx, dy)\n--\n\nThe move by one cell, or None."},
    {"bfs_path_positions", CORE_KEYWORDS(core_api_bfs_path_positions),
     "bfs_path_positions($self, start, goal, extra_passable=None, avoid=None, terrain_ok=None)\n--\n\n"
     "The cells of a shortest path, both ends included, or None. The goal itself need not be passable.\n\n"
     "extra_passable: cells that count as passable. avoid: cells that do not.\n"
     "terrain_ok: what terrain counts as passable, as names or numbers."},
    {"positions_to_actions", core_api_positions_to_actions, METH_O,
     "positions_to_actions($self, positions, /)\n--\n\nThe moves between the cells of a path."},
    {"update", CORE_KEYWORDS(core_api_update),
     "update($self, obs=None, info=None)\n--\n\nDoes nothing: all is read as it is."},
    {NULL, NULL, 0, NULL}};

#define ATTRIBUTE(name)                                                                                                \
    { #name, get, NULL, NULL, (void *)(name) }

static PyGetSetDef attributes[] = {
    ATTRIBUTE(agent_position), ATTRIBUTE(agent_direction),    ATTRIBUTE(grid_size),   ATTRIBUTE(current_step),
    ATTRIBUTE(max_steps),      ATTRIBUTE(total_reward),       ATTRIBUTE(is_done),     ATTRIBUTE(valid_actions),
    ATTRIBUTE(action_names),   ATTRIBUTE(action_name_to_int), ATTRIBUTE(task_config), {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, make},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_traverse, traverse},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_doc,
                               "API(env)\n--\n\nWhere things are and how to get there. Privileged: fog hides "
                               "nothing."},
                              {0, NULL}};

PyType_Spec core_api_spec = {.name = "seedbed._seedbed.API",
                             .basicsize = sizeof(core_api),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                             .slots = slots};
