#include "oracles/oracle.h"

#include <stdio.h>
#include <string.h>

static bool plays(const sb_oracle *oracle, const char *family, const char *task) {
    if (strcmp(oracle->family, family) != 0) return false;
    return oracle->task ? strcmp(oracle->task, task) == 0 : !oracle->plays || oracle->plays(task);
}

static const sb_oracle *find(const char *family, const char *task, const char *name) {
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++)
        if (plays(*oracle, family, task) && strcmp((*oracle)->name, name) == 0) return *oracle;
    return NULL;
}

const sb_oracle *sb_oracle_find(const char *family, const char *task, const char *name) {
    const sb_oracle *oracle = find(family, task, name);
    if (oracle) return oracle;
    if (strcmp(name, sb_oracle_names[SB_SEES_FUTURE]) == 0) return &sb_clairvoyant;
    if (strcmp(name, sb_oracle_names[SB_SEES_OBSERVATIONS]) != 0) return NULL;
    oracle = find(family, task, sb_oracle_names[SB_SEES_STATE]);
    return oracle && oracle->sees == SB_SEES_OBSERVATIONS ? oracle : NULL;
}

const sb_oracle *sb_oracle_that_assists(const char *family, const char *task) {
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++)
        if ((*oracle)->assist && plays(*oracle, family, task)) return *oracle;
    return NULL;
}

const char *const sb_oracle_names[SB_N_SEES] = {"observer", "expert", "clairvoyant"};

static bool is_usual(const char *name) {
    for (int i = 0; i < SB_N_SEES; i++)
        if (strcmp(sb_oracle_names[i], name) == 0) return true;
    return false;
}

const char *sb_teacher_of(const sb_family *family, const char *task) {
    const char *observer = sb_oracle_names[SB_SEES_OBSERVATIONS];
    if (!family->teacher) return observer;
    const bool explores = !sb_aims_at_success(family->teacher);
    return explores && task && sb_oracle_find(family->name, task, observer) ? observer : family->teacher;
}

const char *sb_default_agent(const sb_name *name) {
    sb_error unknown;
    const char *expert = sb_oracle_names[SB_SEES_STATE];
    if (sb_oracle_find(name->family, name->task, expert)) return expert;
    const sb_family *family = sb_family_find(name->family, &unknown);
    return family ? sb_teacher_of(family, name->task) : expert;
}

bool sb_aims_at_success(const char *agent) {
    bool known = is_usual(agent);
    for (const sb_oracle *const *oracle = sb_oracles; *oracle; oracle++) {
        if (strcmp((*oracle)->name, agent) != 0) continue;
        if ((*oracle)->baseline) return false;
        known = true;
    }
    return known;
}

bool sb_is_privileged(const char *family, const char *task, const char *agent) {
    const sb_oracle *oracle = sb_oracle_find(family, task, agent);
    return oracle && oracle->sees != SB_SEES_OBSERVATIONS;
}

size_t sb_oracles_of(const char *family, const char *task, const char *names[SB_ORACLES_MAX]) {
    size_t n = 0;
    for (int i = 0; i < SB_N_SEES; i++)
        if (sb_oracle_find(family, task, sb_oracle_names[i])) names[n++] = sb_oracle_names[i];
    for (const sb_oracle *const *oracle = sb_oracles; *oracle && n < SB_ORACLES_MAX; oracle++)
        if (plays(*oracle, family, task) && !is_usual((*oracle)->name)) names[n++] = (*oracle)->name;
    return n;
}

void sb_intend(sb_intent *intent, const char *verb, const char *object, sb_xy at) {
    intent->verb = verb;
    snprintf(intent->object, sizeof intent->object, "%s", object);
    intent->at = at;
}

const char sb_gives_up[] = "give up", sb_verb_move[] = "move";

void sb_give_up(sb_intent *intent, const char *why) { sb_intend(intent, sb_gives_up, why, (sb_xy){-1, -1}); }
