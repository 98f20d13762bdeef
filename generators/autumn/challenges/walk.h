/* The coverage walk: actions that let as much as possible of a program happen (challenges 2). The same program, seed
 * and states give the same actions.
 *
 * To find out what an action would do, the walk tries it on a copy of the state. Copies have random numbers of their
 * own, so the walk does not know the draws that are to come. */
#ifndef SB_AUTUMN_WALK_H
#define SB_AUTUMN_WALK_H

#include "engine/autumn/autumn.h"
#include "seeds/rng.h"

/* ---- Actions of interest ----------------------------------------------------------------------------------------- */

enum {
    SB_AUTUMN_COLOURED_CLICKS = 64,  /* most clicks on cells that do not have the colour of the background */
    SB_AUTUMN_NEIGHBOUR_CLICKS = 16, /* most clicks on cells of the background beside coloured ones */
    SB_AUTUMN_OTHER_CLICKS = 4,      /* most clicks on other cells of the background, which are drawn */
    SB_AUTUMN_INTERESTS_MAX = 5 + SB_AUTUMN_COLOURED_CLICKS + SB_AUTUMN_NEIGHBOUR_CLICKS + SB_AUTUMN_OTHER_CLICKS
};

/* Writes what is worth trying in a state, each action once: noop, the four keys, and clicks on cells of the three kinds
 * SB_AUTUMN_..._CLICKS. Where there are more cells than wanted, they are taken at equal distances in row order. Returns
 * the number of actions. `frame` has room for size * size numbers; it gets the frame, and is scratch memory besides. */
size_t sb_autumn_interests(const sb_autumn_state *state, uint32_t *frame, sb_rng *rng,
                           sb_autumn_event events[SB_AUTUMN_INTERESTS_MAX]);

/* ---- The walk ---------------------------------------------------------------------------------------------------- */

typedef struct sb_autumn_walk sb_autumn_walk;

/* Makes a walk that has seen nothing. It keeps a pointer to the program. NULL: out of memory. */
sb_autumn_walk *sb_autumn_walk_new(const sb_autumn_program *program, uint64_t seed);
void sb_autumn_walk_free(sb_autumn_walk *walk);

/* Notes what the last step did, and chooses the next action. `state` is where that step led to, whoever chose it; at
 * the first call, or after sb_autumn_walk_begin, it is a state to begin at. One call in four begins a run of 1 to 4
 * noops. Of the others, half give an action of interest whose effect (the handlers that fire and the variables that
 * change) was seen least often, and half any action of interest. The time is that of up to SB_AUTUMN_INTERESTS_MAX
 * steps. False: out of memory, and the walk is over. */
bool sb_autumn_walk_choose(sb_autumn_walk *walk, const sb_autumn_state *state, sb_autumn_event *event);
/* Lets the next state be one to begin at: it did not follow from the last one. What was seen is kept. */
void sb_autumn_walk_begin(sb_autumn_walk *walk);

/* Walks up to n steps from a state, which takes them, and notes them. The actions are written to `events`, which may be
 * NULL. Returns the number of steps taken: fewer than n after a fault (sb_autumn_fault_of tells it), or if memory ran
 * out (`*out_of_memory` is set). The step that failed is not counted, but its action is in `events`. */
size_t sb_autumn_walk_run(sb_autumn_walk *walk, sb_autumn_state *state, size_t n, sb_autumn_event *events,
                          bool *out_of_memory);

/* How often each handler fired in the steps that were noted. */
const uint32_t *sb_autumn_walk_fired(const sb_autumn_walk *walk);
/* How often each variable changed in the steps that were noted, by its number (sb_autumn_name); sb_autumn_n_variables
 * of them. */
const uint32_t *sb_autumn_walk_changed(const sb_autumn_walk *walk);

#endif
