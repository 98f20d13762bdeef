/* The expert of TreasureHunt: takes the fewest steps over all treasures, found by breadth-first search over (cell,
 * treasures left). */
#include "generators/agentick/memory/treasure_hunt.h"

#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/plan.h"

enum { CELLS = 18 * 18, N_STATES = 1 << 14 };

typedef struct state {
    int16_t at;        /* index of a cell */
    uint8_t left;      /* treasures that are left, one bit each */
    uint8_t has_begun; /* 0: the next step is the first one, and finds nothing */
} state;

typedef struct memory {
    sb_plan plan;
    /* Working memory for planning. */
    const sb_episode *e;
    int step_of[4];
    uint8_t treasure[CELLS]; /* the bit of the treasure in the cell */
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(state), N_STATES)];
} memory;

static bool is_hidden(const sb_episode *e, sb_xy treasure) { return sb_peek(e, treasure)->object != SB_GOAL; }

static void expand(void *context, const void *from, sb_search *search) {
    const memory *m = context;
    const state *before = from;
    for (sb_action action = SB_NOOP; action <= SB_MOVE_RIGHT; action++) {
        state after = {before->at, before->left, true};
        if (action != SB_NOOP) {
            after.at = (int16_t)(before->at + m->step_of[sb_direction_of(action)]);
            if (!sb_terrain_walkable(m->e->cells[after.at].terrain)) continue;
            if (before->has_begun) after.left &= (uint8_t)~m->treasure[after.at];
        }
        sb_search_add(search, &after, (uint32_t)action, 1, after.left == 0);
    }
}

static state begin(memory *m, const sb_episode *e) {
    const sb_treasure_hunt_vars *v = SB_VARS(e);
    state start = {(int16_t)sb_index(e, e->agent.at), 0, v->has_begun};
    m->e = e;
    sb_index_steps(e, m->step_of);
    memset(m->treasure, 0, sizeof m->treasure);
    for (int i = 0; i < v->n_treasures; i++) {
        if (!is_hidden(e, v->treasure[i])) continue;
        m->treasure[sb_index(e, v->treasure[i])] = (uint8_t)(1u << i);
        start.left |= (uint8_t)(1u << i);
    }
    return start;
}

static void make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const state start = begin(m, e);
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = m, .max_cost = e->max_steps - e->clock};
    sb_plan_search(&m->plan, e, m->search, N_STATES, &problem, &start, budget);
}

/* Returns the first treasure on the rest of the plan, including the action that is being taken. */
static sb_xy next_treasure(const sb_plan *plan, const sb_episode *e) {
    const sb_treasure_hunt_vars *v = SB_VARS(e);
    sb_xy at = e->agent.at;
    for (int i = plan->next - 1; i < plan->n; i++) {
        const sb_direction ahead = sb_direction_of(plan->actions[i]);
        if (ahead == SB_NOWHERE) continue;
        at = sb_beside(at, ahead);
        for (int k = 0; k < v->n_treasures; k++)
            if (sb_same(v->treasure[k], at) && is_hidden(e, at)) return at;
    }
    return at;
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    if (sb_plan_next(&m->plan, e, action))
        sb_intend(intent, "go to", "treasure", next_treasure(&m->plan, e));
    else
        sb_plan_give_up(&m->plan, NULL, action, intent);
}

const sb_oracle sb_treasure_hunt_expert = {
    .family = "agentick",
    .task = "TreasureHunt-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *memory_, const sb_episode *e, void *state_) {
    state *s = state_;
    *s = begin(memory_, e);
}

const sb_packed_rule sb_treasure_hunt_rule = {
    .task = "TreasureHunt-v0",
    .memory = sizeof(memory),
    .state_size = sizeof(state),
    .pack = pack,
    .expand = expand,
};
