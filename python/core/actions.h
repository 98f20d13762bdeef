/* Actions from Python and to it. */
#ifndef SB_PYTHON_ACTIONS_H
#define SB_PYTHON_ACTIONS_H

#include "engine/environment.h"
#include "python/core/core.h"

/* Reads an action: a whole number (anything with __index__) or a name. False with an ActionError if the episode has no
 * such action; of an episode that is over any number passes, since stepping says what is wrong. */
bool core_read_action(core *c, const sb_env *env, PyObject *value, sb_action *action);
extern const char *const core_masks[]; /* the words of the option `mask`: `sound`, `published` */
/* The mask of effective actions or, if `published`, of valid ones, clicks one by one: sb_env.n_actions entries. */
void core_action_mask(const sb_env *env, bool published, bool *mask);
/* Lists of the actions that the published environments call valid: as numbers, and as names. */
PyObject *core_valid_actions(const sb_env *env);
PyObject *core_valid_names(core *c, const sb_env *env);
/* Lists of valid actions in which one entry stands for all clicks: the number of the first, and the name `click`. */
PyObject *core_valid_entries(const sb_env *env);
PyObject *core_valid_entry_names(const sb_env *env);

#endif
