/* The expert of SymbolMatching: breadth-first search over everything that can change: the agent's cell, the item in its
 * hand, which items are on the ground and which targets are open. It takes the fewest possible steps. Among several
 * such plans it takes the first in the order of the actions, so a fresh search and a stored plan agree. */
#include "generators/agentick/reasoning/symbol_matching.h"

#include <string.h>

#include "oracles/belief.h"
#include "oracles/kits/puzzle.h"

/* An upper bound of the states: a pair is untouched, in hand or done (states with a lost pair are skipped); a fake is
 * on the ground or not, and may be in hand. */
enum {
    N_KINDS = SB_SYMBOL_MATCHING_KINDS,
    CELLS = 15 * 15,
    FLOOR = 13 * 13,
    STATES = FLOOR * (N_KINDS + 1) << N_KINDS
};

enum { NOTHING = N_KINDS };

typedef struct packed_state {
    uint8_t cell, hand;   /* hand: an item or NOTHING */
    uint8_t ground, open; /* bit i is set if item i is on the ground; if target i is not matched yet */
} packed_state;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_symbol_matching_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->cell = (uint8_t)sb_index(e, e->agent.at), s->hand = NOTHING;
    for (int i = 0; i < v->n_pairs + v->n_fakes; i++) {
        s->ground |= (uint8_t)((sb_peek(e, v->item[i])->object != SB_NONE) << i);
        if (v->kind[i] == v->carrying) s->hand = (uint8_t)i;
    }
    for (int i = 0; i < v->n_pairs; i++) s->open |= (uint8_t)((sb_peek(e, v->target[i])->object != SB_NONE) << i);
}

static void arrange(sb_episode *board, const void *state_) {
    sb_symbol_matching_vars *v = SB_VARS(board);
    const packed_state *s = state_;
    v->carrying = s->hand == NOTHING ? SB_NONE : v->kind[s->hand];
    v->n_placed = v->n_pairs;
    for (int i = 0; i < v->n_pairs + v->n_fakes; i++) {
        const bool lies = s->ground >> i & 1;
        sb_set_object(board, v->item[i], lies ? v->kind[i] : SB_NONE, 0);
    }
    for (int i = 0; i < v->n_pairs; i++) {
        const bool is_open = s->open >> i & 1;
        sb_set_object(board, v->target[i], is_open ? v->kind[i] : SB_NONE, 0);
        v->n_placed -= is_open;
    }
    board->agent.at = sb_xy_of(board, s->cell);
}

/* Tells whether an open target has lost its item: it is neither on the ground nor in hand. */
static bool is_lost(const sb_episode *board, const void *state) {
    (void)board;
    const packed_state *s = state;
    return s->open & ~(s->ground | (s->hand == NOTHING ? 0u : 1u << s->hand));
}

/* Names the next item that the plan picks up or drops. */
static bool explain(const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    const sb_symbol_matching_vars *v = SB_VARS(e);
    const packed_state *before = before_, *after = after_;
    if (!after || after->hand == before->hand) return false;
    const bool fetches = before->hand == NOTHING;
    const char *verb = fetches ? "fetch" : after->open != before->open ? "deliver" : "get rid of";
    const int item = fetches ? after->hand : before->hand;
    sb_intend(intent, verb, sb_object_names[v->kind[item]], sb_xy_of(e, after->cell));
    return true;
}

typedef SB_PUZZLE_MEMORY(packed_state, STATES) memory;

static const sb_puzzle puzzle = {
    SB_PUZZLE_FOR(memory, packed_state, STATES),
    .last_action = SB_MOVE_RIGHT,
    .read = read_state,
    .arrange = arrange,
    .is_lost = is_lost,
    .lost = "a target's item is lost",
    .explain = explain,
};

SB_PUZZLE_ACT(puzzle)
SB_PUZZLE_JUDGE(puzzle)

const sb_oracle sb_symbol_matching_expert = {
    .family = "agentick",
    .task = "SymbolMatching-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
    .judge = judge,
};

/* ---- The observer ---- */

/* The observer watches which cells the agent enters, and so knows what it carries; nothing else is hidden. */
typedef struct notes {
    bool watches;
    sb_xy at;             /* the agent's cell at the last call */
    int8_t object[CELLS]; /* objects at the last call */
    int carrying;
    memory expert;
} notes;

/* Guesses what the agent carries if it was not watched from the start: an item that is neither on the ground nor on its
 * target. Without that guess the episode would look lost. */
static int guess_carrying(const sb_episode *e) {
    const sb_symbol_matching_vars *v = SB_VARS(e);
    for (int i = 0; i < v->n_pairs; i++)
        if (sb_peek(e, v->item[i])->object == SB_NONE && sb_peek(e, v->target[i])->object != SB_NONE) return v->kind[i];
    return SB_NONE;
}

/* If an object under the agent has disappeared and it was not a target, the agent has picked it up. */
static void watch(notes *n, const sb_episode *e) {
    const int met = n->object[sb_index(e, e->agent.at)];
    const bool is_target = sb_symbol_matching_is_target(e, e->agent.at);
    if (!n->watches)
        n->carrying = guess_carrying(e);
    else if (!sb_same(e->agent.at, n->at) && met != SB_NONE && is_target == (n->carrying != SB_NONE))
        n->carrying = is_target ? SB_NONE : met;
    n->watches = true, n->at = e->agent.at;
    for (int i = 0; i < sb_n_cells(e); i++) n->object[i] = e->cells[i].object;
}

static void act_on_notes(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                         sb_intent *intent) {
    notes *n = memory_;
    sb_belief belief;
    sb_symbol_matching_vars *v = SB_VARS(sb_believe(&belief, observation));
    watch(n, &belief.episode);
    v->carrying = n->carrying;
    sb_act_on_belief(&belief, &sb_symbol_matching_expert, &n->expert, budget, action, intent);
}

static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    (void)rng;
    const notes *n = memory;
    sb_episode *e = env->state;
    sb_symbol_matching_vars *v = SB_VARS(e);
    v->carrying = n->carrying;
}

const sb_oracle sb_symbol_matching_observer = {
    .family = "agentick",
    .task = "SymbolMatching-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(notes, expert),
    .memory = sizeof(notes),
    .act = act_on_notes,
    .imagine = imagine,
};
