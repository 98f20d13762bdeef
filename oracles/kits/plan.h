/* A stored plan: the next actions of an oracle, and the state in which the next one is due. */
#ifndef SB_ORACLES_PLAN_H
#define SB_ORACLES_PLAN_H

#include "base/search/search.h"
#include "engine/gridworld/episode.h"
#include "oracles/oracle.h"

enum { SB_PLAN_MAX = 1024 }; /* actions; more than any step limit */

typedef struct sb_plan {
    uint64_t expected[2]; /* key of the state in which the next action is due */
    int32_t next, n;
    int32_t clock;      /* clock of the episode when the plan was made */
    sb_verdict verdict; /* unless it is SB_SOLVED, there is nothing to do but wait; this stays so without a new search
                           while the state is the same */
    bool is_begun; /* whether a plan was made earlier in this episode: if it no longer holds, the agent has left its
                      way */
    uint8_t actions[SB_PLAN_MAX];
    sb_episode ahead; /* the state in which the next action is due */
} sb_plan;

/* `begin` of oracles whose memory begins with a plan: forgets the plan of an earlier episode. */
bool sb_plan_forget(void *memory, const sb_env *env, sb_budget *budget, sb_error *error);

/* Begins an empty plan for the current state of the episode. */
void sb_plan_begin(sb_plan *plan, const sb_episode *e);
/* Appends an action. Actions beyond SB_PLAN_MAX are dropped, and planned again when they are due. */
void sb_plan_add(sb_plan *plan, sb_action action);
/* Searches with actions as moves and stores the result as the plan; if nothing is found, the plan is to wait. Arguments
 * as in sb_search_run. */
sb_verdict sb_plan_search(sb_plan *plan, const sb_episode *e, void *search, uint32_t n_states,
                          const sb_problem *problem, const void *start, sb_budget *budget);
/* Tells whether the episode is in the state that the plan expects, and the plan is not at its end. */
bool sb_plan_holds(const sb_plan *plan, const sb_episode *e);
/* Gives the next action; false if the plan does not hold or is to wait. Only for tasks whose steps draw no random
 * numbers: it plays a copy forward to know the next expected state. */
bool sb_plan_next(sb_plan *plan, const sb_episode *e, sb_action *action);
/* Sets the intent to the next push of the plan, that is, the first object in the agent's way whose bit (by sb_object)
 * is set in `pushed`. Only for plans in which every step succeeds. */
void sb_plan_explain_push(const sb_plan *plan, const sb_episode *e, uint32_t pushed, sb_intent *intent);
/* Waits, and says why: `why`, or what the search proved if that is NULL. */
void sb_plan_give_up(const sb_plan *plan, const char *why, sb_action *action, sb_intent *intent);

#endif
