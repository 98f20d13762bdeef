/* Following plans in multi-level games, for all their oracles. */
#ifndef SB_ORACLES_ARC_PLAN_H
#define SB_ORACLES_ARC_PLAN_H

#include "engine/arc/play.h"
#include "generators/arc/levels.h"
#include "oracles/oracle.h"

typedef struct sb_arc_plan {
    sb_arc_solver solver;
    int next;        /* index of the plan's next action */
    uint64_t key[2]; /* key of the play in which the next action is to be taken */
} sb_arc_plan;

/* Makes room for plans in a game and forgets the old one; `plan` is zeroed before the first call. */
bool sb_arc_plan_begin(sb_arc_plan *plan, const sb_arc_game *game, sb_error *error);
void sb_arc_plan_free(sb_arc_plan *plan);
static inline void sb_arc_plan_forget(sb_arc_plan *plan) { plan->next = plan->solver.n_plan = 0; }
/* Gives the next action of a plan that wins the present level; makes one if the play is not where the old one leads.
 * False: there is none. */
bool sb_arc_plan_next(sb_arc_plan *plan, const sb_arc_play *play, sb_budget *budget, sb_action *action);

/* The number of a move as an action of the family. */
sb_action sb_arc_number_of(const sb_arc_level *level, sb_arc_move move);

#endif
