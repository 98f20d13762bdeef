/* The types of the extension module. */
#ifndef SB_PYTHON_OBJECTS_H
#define SB_PYTHON_OBJECTS_H

#include "python/core/core.h"

extern PyType_Spec core_env_spec;

#endif
