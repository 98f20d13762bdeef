/* The module seedbed._seedbed: its functions, its types and its state. */
#include "python/core/objects.h"

static PyMethodDef *const functions[] = {core_list_functions,    core_select_functions,  core_pack_functions,
                                         core_atlas_functions,   core_rows_functions,    core_data_functions,
                                         core_results_functions, core_mixture_functions, core_program_functions};

static PyType_Spec *const specs[CORE_N_TYPES] = {
    [CORE_TYPE_ENV] = &core_env_spec,
    [CORE_TYPE_VEC] = &core_vec_spec,
    [CORE_TYPE_PLAYER] = &core_player_spec,
    [CORE_TYPE_API] = &core_api_spec,
    [CORE_TYPE_SELECTION] = &core_selection_spec,
    [CORE_TYPE_PACK] = &core_pack_spec,
    [CORE_TYPE_PLAN] = &core_plan_spec,
    [CORE_TYPE_ROWS] = &core_rows_spec,
    [CORE_TYPE_ROLLOUTS] = &core_rollouts_spec,
    [CORE_TYPE_EVALUATION] = &core_evaluation_spec,
};

static int begin(PyObject *module) {
    core *c = PyModule_GetState(module);
    c->errors = PyImport_ImportModule("seedbed._errors");
    if (!c->errors || !core_number_errors(c) || !core_begin_programs(c)) return -1;
    for (size_t i = 0; i < CORE_N_TYPES; i++) {
        c->type[i] = (PyTypeObject *)PyType_FromModuleAndSpec(module, specs[i], NULL);
        if (!c->type[i] || PyModule_AddType(module, c->type[i]) < 0) return -1;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (PyModule_AddFunctions(module, functions[i]) < 0) return -1;
    return PyModule_AddStringConstant(module, "__version__", sb_version());
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    core *c = PyModule_GetState(module);
    Py_VISIT(c->errors);
    Py_VISIT(c->empty);
    Py_VISIT(c->brushes);
    for (size_t i = 0; i < CORE_N_TYPES; i++) Py_VISIT(c->type[i]);
    for (size_t i = 0; i < CORE_N_NAMED; i++) Py_VISIT(c->named[i]);
    for (size_t i = 0; i < CORE_N_DTYPES; i++) Py_VISIT(c->dtypes[i]);
    return 0;
}

static int clear(PyObject *module) {
    core *c = PyModule_GetState(module);
    Py_CLEAR(c->errors);
    Py_CLEAR(c->empty);
    Py_CLEAR(c->brushes);
    for (size_t i = 0; i < CORE_N_TYPES; i++) Py_CLEAR(c->type[i]);
    for (size_t i = 0; i < CORE_N_NAMED; i++) Py_CLEAR(c->named[i]);
    for (size_t i = 0; i < CORE_N_DTYPES; i++) Py_CLEAR(c->dtypes[i]);
    for (size_t i = 0; i < CORE_TEXTS; i++) Py_CLEAR(c->texts[i]);
    return 0;
}

static void drop(void *module) {
    clear(module);
    core_free_programs(PyModule_GetState(module));
}

/* Subinterpreters that share the GIL each have a module of their own; those with a GIL of their own refuse it, as they
 * do NumPy. Where Python runs without a GIL it has to be taken: texts are kept in the module's state without a lock. */
static PyModuleDef_Slot slots[] = {{Py_mod_exec, begin},
#ifdef Py_GIL_DISABLED
                                   {Py_mod_gil, Py_MOD_GIL_USED},
#endif
                                   {0, NULL}};

static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "seedbed._seedbed",
                                 .m_doc = "The part of seedbed that is written in C.",
                                 .m_size = sizeof(core),
                                 .m_slots = slots,
                                 .m_traverse = traverse,
                                 .m_clear = clear,
                                 .m_free = drop};

PyMODINIT_FUNC PyInit__seedbed(void) { return PyModuleDef_Init(&definition); }
