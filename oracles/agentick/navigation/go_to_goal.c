/* The expert of GoToGoal: at every step it weighs the risk of meeting a guard against the remaining way.
 *
 * A guard walks straight on until it bounces and then turns at random, so its possible places spread with every bounce.
 * For a few steps ahead the chances of each guard are computed exactly (guards are independent of each other and of the
 * agent); the rest is in oracles/kits/risk.h. */
#include "generators/agentick/navigation/go_to_goal.h"

#include <string.h>

#include "engine/gridworld/parts/movers.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"
#include "oracles/kits/risk.h"

/* The best values of a grid search on training seeds. */
static const float STEP_COST = 0.02F, FADE = 0.4F;

enum { HORIZON = SB_RISK_HORIZON, CELLS = SB_RISK_CELLS };

typedef struct memory { /* working memory: nothing is remembered */
    sb_risk risk;
    float chance[2][CELLS][4]; /* for one guard: the chance of being at the cell with the heading */
} memory;

/* ---- Guards ---- */

/* The cells that a guard can reach within the horizon are in a square around its post. */
typedef struct square {
    int left, right, top, bottom; /* all included, and inside the border */
} square;

static square within(const sb_episode *e, sb_xy post, int steps) {
    const int right = e->width - 2, bottom = e->height - 2;
    return (square){post.x - steps > 1 ? post.x - steps : 1, post.x + steps < right ? post.x + steps : right,
                    post.y - steps > 1 ? post.y - steps : 1, post.y + steps < bottom ? post.y + steps : bottom};
}

/* Computes one step of a guard's chances at a cell; adds to `met` the chance that the guard was there or came there in
 * this step. */
static void propagate(const sb_episode *e, sb_xy at, float (*now)[4], float (*next)[4], float *met) {
    const int i = sb_index(e, at);
    for (int h = 0; h < 4; h++) {
        const float chance = now[i][h];
        if (chance == 0) continue;
        const sb_xy ahead = sb_beside(at, sb_nswe[h]);
        met[i] += chance;
        if (sb_may_patrol(e, ahead)) {
            const int to = sb_index(e, ahead);
            next[to][h] += chance;
            met[to] += chance;
        } else {
            for (int turned = 0; turned < 4; turned++) next[i][turned] += chance / 4;
        }
    }
}

/* Adds the risk of a guard at a post with these chances of headings. */
static void weigh_guard(memory *m, const sb_episode *e, sb_xy post, const float heading[4]) {
    memset(m->chance[0], 0, sizeof m->chance[0]);
    memcpy(m->chance[0][sb_index(e, post)], heading, sizeof m->chance[0][0]);
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
                m->risk.stays[t][i] *= 1 - (there < 1 ? there : 1);
                m->risk.enters[t][i] *= 1 - (met[i] < 1 ? met[i] : 1);
            }
    }
}

/* ---- The expert ---- */

typedef float headings[SB_GO_TO_GOAL_GUARDS][4]; /* the chance of each heading, for each guard */

static void decide(memory *m, const sb_episode *e, headings heading, sb_budget *budget, sb_action *action,
                   sb_intent *intent) {
    const sb_go_to_goal_vars *v = SB_VARS(e);
    sb_risk_begin(&m->risk, e);
    for (int g = 0; g < v->n_guards; g++) weigh_guard(m, e, v->guard[g], heading[g]);
    for (int i = 0; i < sb_n_cells(e); i++) m->risk.open.cell[i] = e->cells[i].terrain == SB_EMPTY; /* hazards kill */
    m->risk.horizon = HORIZON, m->risk.step_cost = STEP_COST, m->risk.fade = FADE;
    *action = sb_risk_choose(&m->risk, e, v->goal, budget);
    if (*action == SB_NOOP)
        sb_wait_for_nearest(intent, e, "guard", v->guard, v->n_guards);
    else
        sb_intend(intent, "go to", "goal", v->goal);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    const sb_episode *e = sb_episode_of(observation->env);
    const sb_go_to_goal_vars *v = SB_VARS(e);
    headings heading = {{0}};
    for (int g = 0; g < v->n_guards; g++) heading[g][v->heading[g]] = 1;
    decide(memory_, e, heading, budget, action, intent);
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

/* ---- The observer ---- */

/* Headings are not visible, but a guard that has just moved shows its heading, and one that has not draws a new one. So
 * the observer propagates the chances from the last step and keeps those that agree with what it sees. */
typedef struct notes {
    float chance[CELLS][4]; /* chance that a guard is at the cell with the heading */
    memory expert;
} notes;

/* If nothing is known about a guard, as at the start, every heading is equally likely. */
static void watch(notes *n, const sb_episode *e, headings heading) {
    const sb_go_to_goal_vars *v = SB_VARS(e);
    float next[CELLS][4] = {{0}}, met[CELLS] = {0};
    for (int i = 0; i < sb_n_cells(e); i++) propagate(e, sb_xy_of(e, i), n->chance, next, met);
    memset(n->chance, 0, sizeof n->chance);
    for (int g = 0; g < v->n_guards; g++) {
        const int at = sb_index(e, v->guard[g]);
        const float sum = next[at][0] + next[at][1] + next[at][2] + next[at][3];
        for (int h = 0; h < 4; h++) heading[g][h] = sum > 0 ? next[at][h] / sum : 0.25F;
        memcpy(n->chance[at], heading[g], sizeof heading[g]);
    }
}

static void act_on_notes(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                         sb_intent *intent) {
    notes *n = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    headings heading;
    watch(n, e, heading);
    decide(&n->expert, e, heading, budget, action, intent);
}

/* Draws the heading of each guard. */
static void imagine(const void *memory_, sb_env *env, sb_rng *rng) {
    const notes *n = memory_;
    sb_episode *e = env->state;
    sb_go_to_goal_vars *v = SB_VARS(e);
    for (int g = 0; g < v->n_guards; g++) {
        const float *chance = n->chance[sb_index(e, v->guard[g])];
        double sum = 0;
        for (int h = 0; h < 4; h++)
            if (sb_draw_next(rng, (double)chance[h], &sum)) v->heading[g] = (int8_t)h;
    }
}

const sb_oracle sb_go_to_goal_observer = {
    .family = "agentick",
    .task = "GoToGoal-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 1, /* easy: no guards */
    .remembers = offsetof(notes, expert),
    .memory = sizeof(notes),
    .act = act_on_notes,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

typedef struct patrol {
    int agent, n, cell[SB_GO_TO_GOAL_GUARDS], heading[SB_GO_TO_GOAL_GUARDS];
} patrol;

typedef struct patrolled {
    sb_episode e;
    float now[CELLS][4], next[CELLS][4], met[CELLS];
} patrolled;

static void pack(void *memory_, const sb_episode *e, void *state) {
    patrolled *m = memory_;
    patrol *p = state;
    const sb_go_to_goal_vars *v = SB_VARS(e);
    sb_episode_copy(&m->e, e);
    p->agent = sb_index(e, e->agent.at), p->n = v->n_guards;
    for (int g = 0; g < p->n; g++) p->cell[g] = sb_index(e, v->guard[g]), p->heading[g] = v->heading[g];
}

/* Draws what follows for one guard, by the chances of the risk. */
static void draw_guard(patrolled *m, int *cell, int *heading, sb_rng *rng) {
    const sb_xy from = sb_xy_of(&m->e, *cell);
    float drawn = (float)(sb_next64(rng) >> 40) * 0x1p-24F;
    memset(m->now, 0, sizeof m->now), memset(m->next, 0, sizeof m->next);
    m->now[*cell][*heading] = 1;
    propagate(&m->e, from, m->now, m->next, m->met);
    for (int i = 0; i < sb_n_cells(&m->e); i++)
        for (int h = 0; h < 4; h++) {
            if (m->next[i][h] > 0 && drawn >= 0 && drawn < m->next[i][h]) *cell = i, *heading = h;
            drawn -= m->next[i][h];
        }
}

static sb_packed_outcome draw(void *memory_, void *state, sb_action action, sb_rng *rng) {
    patrolled *m = memory_;
    patrol *p = state;
    bool is_met = false;
    if (action == SB_INTERACT) return SB_PACKED_SKIPPED;
    if (action != SB_NOOP) {
        const sb_xy to = sb_beside(sb_xy_of(&m->e, p->agent), sb_direction_of(action));
        if (sb_peek(&m->e, to)->terrain != SB_EMPTY) return SB_PACKED_SKIPPED; /* hazards kill */
        p->agent = sb_index(&m->e, to);
    }
    for (int g = 0; g < p->n; g++) {
        is_met |= action != SB_NOOP && p->cell[g] == p->agent;
        draw_guard(m, &p->cell[g], &p->heading[g], rng);
        is_met |= p->cell[g] == p->agent;
    }
    return is_met ? SB_PACKED_LOST : SB_PACKED_GOES_ON;
}

static int tell(const void *memory_, const void *state, int32_t numbers[SB_PACKED_NUMBERS]) {
    (void)memory_;
    const patrol *p = state;
    int n = 0;
    numbers[n++] = p->agent;
    for (int g = 0; g < p->n; g++) numbers[n++] = p->cell[g], numbers[n++] = p->heading[g];
    return n;
}

const sb_packed_rule sb_go_to_goal_rule = {
    .task = "GoToGoal-v0",
    .memory = sizeof(patrolled),
    .state_size = sizeof(patrol),
    .pack = pack,
    .draw = draw,
    .tell = tell,
};
