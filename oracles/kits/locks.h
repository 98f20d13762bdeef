/* Keys and doors: the fewest steps to a goal where keys are picked up by walking over them, any number at a time, and a
 * door opens to one key of its colour (engine/gridworld/parts/doors.h). */
#ifndef SB_ORACLES_LOCKS_H
#define SB_ORACLES_LOCKS_H

#include "engine/gridworld/search.h"
#include "oracles/kits/plan.h"
#include "search/search.h"

enum { SB_LOCKS_MAX = 6, SB_LOCKS_STATES = 1 << 18 };

typedef struct sb_locks { /* part of an oracle's memory */
    sb_plan plan;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(8, SB_LOCKS_STATES)];
} sb_locks;

/* Plans the way to the goal over the cells of `floor` (closed doors among them: it knows that they have to be opened).
 * Keys, doors and what is carried are read from the episode: at most SB_LOCKS_MAX of each. */
sb_verdict sb_locks_plan(sb_locks *locks, const sb_episode *e, const sb_open *floor, sb_xy goal, sb_budget *budget);
/* What the rest of the plan is about to do: fetch a key, unlock a door, go to the goal (by that name). */
void sb_locks_explain(const sb_locks *locks, const sb_episode *e, const char *goal_name, sb_xy goal, sb_intent *intent);

#endif
