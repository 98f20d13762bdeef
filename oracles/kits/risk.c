#include "oracles/kits/risk.h"

void sb_risk_begin(sb_risk *risk, const sb_episode *e) {
    for (int t = 0; t < SB_RISK_HORIZON; t++)
        for (int i = 0; i < sb_n_cells(e); i++) risk->stays[t][i] = risk->enters[t][i] = 1;
}

/* Returns the expected cost of taking the action in `from` at step t; `after` holds the values of the next step. */
static float cost_of(const sb_risk *r, const sb_episode *e, int t, sb_xy from, sb_action action, const float *after,
                     float fading) {
    const sb_xy to = action == SB_NOOP ? from : sb_beside(from, sb_direction_of(action));
    if (!sb_inside(e, to) || !sb_reached(&r->way, e, to))
        return 2; /* only turns the agent, which is no better than waiting: never chosen */
    const int i = sb_index(e, to);
    const float risk = fading * (1 - (action == SB_NOOP ? r->stays[t][i] : r->enters[t][i]));
    return r->step_cost + risk + (1 - risk) * after[i];
}

static const sb_action actions[] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static float least_cost(const sb_risk *r, const sb_episode *e, int t, sb_xy from, const float *after, float fading,
                        sb_action *best) {
    float least = 3;
    for (int k = 0; k < N_ACTIONS; k++) {
        const float cost = cost_of(r, e, t, from, actions[k], after, fading);
        if (cost < least) least = cost, *best = actions[k];
    }
    return least;
}

sb_action sb_risk_choose(sb_risk *r, const sb_episode *e, sb_xy goal, sb_budget *budget) {
    const int goal_index = sb_index(e, goal);
    float fading[SB_RISK_HORIZON] = {1};
    sb_action action = SB_NOOP;
    for (int t = 1; t < SB_RISK_HORIZON; t++) fading[t] = fading[t - 1] * r->fade;
    sb_reach_from(&r->way, e, &r->open, goal, sb_nesw);
    if (!sb_reached(&r->way, e, e->agent.at)) return SB_NOOP;
    float *beyond = r->value[SB_RISK_HORIZON % 2];
    for (int k = 0; k < r->way.n; k++) {
        const int i = sb_index(e, r->way.order[k]);
        beyond[i] = r->step_cost * r->way.distance[i];
    }
    for (int t = SB_RISK_HORIZON - 1; t > 0; t--) {
        float *now = r->value[t % 2];
        for (int k = 0; k < r->way.n; k++) {
            const sb_xy p = r->way.order[k];
            if (sb_manhattan(p, e->agent.at) > t) continue; /* the agent cannot be there at step t */
            budget->spent++;
            now[sb_index(e, p)] = least_cost(r, e, t, p, r->value[(t + 1) % 2], fading[t], &action);
        }
        now[goal_index] = 0;
    }
    least_cost(r, e, 0, e->agent.at, r->value[1], fading[0], &action);
    return action;
}
