#include "oracles/oracle.h"

#include <stdio.h>
#include <string.h>

static bool plays(const sb_oracle *oracle, const char *family, const char *task) {
    return strcmp(oracle->family, family) == 0 && (!oracle->task || strcmp(oracle->task, task) == 0);
}

static const sb_oracle *find(const char *family, const char *task, const char *name) {
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++)
        if (plays(*oracle, family, task) && strcmp((*oracle)->name, name) == 0) return *oracle;
    return NULL;
}

const sb_oracle *sb_oracle_find(const char *family, const char *task, const char *name) {
    const sb_oracle *oracle = find(family, task, name);
    if (oracle || strcmp(name, sb_oracle_names[SB_SEES_OBSERVATIONS]) != 0) return oracle;
    oracle = find(family, task, sb_oracle_names[SB_SEES_STATE]);
    return oracle && oracle->sees == SB_SEES_OBSERVATIONS ? oracle : NULL;
}

const char *const sb_oracle_names[SB_N_SEES] = {"observer", "expert", "clairvoyant"};

void sb_intend(sb_intent *intent, const char *verb, const char *object, sb_xy at) {
    intent->verb = verb;
    snprintf(intent->object, sizeof intent->object, "%s", object);
    intent->at = at;
}
