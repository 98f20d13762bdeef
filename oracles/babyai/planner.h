/* Finds a way to fulfil a mission from a world that is wholly known: A* over states, guided by the easy world's
 * cost (relaxed.h), first for the fewest steps, then, where that takes too much work, for a good way. Where the mission
 * as a whole is too much, the plan is made up to the next single that gets done, and from there anew. The work of all
 * that is bounded: about half a second of one core. */
#ifndef SB_ORACLES_BABYAI_PLANNER_H
#define SB_ORACLES_BABYAI_PLANNER_H

#include "oracles/babyai/relaxed.h"
#include "search/search.h"

enum { SB_PLANNER_STATES = 1 << 16, SB_PLANNER_STEPS = 1024 };

/* A step of a plan, and what it is about: what is in front of the agent, after it if it is a move. */
typedef struct sb_planned {
    uint8_t action; /* sb_mg_action */
    uint8_t front;  /* 0, an id, or SB_MG_A_WALL */
    sb_xy at;
} sb_planned;

/* Memory of a policy: zeroed once. */
typedef struct sb_planner {
    sb_mg_world world;           /* where the plan begins */
    sb_mg_world stage;           /* where the plan leads as far as it has been made: the search begins there */
    const struct manner *manner; /* of the search at hand */
    sb_scene scene;
    sb_search_state start;
    int n, next;          /* steps in all, and the next one */
    uint64_t expected[2]; /* key of the world in which the next one is due */
    sb_planned steps[SB_PLANNER_STEPS];
    sb_relaxed relaxed;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(sizeof(sb_search_state), SB_PLANNER_STATES)];
} sb_planner;

/* Plans from here; an empty plan if none is found. */
sb_verdict sb_planner_plan(sb_planner *planner, const sb_mg_world *w, sb_budget *budget);
/* The next action of a plan for this world, which is made if the one at hand is for another. `done` if none is found.
 */
sb_mg_action sb_planner_act(sb_planner *planner, const sb_mg_world *w, sb_budget *budget, sb_intent *intent);

#endif
