/* The expert of PreciseNavigation: breadth-first search over everything that can change: the cells of the agent and the
 * boxes. It takes the fewest possible slides, and gives up if there is no way. Among several plans it takes the first
 * in the order of the actions, so a fresh search and a stored plan agree. Its moves are the task's own steps, taken on
 * a copy. */
#include "generators/agentick/planning/precise_navigation.h"

#include "oracles/kits/plan.h"
#include "search/search.h"

enum { MAX_BOXES = SB_PRECISE_NAVIGATION_BOXES, STATES = 1 << 13 /* a few hundred are already many */ };

typedef struct packed_state {
    sb_xy agent, box[MAX_BOXES];
} packed_state;

typedef struct memory {
    sb_plan plan;
    sb_episode board; /* the copy on which steps are taken */
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(packed_state), STATES)];
} memory;

/* ---- States ---- */

static packed_state state_of(const sb_episode *e) {
    const sb_precise_navigation_vars *v = SB_VARS(e);
    packed_state s = {.agent = e->agent.at};
    for (int i = 0; i < v->n_boxes; i++) s.box[i] = v->box[i];
    return s;
}

static bool has_goal(const sb_episode *e) {
    const sb_precise_navigation_vars *v = SB_VARS(e);
    return sb_peek(e, v->goal)->object == SB_GOAL;
}

/* Sets up the board for a state in which no box has rested on the goal. */
static void arrange(sb_episode *board, const packed_state *s) {
    sb_precise_navigation_vars *v = SB_VARS(board);
    for (int i = 0; i < v->n_boxes; i++) sb_set_object(board, v->box[i], SB_NONE, 0);
    sb_set_object(board, v->goal, SB_GOAL, 0);
    for (int i = 0; i < v->n_boxes; i++) {
        v->box[i] = s->box[i];
        sb_set_object(board, v->box[i], SB_BOX, 0);
    }
    board->agent.at = s->agent;
}

/* ---- Search ---- */

/* A goal on which a box has rested is gone, so states after that are left out. */
static void expand(void *context, const void *state, sb_search *search) {
    sb_episode *board = context;
    for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
        sb_result result;
        arrange(board, state);
        sb_episode_step(board, move, &result);
        const packed_state there = state_of(board);
        if (has_goal(board)) sb_search_add(search, &there, (uint32_t)move, 1, result.success);
    }
}

static sb_verdict make_plan(memory *m, const sb_episode *e, sb_budget *budget) {
    const packed_state start = state_of(e);
    const int max_cost = has_goal(e) ? e->max_steps : 0; /* without a goal there is no plan */
    const sb_problem problem = {
        .state_size = sizeof start, .expand = expand, .context = &m->board, .max_cost = max_cost};
    sb_episode_copy(&m->board, e);
    return sb_plan_search(&m->plan, e, m->search, STATES, &problem, &start, budget);
}

/* ---- Acting ---- */

/* Names the next box that the plan pushes, else the goal. */
static void explain(memory *m, const sb_episode *e, sb_intent *intent) {
    const sb_precise_navigation_vars *v = SB_VARS(e);
    sb_episode_copy(&m->board, e);
    for (int i = m->plan.next; i < m->plan.n; i++) {
        sb_result result;
        sb_episode_step(&m->board, m->plan.actions[i], &result);
        const packed_state then = state_of(&m->board);
        for (int k = 0; k < v->n_boxes; k++)
            if (!sb_same(then.box[k], v->box[k])) {
                sb_intend(intent, "push", "box", v->box[k]);
                return;
            }
    }
    sb_intend(intent, "go to", "goal", v->goal);
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = memory_;
    const sb_episode *e = sb_episode_of(observation->env);
    if (!sb_plan_holds(&m->plan, e)) make_plan(m, e, budget);
    explain(m, e, intent);
    if (!sb_plan_next(&m->plan, e, action)) sb_give_up(action, intent);
}

static sb_verdict judge(void *memory, const sb_env *env, sb_budget *budget) {
    return make_plan(memory, sb_episode_of(env), budget);
}

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
