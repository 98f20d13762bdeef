/* An environment: one episode of some family, and what all layers know of it. */
#ifndef SB_ENGINE_ENVIRONMENT_H
#define SB_ENGINE_ENVIRONMENT_H

#include "engine/contract.h"

struct sb_env {
    const sb_family *family; /* NULL until the first episode */
    const sb_task_info *task;
    size_t task_index, variant_index;
    sb_name name;
    sb_status status;  /* kept by api/env.c; families read it and never write */
    int32_t n_actions; /* actions are 0..n_actions-1 */
    void *state;       /* the family's own; NULL or made by its start or copy, freed by its clear */
};

/* Bytes of a number. */
size_t sb_scalar_size(sb_scalar type);

/* An observation, or an action's name, as a JSON string. */
void sb_put_observation_text(sb_out *out, const sb_env *env, const sb_mode *mode);
void sb_put_action_text(sb_out *out, const sb_env *env, sb_action action);
/* An observation as a JSON value: a string, or, if the mode's text is a document, the document itself. */
void sb_put_observation(sb_out *out, const sb_env *env, const sb_mode *mode);

#endif
