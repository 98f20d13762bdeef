/* What is told beside observations: the argument `info` of make. */
#ifndef SB_PYTHON_INFO_H
#define SB_PYTHON_INFO_H

#include "python/core/look.h"

typedef enum core_info { CORE_INFO_NONE, CORE_INFO_LEAN, CORE_INFO_FULL } core_info;

/* A new dict of what an environment tells. `dense`: which reward is summed up. `result` NULL: after a reset. */
PyObject *core_info_of(core_look *look, const sb_env *env, core_info which, bool dense, const sb_result *result);

#endif
