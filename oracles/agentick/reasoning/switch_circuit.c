/* The expert of SwitchCircuit: breadth-first search over all that can change: where the agent stands and looks, and
 * which switches are on. It takes the fewest steps there are; of several such plans the first in the order of the
 * actions, so that a fresh search and a remembered plan agree. Where a switch blocks its door for good, the search
 * proves that there is no way. */
#include "generators/agentick/reasoning/switch_circuit.h"

#include <string.h>

#include "oracles/search/plan.h"
#include "oracles/search/search.h"

enum { CELLS = 19 * 19, STATES = CELLS * 4 << SB_SWITCH_CIRCUIT_SWITCHES };

typedef struct situation {
    uint16_t cell;
    uint8_t facing, on; /* bit i of `on` set if switch i is on, and door i open */
} situation;

typedef struct memory {
    sb_plan plan;
    /* The map: constant through the episode. */
    bool solid[CELLS];                       /* walls and switches */
    int8_t switch_at[CELLS], door_at[CELLS]; /* -1: none */
    int goal, step_of[4];
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(situation), STATES)];
} memory;

/* ---- Situations ---- */

static situation situation_of(const sb_episode *e) {
    const sb_switch_circuit_vars *v = SB_VARS(e);
    situation s = {.cell = (uint16_t)sb_index(e, e->agent.at), .facing = e->agent.facing};
    for (int i = 0; i < v->n_switches; i++) s.on |= (uint8_t)(sb_switch_circuit_is_on(e, i) << i);
    return s;
}

static void draw_map(memory *m, const sb_episode *e) {
    const sb_switch_circuit_vars *v = SB_VARS(e);
    m->goal = sb_index(e, v->goal);
    for (int i = 0; i < sb_n_cells(e); i++) m->solid[i] = !sb_cell_passable(&e->cells[i]);
    memset(m->switch_at, -1, sizeof m->switch_at);
    memset(m->door_at, -1, sizeof m->door_at);
    for (int i = 0; i < v->n_switches; i++) {
        const int door = sb_index(e, v->door[i]);
        m->switch_at[sb_index(e, v->at[i])] = (int8_t)i;
        m->door_at[door] = (int8_t)i;
        m->solid[door] = false; /* is_shut tells */
    }
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) m->step_of[d] = sb_delta[d].y * e->width + sb_delta[d].x;
}

static bool is_shut(const memory *m, const situation *s, int cell) {
    return m->door_at[cell] >= 0 && !(s->on >> m->door_at[cell] & 1);
}

/* The rules of the task on situations. */
static situation after(const memory *m, situation s, sb_action action) {
    if (action == SB_INTERACT) {
        const int faced = s.cell + m->step_of[s.facing];
        if (m->switch_at[faced] >= 0) s.on ^= (uint8_t)(1u << m->switch_at[faced]);
        return s;
    }
    s.facing = (uint8_t)sb_direction_of(action);
    const int to = s.cell + m->step_of[s.facing];
    if (!m->solid[to] && !is_shut(m, &s, to)) s.cell = (uint16_t)to;
    return s;
}

/* ---- Search ---- */

static void expand(void *context, const void *state, sb_search *search) {
    const memory *m = context;
    const situation *here = state;
    for (sb_action action = SB_MOVE_UP; action <= SB_INTERACT; action++) {
        const situation there = after(m, *here, action);
        sb_search_add(search, &there, (uint32_t)action, 1, there.cell == m->goal);
    }
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const situation start = situation_of(e);
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = m, .max_cost = e->max_steps - e->clock};
    draw_map(m, e);
    return sb_plan_search(&m->plan, e, m->search, STATES, &problem, &start, budget);
}

static sb_verdict judge(void *memory, const sb_env *env, sb_budget *budget) {
    return make_plan(memory, sb_episode_of(env), budget);
}

/* ---- Acting ---- */

/* The next switch that the plan turns on, else the goal. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    const sb_switch_circuit_vars *v = SB_VARS(e);
    situation s = situation_of(e);
    for (int i = m->plan.next; i < m->plan.n; i++) {
        const situation next = after(m, s, m->plan.actions[i]);
        if (next.on != s.on) {
            const int faced = s.cell + m->step_of[s.facing];
            sb_intend(intent, next.on > s.on ? "turn on" : "turn off", "switch", v->at[m->switch_at[faced]]);
            return;
        }
        s = next;
    }
    sb_intend(intent, "go to", "goal", v->goal);
}

static void act(void *memory_, const sb_sight *sight, sb_budget *budget, sb_action *action, sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(sight->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(m, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_give_up(action, intent);
}

const sb_oracle sb_switch_circuit_expert = {
    .family = "agentick",
    .task = "SwitchCircuit-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
    .judge = judge,
};
