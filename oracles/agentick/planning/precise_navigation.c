/* The expert of PreciseNavigation: breadth-first search over everything that can change: the cells of the agent and the
 * boxes. It takes the fewest possible slides, and gives up if there is no way. */
#include "generators/agentick/planning/precise_navigation.h"

#include "oracles/kits/puzzle.h"

enum { MAX_BOXES = SB_PRECISE_NAVIGATION_BOXES, STATES = 1 << 13 /* a few hundred are already many */ };

typedef struct packed_state {
    sb_xy agent, box[MAX_BOXES];
} packed_state;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_precise_navigation_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->agent = e->agent.at;
    for (int i = 0; i < v->n_boxes; i++) s->box[i] = v->box[i];
}

/* A goal on which a box has rested is gone for good. */
static bool is_lost(const sb_episode *board, const void *state) {
    (void)state;
    const sb_precise_navigation_vars *v = SB_VARS(board);
    return sb_peek(board, v->goal)->object != SB_GOAL;
}

static void arrange(sb_episode *board, const void *state_) {
    sb_precise_navigation_vars *v = SB_VARS(board);
    const packed_state *s = state_;
    for (int i = 0; i < v->n_boxes; i++) sb_set_object(board, v->box[i], SB_NONE, 0);
    sb_set_object(board, v->goal, SB_GOAL, 0);
    for (int i = 0; i < v->n_boxes; i++) {
        v->box[i] = s->box[i];
        sb_set_object(board, v->box[i], SB_BOX, 0);
    }
    board->agent.at = s->agent;
}

/* Names the next box that the plan pushes, else the goal. */
static bool explain(const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    const sb_precise_navigation_vars *v = SB_VARS(e);
    const packed_state *before = before_, *after = after_;
    if (!after) sb_intend(intent, "go to", "goal", v->goal);
    for (int i = 0; after && i < v->n_boxes; i++)
        if (!sb_same(after->box[i], before->box[i])) {
            sb_intend(intent, "push", "box", before->box[i]);
            return true;
        }
    return !after;
}

/* ---- Acting ---- */

typedef SB_PUZZLE_MEMORY(packed_state, STATES) memory;

static const sb_puzzle puzzle = {
    SB_PUZZLE_FOR(memory, packed_state, STATES),
    .last_action = SB_MOVE_RIGHT,
    .read = read_state,
    .arrange = arrange,
    .is_lost = is_lost,
    .lost = "a box erased the goal",
    .explain = explain,
};

SB_PUZZLE_ACT(puzzle)
SB_PUZZLE_JUDGE(puzzle)

const sb_oracle sb_precise_navigation_expert = {
    .family = "agentick",
    .task = "PreciseNavigation-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
    .judge = judge,
};
