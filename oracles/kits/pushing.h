/* Searches over pushes: tasks in which the agent walks over a grid with walls all around and pushes things. A move of
 * the search is one push with the walk to it, and costs the steps of both. Cells are indices into the grid. */
#ifndef SB_ORACLES_PUSHING_H
#define SB_ORACLES_PUSHING_H

#include "oracles/kits/plan.h"

enum { SB_PUSHING_CELLS = 15 * 15, SB_PUSHING_THINGS = 7, SB_PUSHING_GOALS = 5 };

/* The contents of a cell. The agent walks on the first two, things are pushed onto the first and the third. */
enum { SB_GROUND_FREE, SB_GROUND_WALKED, SB_GROUND_PIT, SB_GROUND_THING, SB_GROUND_WALL };

/* Everything that can change. A thing in its goal stays on the list. Things of one type are alike, so their cells are
 * sorted. */
typedef struct sb_push_state {
    uint8_t agent, thing[SB_PUSHING_THINGS]; /* unused things are 0, a wall */
} sb_push_state;

/* Where the agent can walk. */
typedef struct sb_push_area {
    uint8_t holds[SB_PUSHING_CELLS];
    uint8_t steps[SB_PUSHING_CELLS]; /* steps to the cell, plus one; 0: the agent cannot get there, or nobody asks */
} sb_push_area;

typedef struct sb_pushing sb_pushing;

struct sb_pushing {
    /* Filled in by the oracle, the rest being zero. A goal that has a thing of its type keeps it. */
    int n_things, n_goals;
    int step_of[4];                                              /* change of a cell's index for each direction */
    uint8_t ground[SB_PUSHING_CELLS];                            /* what cells hold without things */
    uint8_t kept;                                                /* what a goal holds that has its thing */
    int8_t goal_at[SB_PUSHING_CELLS];                            /* goal in the cell, plus one; 0: none */
    int8_t goal_type[SB_PUSHING_GOALS], type[SB_PUSHING_THINGS]; /* things of one type follow each other */
    bool (*is_done)(const sb_pushing *p, const sb_push_state *l);
    int (*bound)(void *p, const void *layout); /* a bound on the steps that are left, as in sb_problem */
    /* For the bound: the state being expanded, and the push that led from it to the state that is asked for. */
    uint64_t n_expanded; /* 0: the state is the start of the search */
    sb_push_state before;
    sb_push_area survey; /* where the agent can walk in `before` */
    int thing, to, cost;
};

/* Returns the goal that keeps the thing, or -1. */
static inline int sb_kept_by(const sb_pushing *p, const sb_push_state *l, int thing) {
    const int goal = p->goal_at[l->thing[thing]] - 1;
    return goal >= 0 && p->goal_type[goal] == p->type[thing] ? goal : -1;
}

/* An `is_done`: whether every goal has its thing. */
bool sb_all_kept(const sb_pushing *p, const sb_push_state *l);

/* Writes what the cells hold. */
void sb_lay_out(const sb_pushing *p, const sb_push_state *l, uint8_t holds[SB_PUSHING_CELLS]);
/* Tells whether a cell is part of a square of four things or walls: none of these things can be pushed first. */
bool sb_is_stuck(const sb_pushing *p, const uint8_t *holds, int cell);

/* Gives up: says how many things are stuck outside their goals, or what the search proved if none is. `one`, `several`:
 * what the things are called. */
void sb_pushing_give_up(const sb_pushing *p, const sb_push_state *l, const char *one, const char *several,
                        const sb_plan *plan, sb_action *action, sb_intent *intent);

/* Adds the pushes that are possible in a state to the search, as in sb_problem; the context is an sb_pushing. */
void sb_pushing_expand(void *context, const void *state, sb_search *search);
/* Searches for the cheapest plan from a layout that is not done; the arguments are those of sb_search_run. */
sb_verdict sb_pushing_search(sb_pushing *p, void *memory, uint32_t n_states, const sb_push_state *start, int weight,
                             int max_cost, sb_budget *budget);
/* Appends the actions of the plan that the last search found: of several shortest walks the first in the order of the
 * directions. */
void sb_pushing_plan(const sb_pushing *p, const void *memory, const sb_push_state *start, sb_plan *plan);
/* Whether no plan was found earlier in this episode, `before`, and nothing was pushed since: the agent can walk back to
 * where it was then, so there is none now. */
bool sb_pushing_is_hopeless(const sb_plan *plan, const sb_push_state *before, const sb_push_state *now,
                            const sb_episode *e);

#endif
