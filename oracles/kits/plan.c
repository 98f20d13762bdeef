#include "oracles/kits/plan.h"

#include <string.h>

bool sb_plan_forget(void *memory, const sb_env *env, sb_budget *budget, sb_error *error) {
    (void)env, (void)budget, (void)error;
    sb_plan *plan = memory;
    plan->next = plan->n = 0;
    plan->verdict = SB_SOLVED, plan->is_begun = false;
    return true;
}

void sb_plan_begin(sb_plan *plan, const sb_episode *e) {
    plan->next = plan->n = 0;
    plan->verdict = SB_SOLVED, plan->is_begun = true, plan->clock = e->clock;
    sb_episode_copy(&plan->ahead, e);
    sb_episode_key(e, plan->expected);
}

void sb_plan_add(sb_plan *plan, sb_action action) {
    if (plan->n < SB_PLAN_MAX) plan->actions[plan->n++] = (uint8_t)action;
}

sb_verdict sb_plan_search(sb_plan *plan, const sb_episode *e, void *search, uint32_t n_states,
                          const sb_problem *problem, const void *start, sb_budget *budget) {
    uint32_t moves[SB_PLAN_MAX];
    sb_plan_begin(plan, e);
    const sb_verdict verdict = sb_search_run(search, n_states, problem, start, budget);
    plan->verdict = verdict;
    const int n = verdict == SB_SOLVED ? sb_search_plan(search, moves, SB_PLAN_MAX) : 0;
    for (int i = 0; i < n; i++) sb_plan_add(plan, (sb_action)moves[i]);
    return verdict;
}

bool sb_plan_holds(const sb_plan *plan, const sb_episode *e) {
    uint64_t key[2];
    if (plan->verdict != SB_SOLVED ? e->clock < plan->clock : plan->next >= plan->n)
        return false; /* at an earlier clock there was more time */
    sb_episode_key(e, key);
    return memcmp(key, plan->expected, sizeof key) == 0;
}

bool sb_plan_next(sb_plan *plan, const sb_episode *e, sb_action *action) {
    sb_result result;
    if (plan->verdict != SB_SOLVED || !sb_plan_holds(plan, e)) return false;
    *action = plan->actions[plan->next++];
    sb_episode_copy(&plan->ahead, e);
    sb_episode_step(&plan->ahead, *action, &result);
    sb_episode_key(&plan->ahead, plan->expected);
    return true;
}

void sb_plan_explain_push(const sb_plan *plan, const sb_episode *e, uint32_t pushed, sb_intent *intent) {
    sb_xy at = e->agent.at;
    for (int i = plan->next; i < plan->n; i++) {
        if (plan->actions[i] == SB_NOOP) continue;
        at = sb_beside(at, sb_direction_of(plan->actions[i]));
        const int object = sb_peek(e, at)->object;
        if (!(pushed >> object & 1)) continue;
        sb_intend(intent, "push", sb_object_names[object], at);
        return;
    }
}

void sb_plan_give_up(const sb_plan *plan, const char *why, sb_action *action, sb_intent *intent) {
    *action = SB_NOOP;
    if (!why) why = plan->verdict == SB_IMPOSSIBLE ? "no solution is left" : "no solution was found";
    sb_give_up(intent, why);
}
