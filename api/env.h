/* Internal functions of environments for the layers above. */
#ifndef SB_API_ENV_H
#define SB_API_ENV_H

#include "engine/environment.h"

/* Leaves the environment without family and state, as a failed reset does. */
void sb_empty(sb_env *env);
/* Makes the environment record, with room for `steps` steps from the start. */
bool sb_record_up_to(sb_env *env, size_t steps, sb_error *error);
/* Sets the step limit (sb_family.extend), where the limit is none of the rules. */
bool sb_extend(sb_env *env, int32_t max_steps);

#endif
