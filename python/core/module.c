/* The module seedbed._seedbed: what there is, names, and the types. */
#include "python/core/objects.h"

static PyMethodDef *const functions[] = {core_list_functions, core_select_functions, core_pack_functions,
                                         core_rows_functions, core_data_functions};

static bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type) {
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type && PyModule_AddType(module, *type) == 0;
}

static int begin(PyObject *module) {
    core *c = PyModule_GetState(module);
    c->errors = PyImport_ImportModule("seedbed._errors");
    if (!c->errors || !add_type(module, &core_env_spec, &c->env_type) ||
        !add_type(module, &core_selection_spec, &c->selection_type) ||
        !add_type(module, &core_pack_spec, &c->pack_type) || !add_type(module, &core_plan_spec, &c->plan_type) ||
        !add_type(module, &core_rows_spec, &c->rows_type) || !add_type(module, &core_rollouts_spec, &c->rollouts_type))
        return -1;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (PyModule_AddFunctions(module, functions[i]) < 0) return -1;
    return PyModule_AddStringConstant(module, "__version__", sb_version());
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    core *c = PyModule_GetState(module);
    Py_VISIT(c->errors);
    Py_VISIT(c->empty);
    Py_VISIT(c->env_type);
    Py_VISIT(c->selection_type);
    Py_VISIT(c->pack_type);
    Py_VISIT(c->plan_type);
    Py_VISIT(c->rows_type);
    Py_VISIT(c->rollouts_type);
    return 0;
}

static int clear(PyObject *module) {
    core *c = PyModule_GetState(module);
    Py_CLEAR(c->errors);
    Py_CLEAR(c->empty);
    Py_CLEAR(c->env_type);
    Py_CLEAR(c->selection_type);
    Py_CLEAR(c->pack_type);
    Py_CLEAR(c->plan_type);
    Py_CLEAR(c->rows_type);
    Py_CLEAR(c->rollouts_type);
    for (size_t i = 0; i < CORE_TEXTS; i++) Py_CLEAR(c->names[i]);
    return 0;
}

static void drop(void *module) { clear(module); }

core *core_of_type(PyTypeObject *type) {
    for (; type; type = (PyTypeObject *)PyType_GetSlot(type, Py_tp_base)) {
        core *c = PyType_GetModuleState(type);
        if (c) return c;
        PyErr_Clear(); /* a class of Python's: its base may be ours */
    }
    PyErr_SetString(PyExc_SystemError, "a type of seedbed without its module");
    return NULL;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, begin}, {0, NULL}};

static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "seedbed._seedbed",
                                 .m_doc = "The part of seedbed that is written in C.",
                                 .m_size = sizeof(core),
                                 .m_slots = slots,
                                 .m_traverse = traverse,
                                 .m_clear = clear,
                                 .m_free = drop};

PyMODINIT_FUNC PyInit__seedbed(void) { return PyModuleDef_Init(&definition); }
