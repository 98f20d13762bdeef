/* What there is: families, tasks, modes, names. */
#include "engine/lookup.h"
#include "python/core/objects.h"
#include "seedbed/picture.h"
#include "seedbed/player.h"

static PyObject *families(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && sb_families[i]; i++)
        core_add(&list, Py_BuildValue("(ss)", sb_families[i]->name, sb_families[i]->version));
    return list;
}

static PyObject *tuple_of_texts(const char *const *texts, size_t n) {
    PyObject *all = PyTuple_New((Py_ssize_t)n);
    for (size_t i = 0; all && i < n; i++) core_set(&all, i, PyUnicode_FromString(texts[i]));
    return all;
}

/* The names of the agents that can play a task. */
static PyObject *agents_of(const sb_family *family, const sb_task_info *task) {
    const char *names[SB_AGENTS_MAX];
    return tuple_of_texts(names, sb_agents_of(family, task, names, SB_AGENTS_MAX));
}

/* The difficulties of a task that have a name. */
static PyObject *difficulties_of(const sb_family *family, const sb_task_info *task) {
    const char *names[SB_DIFFICULTIES_MAX];
    const sb_difficulties of = sb_difficulties_of(family, task);
    size_t n = 0;
    for (size_t i = 0; i < of.n; i++)
        if (*of.names[i]) names[n++] = of.names[i];
    return tuple_of_texts(names, n);
}

/* The difficulties of a task whose episodes take long to find. */
static PyObject *derived_of(const sb_family *family, const sb_task_info *task) {
    const char *names[SB_DIFFICULTIES_MAX];
    size_t n = 0;
    const sb_difficulties of = sb_difficulties_of(family, task);
    for (size_t i = 0; i < of.n; i++)
        if (sb_is_derived(family, task, i)) names[n++] = of.names[i];
    return tuple_of_texts(names, n);
}

/* (family, name, category, summary, alias or None, difficulties, rules, agents, derived difficulties, skills) of each
 * task. */
static PyObject *tasks(PyObject *module, PyObject *none) {
    const sb_catalogue *catalogue = ((core *)PyModule_GetState(module))->catalogue;
    PyObject *list = PyList_New(0);
    (void)none;
    for (size_t f = 0; list && sb_families[f]; f++)
        for (size_t t = 0; list && t < sb_task_count(catalogue, sb_families[f]); t++) {
            const sb_family *family = sb_families[f];
            const sb_task_info *task = sb_task_at(catalogue, family, t);
            core_add(&list, Py_BuildValue("(sssszNsNNN)", family->name, task->name, task->category, task->summary,
                                          task->alias, difficulties_of(family, task),
                                          task->rules ? task->rules : family->version, agents_of(family, task),
                                          derived_of(family, task), tuple_of_texts(task->skills, sb_n_skills(task))));
        }
    return list;
}

static core *core_of(PyObject *module) { return PyModule_GetState(module); }

/* Finds the family of that name. NULL with an exception. */
static const sb_family *find_family(PyObject *module, PyObject *name) {
    sb_error error;
    const char *text = PyUnicode_Check(name) ? core_utf8(name) : "";
    const sb_family *family = text ? sb_family_find(text, &error) : NULL;
    if (text && !family) core_raise(core_of(module), &error);
    return family;
}

/* (name, alias or None, document, privileged, schema or None) of each mode of a family. */
static PyObject *modes(PyObject *module, PyObject *name) {
    const sb_family *family = find_family(module, name);
    if (!family) return NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < family->n_modes; i++) {
        const sb_mode *mode = &family->modes[i];
        core_add(&list, Py_BuildValue("(szNNz)", mode->name, mode->alias, PyBool_FromLong(mode->document),
                                      PyBool_FromLong(mode->privileged), mode->schema));
    }
    return list;
}

/* (name, alias or None, summary, privileged, indexed) of each look of a family. */
static PyObject *looks(PyObject *module, PyObject *name) {
    const sb_family *family = find_family(module, name);
    const sb_look *look;
    if (!family) return NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && (look = sb_look_at(family, i)); i++)
        core_add(&list, Py_BuildValue("(szsNN)", look->name, look->alias, look->summary,
                                      PyBool_FromLong(look->privileged), PyBool_FromLong(look->indexed)));
    return list;
}

static PyObject *text_max(PyObject *module, PyObject *name) {
    const sb_family *family = find_family(module, name);
    return family ? PyLong_FromSize_t(family->text_max) : NULL;
}

/* (family, task, difficulty, seed) of a name. */
static PyObject *parse_name(PyObject *module, PyObject *name) {
    sb_name parsed;
    sb_error error;
    const char *text = PyUnicode_Check(name) ? core_utf8(name) : NULL;
    if (!text) return PyErr_Occurred() ? NULL : core_refuse(core_of(module), "InvalidError", "a name is a str");
    if (!sb_name_parse(core_of(module)->catalogue, text, &parsed, &error)) return core_raise(core_of(module), &error);
    return Py_BuildValue("(sssK)", parsed.family, parsed.task, parsed.difficulty, (unsigned long long)parsed.seed);
}

PyMethodDef core_list_functions[] = {
    {"_families", families, METH_NOARGS, "The families with the versions of their rules."},
    {"_tasks", tasks, METH_NOARGS, "All tasks, in the library's order."},
    {"_modes", modes, METH_O, "The observation modes of a family."},
    {"_looks", looks, METH_O, "The looks of a family."},
    {"_text_max", text_max, METH_O, "No observation of a family is a longer text."},
    {"_parse_name", parse_name, METH_O, "The fields of a Name."},
    {NULL, NULL, 0, NULL}};
