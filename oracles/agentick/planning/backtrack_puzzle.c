/* The expert of BacktrackPuzzle: breadth-first search over everything that can change: the agent's cell and direction,
 * and which switches are on. It takes the fewest possible steps. Among several such plans it takes the first in the
 * order of the actions, so a fresh search and a stored plan agree. */
#include "generators/agentick/planning/backtrack_puzzle.h"

#include "oracles/kits/puzzle.h"

enum { CELLS = 15 * 15, STATES = CELLS * 4 << SB_BACKTRACK_PUZZLE_SWITCHES };

typedef struct packed_state {
    uint8_t cell, facing, on; /* bit i of `on` set if switch i is activated */
} packed_state;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->cell = (uint8_t)sb_index(e, e->agent.at), s->facing = e->agent.facing;
    for (int i = 0; i < v->n_switches; i++)
        if (sb_switch_is_on(sb_peek(e, v->at[i])->metadata)) s->on |= (uint8_t)(1u << i);
}

static void arrange(sb_episode *board, const void *state_) {
    sb_backtrack_puzzle_vars *v = SB_VARS(board);
    const packed_state *s = state_;
    v->n_activated = 0;
    for (int i = 0; i < v->n_switches; i++) {
        const bool is_on = s->on >> i & 1;
        sb_set_object(board, v->at[i], SB_SWITCH, is_on ? SB_SWITCH_ON : SB_SWITCH_OFF);
        v->n_activated += is_on;
    }
    const bool is_open = v->n_activated == v->n_switches;
    sb_cell_at(board, v->gate)->terrain = is_open ? SB_EMPTY : SB_WALL;
    sb_set_object(board, v->goal, is_open ? SB_GOAL : SB_NONE, 0);
    board->agent.at = sb_xy_of(board, s->cell), board->agent.facing = s->facing;
}

/* Names the next switch that the plan activates, else the goal. */
static bool explain(const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    const sb_backtrack_puzzle_vars *v = SB_VARS(e);
    const packed_state *before = before_, *after = after_;
    if (!after)
        sb_intend(intent, "go to", "goal", v->goal);
    else if (after->on != before->on)
        sb_intend(intent, "activate", "switch", sb_beside(sb_xy_of(e, before->cell), (sb_direction)before->facing));
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

const sb_oracle sb_backtrack_puzzle_expert = {
    .family = "agentick",
    .task = "BacktrackPuzzle-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
