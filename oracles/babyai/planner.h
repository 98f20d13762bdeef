/* Plans how to complete a mission in a world that is completely known: A* over states, guided by the cost in a relaxed
 * world (relaxed.h). It searches first for the fewest steps and then, if that takes too much work, for a good plan. If
 * the whole mission is too much, it plans up to the next single that gets done, and continues from there. The work is
 * bounded: about half a second of one core. */
#ifndef SB_ORACLES_BABYAI_PLANNER_H
#define SB_ORACLES_BABYAI_PLANNER_H

#include "base/search/search.h"
#include "oracles/babyai/relaxed.h"

enum { SB_PLANNER_STATES = 1 << 16, SB_PLANNER_STEPS = 1024 };

/* A step of a plan, with the cell in front of the agent (for a move: after the move) and what is in it. */
typedef struct sb_planned_step {
    uint8_t action; /* sb_mg_action */
    uint8_t front;  /* 0, an id, or SB_MG_A_WALL */
    sb_xy at;
} sb_planned_step;

/* The memory of a policy: zeroed once. */
typedef struct sb_planner {
    sb_mg_world world;           /* the world in which the plan begins */
    sb_mg_world stage;           /* the world at the end of the plan so far, where the next search begins */
    const struct manner *manner; /* the manner of the current search */
    sb_search_scene scene;
    sb_search_state start;
    int n, next;          /* the number of steps, and the index of the next one */
    uint64_t expected[2]; /* key of the world in which the next step is due */
    sb_planned_step steps[SB_PLANNER_STEPS];
    sb_relaxed relaxed;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(sb_search_state), SB_PLANNER_STATES)];
} sb_planner;

/* Plans from this world; the plan is empty if none is found. */
sb_verdict sb_planner_plan(sb_planner *planner, const sb_mg_world *w, sb_budget *budget);
/* Plans for this world, if the stored plan is for another one. False if no plan is found, or if it has come to its end.
 */
bool sb_planner_prepare(sb_planner *planner, const sb_mg_world *w, sb_budget *budget);
/* Returns the next action for this world. If the stored plan is for another world, it plans first. `done` if no plan is
 * found. */
sb_mg_action sb_planner_act(sb_planner *planner, const sb_mg_world *w, sb_budget *budget, sb_intent *intent);

#endif
