/* The expert of SwitchCircuit: breadth-first search over everything that can change: the agent's cell and direction,
 * and which switches are on. It takes the fewest possible steps. Among several such plans it takes the first in the
 * order of the actions, so a fresh search and a stored plan agree. If a switch blocks its door for good, the search
 * proves that there is no way. */
#include "generators/agentick/reasoning/switch_circuit.h"

#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/puzzle.h"

enum { CELLS = 19 * 19, STATES = CELLS * 4 << SB_SWITCH_CIRCUIT_SWITCHES };

typedef struct packed_state {
    uint16_t cell;
    uint8_t facing, on; /* bit i of `on` is set if switch i is on, and so door i is open */
} packed_state;

typedef struct map {
    bool solid[CELLS];                       /* walls and switches */
    int8_t switch_at[CELLS], door_at[CELLS]; /* -1: none */
    int goal, step_of[4];
} map;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_switch_circuit_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->cell = (uint16_t)sb_index(e, e->agent.at), s->facing = e->agent.facing;
    for (int i = 0; i < v->n_switches; i++) s->on |= (uint8_t)(sb_switch_circuit_is_on(e, i) << i);
}

static void draw_map(void *map_, const sb_episode *e) {
    map *m = map_;
    const sb_switch_circuit_vars *v = SB_VARS(e);
    m->goal = sb_index(e, v->goal);
    for (int i = 0; i < sb_n_cells(e); i++) m->solid[i] = !sb_cell_passable(&e->cells[i]);
    memset(m->switch_at, -1, sizeof m->switch_at);
    memset(m->door_at, -1, sizeof m->door_at);
    for (int i = 0; i < v->n_switches; i++) {
        const int door = sb_index(e, v->door[i]);
        m->switch_at[sb_index(e, v->at[i])] = (int8_t)i;
        m->door_at[door] = (int8_t)i;
        m->solid[door] = false; /* is_shut tells whether it is closed */
    }
    sb_index_steps(e, m->step_of);
}

static bool is_shut(const map *m, const packed_state *s, int cell) {
    return m->door_at[cell] >= 0 && !(s->on >> m->door_at[cell] & 1);
}

/* Applies the rules of the task to a state. */
static bool play(const void *map_, void *state_, sb_action action) {
    const map *m = map_;
    packed_state *s = state_;
    if (action == SB_INTERACT) {
        const int faced = s->cell + m->step_of[s->facing];
        if (m->switch_at[faced] < 0) return false;
        s->on ^= (uint8_t)(1u << m->switch_at[faced]);
        return true;
    }
    s->facing = (uint8_t)sb_direction_of(action);
    const int to = s->cell + m->step_of[s->facing];
    if (!m->solid[to] && !is_shut(m, s, to)) s->cell = (uint16_t)to;
    return true;
}

static bool is_solved(const void *map_, const void *state_) {
    const map *m = map_;
    const packed_state *s = state_;
    return s->cell == m->goal;
}

/* Names the next switch that the plan turns, else the goal. */
static bool explain(const void *map_, const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    const sb_switch_circuit_vars *v = SB_VARS(e);
    const map *m = map_;
    const packed_state *before = before_, *after = after_;
    if (!after) {
        sb_intend(intent, "go to", "goal", v->goal);
    } else if (after->on != before->on) {
        const int faced = before->cell + m->step_of[before->facing];
        sb_intend(intent, after->on > before->on ? "turn on" : "turn off", "switch", v->at[m->switch_at[faced]]);
    }
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

static sb_verdict judge(void *memory_, const sb_env *env, sb_budget *budget) {
    return sb_puzzle_judge(&puzzle, memory_, env, budget);
}

const sb_oracle sb_switch_circuit_expert = {
    .family = "agentick",
    .task = "SwitchCircuit-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
    .judge = judge,
};

const sb_packed_rule sb_switch_circuit_rule = {.task = "SwitchCircuit-v0", .puzzle = &puzzle};
