#include "oracles/oracle.h"

#include <stdio.h>
#include <string.h>

const sb_oracle *sb_oracle_find(const char *family, const char *task, const char *name) {
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++)
        if (strcmp((*oracle)->family, family) == 0 && strcmp((*oracle)->task, task) == 0 &&
            strcmp((*oracle)->name, name) == 0)
            return *oracle;
    return NULL;
}

void sb_intend(sb_intent *intent, const char *verb, const char *object, sb_xy at) {
    intent->verb = verb;
    snprintf(intent->object, sizeof intent->object, "%s", object);
    intent->at = at;
}
