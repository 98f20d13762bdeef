#include "oracles/kits/risk.h"

const sb_action sb_risk_actions[SB_RISK_ACTIONS] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};

sb_risk_step sb_risk_step_on(const sb_episode *e, const sb_reach *within, float step_cost) {
    return (sb_risk_step){.within = within, .ahead = {-e->width, e->width, -1, 1}, .step_cost = step_cost, .fading = 1};
}

void sb_risk_begin(sb_risk *r, const sb_episode *e) {
    for (int t = 0; t < SB_RISK_HORIZON; t++)
        for (int i = 0; i < sb_n_cells(e); i++) r->stays[t][i] = r->enters[t][i] = 1;
}

void sb_wait_for_nearest(sb_intent *intent, const sb_episode *e, const char *mover, const sb_xy *at, int n) {
    int nearest = 0;
    for (int i = 1; i < n; i++)
        if (sb_manhattan(at[i], e->agent.at) < sb_manhattan(at[nearest], e->agent.at)) nearest = i;
    sb_intend(intent, "wait for", mover, at[nearest]);
}

static float least_cost(const sb_risk_step *step, int from, int *best) {
    float least = 3;
    for (int k = 0; k < SB_RISK_ACTIONS; k++) {
        const float cost = sb_risk_cost(step, from, k);
        if (cost < least) least = cost, *best = k;
    }
    return least;
}

static sb_risk_step step_at(const sb_risk *r, const sb_episode *e, int t) {
    sb_risk_step step = sb_risk_step_on(e, &r->way, r->step_cost);
    for (int i = 0; i < t; i++) step.fading *= r->fade;
    step.stays = r->stays[t], step.enters = r->enters[t], step.after = r->value[t + 1];
    return step;
}

void sb_risk_estimate(sb_risk *r, const sb_episode *e, sb_xy goal, sb_budget *budget) {
    int best;
    sb_reach_from(&r->way, e, &r->open, goal, sb_nesw);
    for (int k = 0; k < r->way.n; k++) {
        const int i = sb_index(e, r->way.order[k]);
        r->value[r->horizon][i] = r->step_cost * r->way.distance[i];
    }
    for (int t = r->horizon - 1; t > 0; t--) {
        const sb_risk_step step = step_at(r, e, t);
        for (int k = 0; k < r->way.n; k++) {
            const sb_xy p = r->way.order[k];
            if (sb_manhattan(p, e->agent.at) > t) continue; /* the agent cannot be there by then */
            budget->spent++;
            r->value[t][sb_index(e, p)] = least_cost(&step, sb_index(e, p), &best);
        }
        r->value[t][sb_index(e, goal)] = 0;
    }
}

sb_action sb_risk_choose(sb_risk *r, const sb_episode *e, sb_xy goal, sb_budget *budget) {
    int best = SB_RISK_ACTIONS - 1;
    sb_risk_estimate(r, e, goal, budget);
    const sb_risk_step first = step_at(r, e, 0);
    if (sb_reached(&r->way, e, e->agent.at)) least_cost(&first, sb_index(e, e->agent.at), &best);
    return sb_risk_actions[best];
}
