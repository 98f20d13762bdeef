/* Keys and doors: plans the fewest steps to a goal if keys are picked up by walking over them, any number at a time,
 * and each key opens one door of its colour (engine/gridworld/parts/doors.h). */
#ifndef SB_ORACLES_LOCKS_H
#define SB_ORACLES_LOCKS_H

#include "base/search/search.h"
#include "engine/gridworld/search.h"
#include "oracles/kits/plan.h"

enum { SB_LOCKS_MAX = 6, SB_LOCKS_STATES = 1 << 18 };

typedef struct sb_locks { /* part of an oracle's memory */
    sb_plan plan;
    _Alignas(16) uint8_t search[SB_SEARCH_SIZE(8, SB_LOCKS_STATES)];
} sb_locks;

/* Plans a way to the goal over the cells of `floor`, which include closed doors: the plan opens them. Keys, doors and
 * the inventory are read from the episode: at most SB_LOCKS_MAX of each. */
sb_verdict sb_locks_plan(sb_locks *locks, const sb_episode *e, const sb_open *floor, sb_xy goal, sb_budget *budget);
/* Gives the next aim of the plan: fetch a key, unlock a door, or go to the goal (called `goal_name`). */
void sb_locks_explain(const sb_locks *locks, const sb_episode *e, const char *goal_name, sb_xy goal, sb_intent *intent);

/* The rule by which ways are planned, for a test (oracles/agentick/packed.h): its memory, and its functions. */
typedef struct sb_locks_rule {
    sb_episode e;
    sb_open floor;
    _Alignas(16) uint8_t map[2 * SB_CELLS_MAX + 256];
} sb_locks_rule;

enum { SB_LOCKS_STATE_SIZE = 8 };

/* Reads the map and the state; the floor of the rule must be set. */
void sb_locks_pack(sb_locks_rule *rule, const sb_episode *e, sb_xy goal, void *state);
void sb_locks_expand(void *rule, const void *state, sb_search *search);
bool sb_locks_agrees(const void *rule, const void *state, const sb_episode *e);
/* Tells whether the agent is not on the floor, where no way leads. */
bool sb_locks_leaves_out(const void *rule, const void *state, const sb_episode *e);

#endif
