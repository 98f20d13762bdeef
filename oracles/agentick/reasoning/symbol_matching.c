/* The expert of SymbolMatching: breadth-first search over all that can change: where the agent stands, what it has in
 * hand, which items lie on the ground and which targets are open. It takes the fewest steps there are; of several such
 * plans the first in the order of the actions, so that a fresh search and a remembered plan agree. */
#include "generators/agentick/reasoning/symbol_matching.h"

#include <string.h>

#include "oracles/search/plan.h"
#include "oracles/search/search.h"

/* A pair is untouched, in hand or done (lost ones are not looked at); a fake is on the ground or not, and may be in
 * hand: fewer states than this. */
enum {
    N_KINDS = SB_SYMBOL_MATCHING_KINDS,
    CELLS = 15 * 15,
    FLOOR = 13 * 13,
    STATES = FLOOR * (N_KINDS + 1) << N_KINDS
};

enum { NOTHING = N_KINDS };

typedef struct situation {
    uint8_t cell, hand;   /* hand: an item or NOTHING */
    uint8_t ground, open; /* bit i set if item i lies on the ground, if target i is not matched yet */
} situation;

typedef struct memory {
    sb_plan plan;
    /* The map: constant through the episode. */
    bool wall[CELLS];
    int8_t item_at[CELLS], target_at[CELLS]; /* -1: none */
    int step_of[4];
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(situation), STATES)];
} memory;

/* ---- Situations ---- */

static situation situation_of(const sb_episode *e) {
    const sb_symbol_matching_vars *v = SB_VARS(e);
    situation s = {.cell = (uint8_t)sb_index(e, e->agent.at), .hand = NOTHING};
    for (int i = 0; i < v->n_pairs + v->n_fakes; i++) {
        s.ground |= (uint8_t)((sb_peek(e, v->item[i])->object != SB_NONE) << i);
        if (v->kind[i] == v->carrying) s.hand = (uint8_t)i;
    }
    for (int i = 0; i < v->n_pairs; i++) s.open |= (uint8_t)((sb_peek(e, v->target[i])->object != SB_NONE) << i);
    return s;
}

static void draw_map(memory *m, const sb_episode *e) {
    const sb_symbol_matching_vars *v = SB_VARS(e);
    for (int i = 0; i < sb_n_cells(e); i++) m->wall[i] = e->cells[i].terrain == SB_WALL;
    memset(m->item_at, -1, sizeof m->item_at);
    memset(m->target_at, -1, sizeof m->target_at);
    for (int i = 0; i < v->n_pairs + v->n_fakes; i++) m->item_at[sb_index(e, v->item[i])] = (int8_t)i;
    for (int i = 0; i < v->n_pairs; i++) m->target_at[sb_index(e, v->target[i])] = (int8_t)i;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) m->step_of[d] = sb_delta[d].y * e->width + sb_delta[d].x;
}

/* The rules of the task on situations. */
static situation after(const memory *m, situation s, sb_action move) {
    const int to = s.cell + m->step_of[sb_direction_of(move)];
    if (m->wall[to]) return s;
    s.cell = (uint8_t)to;
    const int item = m->item_at[to], target = m->target_at[to];
    if (s.hand == NOTHING && item >= 0 && (s.ground >> item & 1)) {
        s.hand = (uint8_t)item;
        s.ground &= (uint8_t) ~(1u << item);
    } else if (s.hand != NOTHING && target >= 0 && (s.open >> target & 1)) {
        if (s.hand == target) s.open &= (uint8_t) ~(1u << target);
        s.hand = NOTHING;
    }
    return s;
}

/* A target is open whose item is neither on the ground nor in hand. */
static bool is_lost(const situation *s) { return s->open & ~(s->ground | (s->hand == NOTHING ? 0u : 1u << s->hand)); }

/* ---- Search ---- */

static void expand(void *context, const void *state, sb_search *search) {
    const memory *m = context;
    const situation *here = state;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        const situation there = after(m, *here, move);
        if (!is_lost(&there)) sb_search_add(search, &there, (uint32_t)move, 1, there.open == 0);
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

/* The next item that the plan picks up or gets rid of. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    const sb_symbol_matching_vars *v = SB_VARS(e);
    situation s = situation_of(e);
    for (int i = m->plan.next; i < m->plan.n; i++) {
        const situation next = after(m, s, m->plan.actions[i]);
        if (next.hand != s.hand) {
            const int item = s.hand == NOTHING ? next.hand : s.hand;
            const char *verb = s.hand == NOTHING ? "fetch" : next.open != s.open ? "deliver" : "get rid of";
            sb_intend(intent, verb, sb_object_names[v->kind[item]], sb_xy_of(e, next.cell));
            return;
        }
        s = next;
    }
}

static void act(void *memory_, const sb_sight *sight, sb_budget *budget, sb_action *action, sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(sight->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(m, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_give_up(action, intent);
}

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
