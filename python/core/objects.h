/* The types of the extension module. */
#ifndef SB_PYTHON_OBJECTS_H
#define SB_PYTHON_OBJECTS_H

#include "python/core/making.h"

extern PyType_Spec core_env_spec, core_vec_spec, core_player_spec, core_api_spec, core_selection_spec, core_pack_spec,
    core_plan_spec, core_rows_spec, core_rollouts_spec, core_evaluation_spec;

/* The environment of an EnvCore; NULL with an exception if it is none, is closed or is in use. It has no family before
 * its first episode. */
const sb_env *core_env_look_into(core *c, PyObject *object);
/* Makes an EnvCore's episode a copy of this one, if it has begun, and its chain such a one. */
bool core_env_take(core *c, PyObject *object, const sb_env *from, const core_chain *chain, double last_dense);

/* Functions of the module, a list for each file that has some; each ends with a NULL name. */
extern PyMethodDef core_list_functions[], core_select_functions[], core_pack_functions[], core_rows_functions[],
    core_data_functions[], core_results_functions[];

#endif
