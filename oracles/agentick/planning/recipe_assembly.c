/* The expert of RecipeAssembly: breadth-first search over all that can change: where the agent stands, the step of the
 * recipe, and which ingredients were picked up (what is carried follows from that: all but what was delivered). It
 * takes the fewest steps there are; of several such plans the first in the order of the actions, so that a fresh search
 * and a remembered plan agree. */
#include "generators/agentick/planning/recipe_assembly.h"

#include <string.h>

#include "oracles/search/plan.h"
#include "oracles/search/search.h"

enum {
    CELLS = 16 * 16,
    FLOOR = 14 * 14,
    MAX_STEPS = SB_RECIPE_ASSEMBLY_STEPS,
    STATES = FLOOR * MAX_STEPS << SB_RECIPE_ASSEMBLY_SITES
};

typedef struct situation {
    uint8_t cell, step;
    uint16_t taken; /* bit i set if nothing lies at site i any more */
} situation;

typedef struct memory {
    sb_plan plan;
    /* The map: constant through the episode. */
    bool wall[CELLS];
    int8_t site_at[CELLS]; /* -1: none */
    int station, n_steps, step_of[4];
    uint16_t sites[MAX_STEPS]; /* that hold what a step of the recipe asks for: a bit each */
    int8_t earlier[MAX_STEPS]; /* steps before it that ask for the same */
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(situation), STATES)];
} memory;

/* ---- Situations ---- */

static situation situation_of(const sb_episode *e) {
    const sb_recipe_assembly_vars *v = SB_VARS(e);
    situation s = {.cell = (uint8_t)sb_index(e, e->agent.at), .step = (uint8_t)v->step};
    for (int i = 0; i < v->n_sites; i++)
        if (sb_peek(e, v->site[i])->object == SB_NONE) s.taken |= (uint16_t)(1u << i);
    return s;
}

static void draw_map(memory *m, const sb_episode *e) {
    const sb_recipe_assembly_vars *v = SB_VARS(e);
    m->station = sb_index(e, v->station), m->n_steps = v->n_steps;
    for (int i = 0; i < sb_n_cells(e); i++) m->wall[i] = e->cells[i].terrain == SB_WALL;
    memset(m->site_at, -1, sizeof m->site_at);
    for (int i = 0; i < v->n_sites; i++) m->site_at[sb_index(e, v->site[i])] = (int8_t)i;
    for (int step = 0; step < v->n_steps; step++) {
        m->sites[step] = 0, m->earlier[step] = 0;
        for (int i = 0; i < v->n_sites; i++) m->sites[step] |= (uint16_t)((v->kind[i] == v->recipe[step]) << i);
        for (int i = 0; i < step; i++) m->earlier[step] += v->recipe[i] == v->recipe[step];
    }
    sb_index_steps(e, m->step_of);
}

/* Whether what the current step asks for is in hand: more of it was picked up than delivered. */
static bool is_in_hand(const memory *m, const situation *s) {
    int n = 0;
    for (unsigned taken = s->taken & m->sites[s->step]; taken; taken &= taken - 1) n++;
    return n > m->earlier[s->step];
}

/* The rules of the task on situations. */
static situation after(const memory *m, situation s, sb_action move) {
    const int to = s.cell + m->step_of[sb_direction_of(move)];
    if (m->wall[to]) return s;
    s.cell = (uint8_t)to;
    if (to == m->station)
        s.step += is_in_hand(m, &s);
    else if (m->site_at[to] >= 0)
        s.taken |= m->sites[s.step] & 1u << m->site_at[to];
    return s;
}

/* ---- Search ---- */

static void expand(void *context, const void *state, sb_search *search) {
    const memory *m = context;
    const situation *here = state;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        const situation there = after(m, *here, move);
        sb_search_add(search, &there, (uint32_t)move, 1, there.step == m->n_steps);
    }
}

static void make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const situation start = situation_of(e);
    const sb_problem problem = {.state_size = sizeof start, .expand = expand, .context = m, .max_cost = e->max_steps};
    draw_map(m, e);
    sb_plan_search(&m->plan, e, m->search, STATES, &problem, &start, budget);
}

/* ---- Acting ---- */

/* The next ingredient that the plan picks up or delivers. */
static void explain(const memory *m, const sb_episode *e, sb_intent *intent) {
    const sb_recipe_assembly_vars *v = SB_VARS(e);
    situation s = situation_of(e);
    for (int i = m->plan.next; i < m->plan.n; i++) {
        const situation next = after(m, s, m->plan.actions[i]);
        const char *name = sb_object_names[v->recipe[s.step]];
        if (next.step != s.step) {
            sb_intend(intent, "deliver", name, v->station);
            return;
        }
        if (next.taken != s.taken) {
            sb_intend(intent, "fetch", name, sb_xy_of(e, next.cell));
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

const sb_oracle sb_recipe_assembly_expert = {
    .family = "agentick",
    .task = "RecipeAssembly-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
