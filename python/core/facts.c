/* What families tell of their episodes as facts (engine/facts.h): attributes as MiniGrid's environments have them. */
#include "engine/facts.h"
#include "python/core/env.h"
#include "python/core/objects.h"

/* Tells the facts of the episode; `is_begun` is false if there is none. False with an exception if the family tells no
 * facts. */
static bool tell(core_env *self, const char *what, sb_facts *facts, bool *is_begun) {
    const sb_fact_source *source = self->look ? self->look->family->facts : NULL;
    if (!source) {
        PyErr_Format(PyExc_AttributeError, "tasks of this family have no %s", what);
        return false;
    }
    *is_begun = self->env && self->env->family;
    if (*is_begun) source->tell(self->env, facts);
    return true;
}

static PyObject *thing(core *c, const sb_fact *fact, bool has_place) {
    PyObject *at = has_place ? core_cell(fact->at) : Py_NewRef(Py_None);
    PyObject *locked = fact->has_lock ? PyBool_FromLong(fact->locked) : Py_NewRef(Py_None);
    return core_named_tuple(c, CORE_THING, Py_BuildValue("(ssNN)", fact->type, fact->colour, at, locked));
}

static PyObject *carried(core *c, const sb_facts *facts) {
    if (facts->carries) return thing(c, &facts->carried, false);
    Py_RETURN_NONE;
}

PyObject *core_env_fact(PyObject *object, void *which) {
    static const char *const names[] = {[CORE_MISSION] = "mission",
                                        [CORE_AGENT_POS] = "agent_pos",
                                        [CORE_AGENT_DIR] = "agent_dir",
                                        [CORE_CARRYING] = "carrying"};
    core_env *self = (core_env *)object;
    const int attribute = (int)(intptr_t)which;
    sb_facts facts;
    bool is_begun;
    if (!tell(self, names[attribute], &facts, &is_begun)) return NULL;
    if (!is_begun) Py_RETURN_NONE;
    switch (attribute) {
    case CORE_MISSION: return PyUnicode_FromString(facts.mission);
    case CORE_AGENT_POS: return core_cell(facts.agent);
    case CORE_AGENT_DIR: return PyLong_FromLong(facts.direction);
    default: return carried(self->core, &facts);
    }
}

static PyObject *things(core *c, const sb_facts *facts) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < facts->n_things; i++) core_add(&list, thing(c, &facts->things[i], true));
    return list;
}

PyObject *core_env_facts(PyObject *object, PyObject *none) {
    core_env *self = (core_env *)object;
    sb_facts f;
    bool is_begun;
    (void)none;
    if (!tell(self, "facts", &f, &is_begun)) return NULL;
    if (!is_begun) return core_refuse(self->core, "FinishedError", "no episode has begun: call reset");
    core *c = self->core;
    PyObject *all = Py_BuildValue("{s:i,s:i,s:i}", "room_rows", f.room_rows, "room_columns", f.room_columns,
                                  "room_side", f.room_side);
    (void)(all && core_put_text(c, &all, "size", core_cell(f.size)) &&
           core_put_text(c, &all, "agent", core_cell(f.agent)) && core_put_text(c, &all, "front", core_cell(f.front)) &&
           core_put_text(c, &all, "direction", PyLong_FromLong(f.direction)) &&
           core_put_text(c, &all, "direction_name", PyUnicode_FromString(f.direction_name)) &&
           core_put_text(c, &all, "target", f.has_target ? core_cell(f.target) : Py_NewRef(Py_None)) &&
           core_put_text(c, &all, "carrying", carried(c, &f)) &&
           core_put_text(c, &all, "mission", PyUnicode_FromString(f.mission)) &&
           core_put_text(c, &all, "things", things(c, &f)));
    return all;
}
