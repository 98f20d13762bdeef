/* The expert of BacktrackPuzzle: breadth-first search over everything that can change: the agent's cell and direction,
 * and which switches are on. It takes the fewest possible steps. Among several such plans it takes the first in the
 * order of the actions, so a fresh search and a stored plan agree. */
#include "generators/agentick/planning/backtrack_puzzle.h"

#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/puzzle.h"

enum { CELLS = 15 * 15, STATES = CELLS * 4 << SB_BACKTRACK_PUZZLE_SWITCHES };

typedef struct packed_state {
    uint8_t cell, facing, on; /* bit i of `on` set if switch i is activated */
} packed_state;

typedef struct map {
    bool wall[CELLS];
    int8_t switch_at[CELLS]; /* -1: none */
    int gate, goal, step_of[4];
    unsigned all; /* the set of all switches */
} map;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->cell = (uint8_t)sb_index(e, e->agent.at), s->facing = e->agent.facing;
    for (int i = 0; i < v->n_switches; i++)
        if (sb_switch_is_on(sb_peek(e, v->at[i])->metadata)) s->on |= (uint8_t)(1u << i);
}

static void draw_map(void *map_, const sb_episode *e) {
    map *m = map_;
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    m->gate = sb_index(e, v->gate), m->goal = sb_index(e, v->goal);
    m->all = (1u << v->n_switches) - 1;
    for (int i = 0; i < sb_n_cells(e); i++) m->wall[i] = e->cells[i].terrain == SB_WALL && i != m->gate;
    memset(m->switch_at, -1, sizeof m->switch_at);
    for (int i = 0; i < v->n_switches; i++) m->switch_at[sb_index(e, v->at[i])] = (int8_t)i;
    sb_index_steps(e, m->step_of);
}

static bool is_off(const map *m, const packed_state *s, int cell) {
    return m->switch_at[cell] >= 0 && !(s->on >> m->switch_at[cell] & 1);
}

/* Applies the rules of the task to a state. */
static bool play(const void *map_, void *state_, sb_action action) {
    const map *m = map_;
    packed_state *s = state_;
    if (action == SB_INTERACT) {
        const int faced = s->cell + m->step_of[s->facing];
        if (!is_off(m, s, faced)) return false;
        s->on |= (uint8_t)(1u << m->switch_at[faced]);
        return true;
    }
    s->facing = (uint8_t)sb_direction_of(action);
    const int to = s->cell + m->step_of[s->facing];
    const bool is_shut = to == m->gate && s->on != m->all;
    if (!m->wall[to] && !is_shut && !is_off(m, s, to)) s->cell = (uint8_t)to;
    return true;
}

static bool is_solved(const void *map_, const void *state_) {
    const map *m = map_;
    const packed_state *s = state_;
    return s->on == m->all && s->cell == m->goal;
}

/* Names the next switch that the plan activates, else the goal. */
static bool explain(const void *map_, const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    const map *m = map_;
    const packed_state *before = before_, *after = after_;
    if (!after)
        sb_intend(intent, "go to", "goal", v->goal);
    else if (after->on != before->on)
        sb_intend(intent, "activate", "switch", v->at[m->switch_at[before->cell + m->step_of[before->facing]]]);
    return !after || after->on != before->on;
}

typedef SB_PUZZLE_MEMORY(map, packed_state, STATES) memory;

static const sb_puzzle puzzle = {
    SB_PUZZLE_LAYOUT(memory),
    .state_size = sizeof(packed_state),
    .n_states = STATES,
    .last_action = SB_INTERACT,
    .draw_map = draw_map,
    .read = read_state,
    .play = play,
    .is_solved = is_solved,
    .explain = explain,
};

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    sb_puzzle_act(&puzzle, memory_, observation, budget, action, intent);
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

const sb_packed_rule sb_backtrack_puzzle_rule = {.task = "BacktrackPuzzle-v0", .puzzle = &puzzle};
