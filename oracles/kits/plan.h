/* What an oracle means to do next, kept from call to call: actions, and the state in which the next one is due. */
#ifndef SB_ORACLES_PLAN_H
#define SB_ORACLES_PLAN_H

#include "engine/gridworld/episode.h"
#include "oracles/oracle.h"
#include "search/search.h"

enum { SB_PLAN_MAX = 1024 }; /* actions; more than any step limit */

typedef struct sb_plan {
    uint64_t expected[2]; /* key of that state */
    int32_t next, n;
    int32_t clock; /* when the plan was made */
    bool waits;    /* there is nothing to be done: known without asking again as long as nothing changes */
    uint8_t actions[SB_PLAN_MAX];
} sb_plan;

/* Begins an empty plan for the episode as it stands. */
void sb_plan_begin(sb_plan *plan, const sb_episode *e);
/* Appends; what is beyond SB_PLAN_MAX is dropped (and planned anew when it is due). */
void sb_plan_add(sb_plan *plan, sb_action action);
/* Plans what a search finds whose moves are actions, or to wait if it finds nothing. Arguments as of sb_search_run. */
sb_verdict sb_plan_search(sb_plan *plan, const sb_episode *e, void *search, uint32_t n_states,
                          const sb_problem *problem, const void *start, sb_budget *budget);
/* Whether the episode is as the plan expects it, and the plan has something to say. */
bool sb_plan_holds(const sb_plan *plan, const sb_episode *e);
/* The next action; false if the plan does not hold or is to wait. Only for tasks whose steps draw nothing: it plays a
 * copy forward to know what to expect. */
bool sb_plan_next(sb_plan *plan, const sb_episode *e, sb_action *action);
/* Intends the push that the plan makes next: of the first object in the agent's way that the bits of `pushed` (by
 * sb_object) name. Only for plans of steps that all succeed. */
void sb_plan_explain_push(const sb_plan *plan, const sb_episode *e, uint32_t pushed, sb_intent *intent);
/* What to do where there is no plan: nothing. */
void sb_give_up(sb_action *action, sb_intent *intent);

#endif
