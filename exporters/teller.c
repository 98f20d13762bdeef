#include "exporters/teller.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

bool sb_teller_can(const sb_export *export, const char *teller, sb_error *error) {
    const sb_selection *all = &export->episodes;
    sb_seen_pairs seen = {0};
    for (size_t i = 0; i < all->n; i++) {
        sb_name name;
        sb_resolved of;
        if (!sb_is_new_pair(&seen, &all->episodes[i])) continue;
        sb_selection_name(all, i, &name);
        if (!sb_resolve(all->catalogue, &name, &of, error)) return false;
        if (!sb_can_tell_costs(teller, &name, sb_criterion_of(&of), error)) return false;
    }
    return true;
}

bool sb_teller_read(const sb_export *export, const cJSON *options, const char **teller, sb_error *error) {
    *teller = sb_oracle_names[SB_SEES_STATE];
    if (!sb_json_optional_string(options, "teller", teller, error)) return false;
    return sb_teller_can(export, *teller, error) || sb_fail_at(error, "format %s", export->exporter->name);
}

bool sb_teller_is_open(const sb_export *export, const char *teller, sb_error *error) {
    const sb_selection *all = &export->episodes;
    sb_seen_pairs seen = {0};
    for (size_t i = 0; i < all->n; i++) {
        sb_name name;
        if (!sb_is_new_pair(&seen, &all->episodes[i])) continue;
        sb_selection_name(all, i, &name);
        if (sb_is_privileged(name.family, name.task, teller))
            return sb_fail(error, SB_INVALID,
                           "in %s the teller, %s, knows what the agent is not shown: leave the task or {rationale} "
                           "out, or say \"intents\": \"any\"",
                           name.task, teller);
    }
    return true;
}

static void clear(sb_teller *t) {
    sb_claimer_free(t->claimer);
    sb_costs_free(t->costs);
    free(t->list);
    *t = (sb_teller){0};
}

void sb_tellers_free(sb_tellers *tellers) {
    for (size_t i = 0; i < SB_TELLERS; i++) clear(&tellers->of[i]);
}

sb_teller *sb_teller_open(sb_tellers *tellers, const char *agent, sb_error *error) {
    sb_teller *t = tellers->of;
    while (t < tellers->of + SB_TELLERS - 1 && *t->agent && strcmp(t->agent, agent) != 0) t++;
    if (strcmp(t->agent, agent) != 0) clear(t); /* the last place serves all tellers that are too many */
    if (!t->costs && !(t->costs = sb_costs_make(agent, error))) return NULL;
    snprintf(t->agent, sizeof t->agent, "%s", agent);
    sb_costs_forget(t->costs);
    return t;
}

bool sb_teller_claim(sb_teller *t, const sb_env *env, sb_action action, const sb_intent *why, sb_depth depth,
                     sb_claims *claims, sb_error *error) {
    if (!t->claimer && !(t->claimer = sb_claimer_make(t->agent, t->costs, error))) return false;
    return sb_claims_find(t->claimer, env, action, why, depth, claims, error);
}

static bool make_room(sb_teller *t, size_t n, sb_error *error) {
    if (n <= t->room) return true;
    free(t->list);
    t->list = malloc(n * sizeof *t->list), t->room = t->list ? n : 0;
    return t->list || sb_fail(error, SB_MEMORY, "out of memory for the costs of %zu actions", n);
}

bool sb_teller_ask(sb_teller *teller, const sb_env *env, sb_error *error) {
    return make_room(teller, (size_t)env->n_actions, error) &&
           sb_costs_ask(teller->costs, env, teller->list, teller->room, &teller->n, error);
}

void sb_put_cost_number(sb_out *out, double value) { sb_put_double(out, round(value * 1e6) / 1e6); }
