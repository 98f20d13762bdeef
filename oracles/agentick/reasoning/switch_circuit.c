/* The expert of SwitchCircuit: breadth-first search over everything that can change: the agent's cell and direction,
 * and which switches are on. It takes the fewest possible steps. Among several such plans it takes the first in the
 * order of the actions, so a fresh search and a stored plan agree. If a switch blocks its door for good, the search
 * proves that there is no way. */
#include "generators/agentick/reasoning/switch_circuit.h"

#include "oracles/kits/puzzle.h"

enum { CELLS = 19 * 19, STATES = CELLS * 4 << SB_SWITCH_CIRCUIT_SWITCHES };

typedef struct packed_state {
    uint16_t cell;
    uint8_t facing, on; /* bit i of `on` is set if switch i is on, and so door i is open */
} packed_state;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_switch_circuit_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->cell = (uint16_t)sb_index(e, e->agent.at), s->facing = e->agent.facing;
    for (int i = 0; i < v->n_switches; i++) s->on |= (uint8_t)(sb_switch_circuit_is_on(e, i) << i);
}

static void arrange(sb_episode *board, const void *state_) {
    const sb_switch_circuit_vars *v = SB_VARS(board);
    const packed_state *s = state_;
    for (int i = 0; i < v->n_switches; i++) {
        const bool is_on = s->on >> i & 1;
        sb_set_object(board, v->at[i], SB_SWITCH, is_on ? SB_SWITCH_ON : SB_SWITCH_OFF);
        sb_cell_at(board, v->door[i])->terrain = is_on ? SB_EMPTY : SB_WALL;
    }
    board->agent.at = sb_xy_of(board, s->cell), board->agent.facing = s->facing;
}

/* Names the next switch that the plan turns, else the goal. */
static bool explain(const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    const sb_switch_circuit_vars *v = SB_VARS(e);
    const packed_state *before = before_, *after = after_;
    if (!after) {
        sb_intend(intent, "go to", "goal", v->goal);
    } else if (after->on != before->on) {
        sb_intend(intent, after->on > before->on ? "turn on" : "turn off", "switch",
                  sb_beside(sb_xy_of(e, before->cell), (sb_direction)before->facing));
    }
    return !after || after->on != before->on;
}

typedef SB_PUZZLE_MEMORY(packed_state, STATES) memory;

static const sb_puzzle puzzle = {
    SB_PUZZLE_FOR(memory, packed_state, STATES),
    .last_action = SB_INTERACT,
    .read = read_state,
    .arrange = arrange,
    .explain = explain,
};

SB_PUZZLE_ACT(puzzle)
SB_PUZZLE_JUDGE(puzzle)

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
