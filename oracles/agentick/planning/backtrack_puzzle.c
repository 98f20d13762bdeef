/* The expert of BacktrackPuzzle: breadth-first search over all that can change: where the agent stands and looks, and
 * which switches are on. It takes the fewest steps there are; of several such plans the first in the order of the
 * actions, so that a fresh search and a remembered plan agree. */
#include "generators/agentick/planning/backtrack_puzzle.h"

#include <string.h>

#include "oracles/search/plan.h"
#include "oracles/search/search.h"

enum { CELLS = 15 * 15, STATES = CELLS * 4 << SB_BACKTRACK_PUZZLE_SWITCHES };

typedef struct situation {
    uint8_t cell, facing, on; /* bit i of `on` set if switch i is activated */
} situation;

typedef struct memory {
    sb_plan plan;
    /* The map: constant through the episode. */
    bool wall[CELLS];
    int8_t switch_at[CELLS]; /* -1: none */
    int gate, goal, step_of[4];
    unsigned all; /* the switches */
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(situation), STATES)];
} memory;

/* ---- Situations ---- */

static situation situation_of(const sb_episode *e) {
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    situation s = {.cell = (uint8_t)sb_index(e, e->agent.at), .facing = e->agent.facing};
    for (int i = 0; i < v->n_switches; i++)
        if (sb_peek(e, v->at[i])->metadata == SB_BACKTRACK_PUZZLE_ON) s.on |= (uint8_t)(1u << i);
    return s;
}

static void draw_map(memory *m, const sb_episode *e) {
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    m->gate = sb_index(e, v->gate), m->goal = sb_index(e, v->goal);
    m->all = (1u << v->n_switches) - 1;
    for (int i = 0; i < sb_n_cells(e); i++) m->wall[i] = e->cells[i].terrain == SB_WALL && i != m->gate;
    memset(m->switch_at, -1, sizeof m->switch_at);
    for (int i = 0; i < v->n_switches; i++) m->switch_at[sb_index(e, v->at[i])] = (int8_t)i;
    sb_index_steps(e, m->step_of);
}

static bool is_off(const memory *m, const situation *s, int cell) {
    return m->switch_at[cell] >= 0 && !(s->on >> m->switch_at[cell] & 1);
}

/* The rules of the task on situations. */
static situation after(const memory *m, situation s, sb_action action) {
    if (action == SB_INTERACT) {
        const int faced = s.cell + m->step_of[s.facing];
        if (is_off(m, &s, faced)) s.on |= (uint8_t)(1u << m->switch_at[faced]);
        return s;
    }
    s.facing = (uint8_t)sb_direction_of(action);
    const int to = s.cell + m->step_of[s.facing];
    const bool is_shut = to == m->gate && s.on != m->all;
    if (!m->wall[to] && !is_shut && !is_off(m, &s, to)) s.cell = (uint8_t)to;
    return s;
}

/* ---- Search ---- */

static void expand(void *context, const void *state, sb_search *search) {
    const memory *m = context;
    const situation *here = state;
    for (sb_action action = SB_MOVE_UP; action <= SB_INTERACT; action++) {
        const situation there = after(m, *here, action);
        sb_search_add(search, &there, (uint32_t)action, 1, there.on == m->all && there.cell == m->goal);
    }
}

static void make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const situation start = situation_of(e);
    const sb_problem problem = {.state_size = sizeof start, .expand = expand, .context = m, .max_cost = e->max_steps};
    draw_map(m, e);
    sb_plan_search(&m->plan, e, m->search, STATES, &problem, &start, budget);
}

/* ---- Acting ---- */

/* The next switch that the plan activates, else the goal. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    situation s = situation_of(e);
    for (int i = m->plan.next; i < m->plan.n; i++) {
        const unsigned on = s.on;
        s = after(m, s, m->plan.actions[i]);
        if (s.on == on) continue;
        const int faced = s.cell + m->step_of[s.facing];
        sb_intend(intent, "activate", "switch", v->at[m->switch_at[faced]]);
        return;
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

const sb_oracle sb_backtrack_puzzle_expert = {
    .family = "agentick",
    .task = "BacktrackPuzzle-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
