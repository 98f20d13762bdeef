#include "rollout/rules.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

void sb_rules_name(const sb_family *family, const sb_task_info *task, char rules[SB_RULES_NAME]) {
    const char *own = task ? task->rules : NULL;
    snprintf(rules, SB_RULES_NAME, "%s %s%s%s", family->name, family->version, own ? " " : "", own ? own : "");
}

bool sb_rules_agree(const char *what, const char *said, const char *rules, sb_error *error) {
    return strcmp(said, rules) == 0 ||
           sb_fail(error, SB_VERSION_OTHER,
                   "%s under the rules `%.40s`; this program has the rules `%s`: make it again, or use the version of "
                   "Seedbed that made it",
                   what, said, rules);
}
