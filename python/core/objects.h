/* The types of the extension module. */
#ifndef SB_PYTHON_OBJECTS_H
#define SB_PYTHON_OBJECTS_H

#include "python/core/making.h"

extern PyType_Spec core_env_spec, core_vec_spec, core_player_spec, core_api_spec, core_selection_spec, core_pack_spec,
    core_plan_spec, core_rows_spec, core_rollouts_spec, core_evaluation_spec;

/* Functions of the module, a list for each file that has some; each ends with a NULL name. */
extern PyMethodDef core_list_functions[], core_select_functions[], core_pack_functions[], core_atlas_functions[],
    core_program_functions[], core_rows_functions[], core_data_functions[], core_results_functions[],
    core_mixture_functions[];

#endif
