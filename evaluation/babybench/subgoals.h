/* The subgoals that a played episode fulfils one after another, in the words of BabyBench's Decompose task, each with
 * the actions that belong to it: going to a cell, and then what is done with the thing there. */
#ifndef SB_EVALUATION_BABYBENCH_SUBGOALS_H
#define SB_EVALUATION_BABYBENCH_SUBGOALS_H

#include "engine/environment.h"
#include "engine/facts.h"
#include "rollout/tape.h"

typedef struct sb_subgoal_part {
    const char *what; /* `OpenSubgoal` */
    bool has_cell;
    sb_xy cell;      /* to go next to */
    size_t first, n; /* its actions: from this step on, and how many */
} sb_subgoal_part;

/* Starts zeroed; sb_subgoals_free frees it. */
typedef struct sb_subgoals {
    sb_subgoal_part *parts;
    size_t n, capacity;
    size_t steps;   /* actions so far */
    size_t settled; /* actions that belong to parts */
} sb_subgoals;

/* Adds the tape's next action; `before` is what was true before it. A way ends where something is handled, and where
 * the intents that the tape notes say that its goal was reached: a mission may want the agent to go to several things.
 */
bool sb_subgoals_add(sb_subgoals *subgoals, const sb_tape *tape, const sb_facts *before, const char *action,
                     sb_error *error);
/* Adds what is left when the last action was taken: the way to where the agent looks in the end. */
bool sb_subgoals_end(sb_subgoals *subgoals, const sb_facts *end, sb_error *error);
/* Writes `(GoNextToSubgoal, (3, 4))` or `(OpenSubgoal)`. */
void sb_put_subgoal(sb_out *out, const sb_subgoal_part *part);
void sb_subgoals_free(sb_subgoals *subgoals);

#endif
