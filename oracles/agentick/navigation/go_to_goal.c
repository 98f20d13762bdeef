/* The expert of GoToGoal: at every step it weighs the risk of meeting a guard against the way that is left.
 *
 * A guard walks straight on until it bounces and then turns at random, so where it will be is a chance that spreads
 * with every bounce. For HORIZON steps ahead the chances of all guards are propagated exactly (each guard is
 * independent of everything else); then backward induction over (step, cell) gives the move of least expected cost,
 * where dying costs 1 and a step STEP_COST. The agent will see the guards turn and can still react, so a risk counts
 * less the further ahead it lies: FADE a step. (Both constants are the best of a grid, on training seeds.) */
#include "generators/agentick/navigation/go_to_goal.h"

#include <string.h>

#include "engine/gridworld/search.h"
#include "oracles/oracle.h"

enum { HORIZON = 10, GUARDS = SB_GO_TO_GOAL_GUARDS, CELLS = 20 * 20 };
static const double STEP_COST = 0.02, FADE = 0.4;

typedef struct memory { /* scratch: nothing is remembered */
    /* Chance of not dying by being in (or entering) the cell in step t + 1. */
    float stays[HORIZON][CELLS], enters[HORIZON][CELLS];
    float chance[2][CELLS][4]; /* of one guard: at the cell with the heading */
    float value[2][CELLS];     /* expected cost from (step, cell) on */
    sb_reach way;              /* distances to the goal */
} memory;

/* ---- Guards ---- */

/* Where a guard can be after so many steps: within a square around its post. */
typedef struct square {
    int left, right, top, bottom; /* all included, and inside the border */
} square;

static square within(const sb_episode *e, sb_xy post, int steps) {
    const int right = e->width - 2, bottom = e->height - 2;
    return (square){post.x - steps > 1 ? post.x - steps : 1, post.x + steps < right ? post.x + steps : right,
                    post.y - steps > 1 ? post.y - steps : 1, post.y + steps < bottom ? post.y + steps : bottom};
}

/* One step of a guard's chances at a cell; `met` gets the chance of having been or come there in this step. */
static void propagate(const sb_episode *e, sb_xy at, float (*now)[4], float (*next)[4], float *met) {
    const int i = sb_index(e, at);
    for (int h = 0; h < 4; h++) {
        const float chance = now[i][h];
        if (chance == 0) continue;
        const sb_xy ahead = sb_beside(at, sb_nswe[h]);
        met[i] += chance;
        if (sb_go_to_goal_guard_may_enter(e, ahead)) {
            const int to = sb_index(e, ahead);
            next[to][h] += chance;
            met[to] += chance;
        } else {
            for (int turned = 0; turned < 4; turned++) next[i][turned] += chance / 4;
        }
    }
}

static void weigh_guard(memory *m, const sb_episode *e, sb_xy post, int heading) {
    memset(m->chance[0], 0, sizeof m->chance[0]);
    m->chance[0][sb_index(e, post)][heading] = 1;
    for (int t = 0; t < HORIZON; t++) {
        float met[CELLS] = {0}, (*now)[4] = m->chance[t % 2], (*next)[4] = m->chance[(t + 1) % 2];
        const square from = within(e, post, t), to = within(e, post, t + 1);
        memset(next, 0, sizeof m->chance[0]);
        for (int y = from.top; y <= from.bottom; y++)
            for (int x = from.left; x <= from.right; x++) propagate(e, sb_at(x, y), now, next, met);
        for (int y = to.top; y <= to.bottom; y++)
            for (int x = to.left; x <= to.right; x++) {
                const int i = sb_index(e, sb_at(x, y));
                const float there = next[i][0] + next[i][1] + next[i][2] + next[i][3];
                m->stays[t][i] *= 1 - (there < 1 ? there : 1);
                m->enters[t][i] *= 1 - (met[i] < 1 ? met[i] : 1);
            }
    }
}

static void weigh_guards(memory *m, const sb_episode *e) {
    const sb_go_to_goal_vars *v = SB_VARS(e);
    for (int t = 0; t < HORIZON; t++)
        for (int i = 0; i < sb_n_cells(e); i++) m->stays[t][i] = m->enters[t][i] = 1;
    for (int g = 0; g < v->n_guards; g++) weigh_guard(m, e, v->guard[g], v->heading[g]);
}

/* ---- The way ---- */

static void measure_way(memory *m, const sb_episode *e, sb_xy goal) {
    sb_open open;
    for (int i = 0; i < sb_n_cells(e); i++) open.cell[i] = e->cells[i].terrain == SB_EMPTY;
    sb_reach_from(&m->way, e, &open, goal, sb_nesw);
}

/* Expected cost of taking the action in `cell` at step t, when `after` holds the values of the next step. */
static float cost_of(const memory *m, const sb_episode *e, int t, sb_xy from, sb_action action, const float *after,
                     float fading) {
    sb_xy to = action == SB_NOOP ? from : sb_beside(from, sb_direction_of(action));
    if (!sb_inside(e, to) || m->way.parent[sb_index(e, to)] < 0) to = from; /* a wall turns the agent, a hazard kills */
    const int i = sb_index(e, to);
    if (action != SB_NOOP && sb_same(to, from)) return 2; /* no better than waiting: never chosen */
    const float risk = fading * (1 - (action == SB_NOOP ? m->stays[t][i] : m->enters[t][i]));
    return (float)STEP_COST + risk + (1 - risk) * after[i];
}

static const sb_action actions[] = {SB_MOVE_UP, SB_MOVE_DOWN, SB_MOVE_LEFT, SB_MOVE_RIGHT, SB_NOOP};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static float least_cost(const memory *m, const sb_episode *e, int t, sb_xy from, const float *after, float fading,
                        sb_action *best) {
    float least = 3;
    for (int k = 0; k < N_ACTIONS; k++) {
        const float cost = cost_of(m, e, t, from, actions[k], after, fading);
        if (cost < least) least = cost, *best = actions[k];
    }
    return least;
}

static sb_action choose(memory *m, const sb_episode *e, sb_xy goal, sb_budget *budget) {
    const int goal_index = sb_index(e, goal);
    float fading[HORIZON] = {1};
    sb_action action = SB_NOOP;
    for (int t = 1; t < HORIZON; t++) fading[t] = fading[t - 1] * (float)FADE;
    float *after = m->value[HORIZON % 2];
    for (int k = 0; k < m->way.n; k++) {
        const int i = sb_index(e, m->way.order[k]);
        after[i] = (float)STEP_COST * m->way.distance[i];
    }
    for (int t = HORIZON - 1; t > 0; t--) {
        float *now = m->value[t % 2];
        for (int k = 0; k < m->way.n; k++) {
            const sb_xy p = m->way.order[k];
            if (sb_manhattan(p, e->agent.at) > t) continue; /* cannot be there by then */
            budget->spent++;
            now[sb_index(e, p)] = least_cost(m, e, t, p, m->value[(t + 1) % 2], fading[t], &action);
        }
        now[goal_index] = 0;
    }
    least_cost(m, e, 0, e->agent.at, m->value[1], fading[0], &action);
    return action;
}

static void act(void *memory_, const sb_sight *sight, sb_budget *budget, sb_action *action, sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(sight->env);
    const sb_go_to_goal_vars *v = SB_VARS(e);
    measure_way(m, e, v->goal);
    weigh_guards(m, e);
    *action = choose(m, e, v->goal, budget);
    if (*action == SB_NOOP)
        sb_intend(intent, "wait for", "guard", v->guard[0]);
    else
        sb_intend(intent, "go to", "goal", v->goal);
}

const sb_oracle sb_go_to_goal_expert = {
    .family = "agentick",
    .task = "GoToGoal-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 1, /* easy: no guards */
    .memory = sizeof(memory),
    .act = act,
};
