#include "oracles/search/plan.h"

#include <string.h>

#include "oracles/search/search.h"

void sb_plan_begin(sb_plan *plan, const sb_episode *e) {
    plan->next = plan->n = 0;
    sb_episode_key(e, plan->expected);
}

void sb_plan_add(sb_plan *plan, sb_action action) {
    if (plan->n < SB_PLAN_MAX) plan->actions[plan->n++] = (uint8_t)action;
}

void sb_plan_take(sb_plan *plan, const void *search) {
    uint32_t moves[SB_PLAN_MAX];
    const int n = sb_search_plan(search, moves, SB_PLAN_MAX);
    for (int i = 0; i < n; i++) sb_plan_add(plan, (sb_action)moves[i]);
}

bool sb_plan_holds(const sb_plan *plan, const sb_episode *e) {
    uint64_t key[2];
    if (plan->next >= plan->n) return false;
    sb_episode_key(e, key);
    return memcmp(key, plan->expected, sizeof key) == 0;
}

bool sb_plan_next(sb_plan *plan, const sb_episode *e, sb_action *action) {
    sb_episode ahead; /* only the part that the episode uses is ever written */
    sb_result result;
    if (!sb_plan_holds(plan, e)) return false;
    *action = plan->actions[plan->next++];
    sb_episode_copy(&ahead, e);
    sb_episode_step(&ahead, *action, &result);
    sb_episode_key(&ahead, plan->expected);
    return true;
}

void sb_give_up(sb_action *action, sb_intent *intent) {
    *action = SB_NOOP;
    sb_intend(intent, "wait for", "nothing", sb_at(-1, -1));
}
