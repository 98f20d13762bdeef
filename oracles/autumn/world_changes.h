/* What an action changes in a world, for explanations: they tell of objects and places, and guess no purpose. */
#ifndef SB_AUTUMN_WORLD_CHANGES_H
#define SB_AUTUMN_WORLD_CHANGES_H

#include "engine/autumn/scene.h"
#include "oracles/oracle.h"

/* Tells what an event changes after `before`: of an object by which the world is won, if one changes, else of the
 * first. `after` is memory for a state of the same program. */
void sb_world_explain(const sb_autumn_state *before, sb_autumn_state *after, sb_autumn_event event, sb_intent *intent);

#endif
