/* Names of rules, and whether something was made under those that this program has. */
#ifndef SB_ROLLOUT_RULES_H
#define SB_ROLLOUT_RULES_H

#include "base/json.h"
#include "engine/contract.h"

enum { SB_RULES_NAME = 32 };

/* Writes the name of the rules: family and version (`agentick 1`), and the task's own version if it has one. The task
 * may be NULL. A tape replays only under the rules it was made under. */
void sb_rules_name(const sb_family *family, const sb_task_info *task, char rules[SB_RULES_NAME]);
/* Fails with SB_VERSION_OTHER unless something was made under the rules that this program has; `what` says what was:
 * `the tape was made`. */
bool sb_rules_agree(const char *what, const char *said, const char *rules, sb_error *error);

/* As sb_rules_agree, for a task and a list of names (sb_selection_put_rules), or a single one. */
bool sb_rules_agree_with(const char *what, const cJSON *said, const sb_family *family, const sb_task_info *task,
                         sb_error *error);

#endif
