/* Which objects a mission means, and when it is fulfilled or failed.
 *
 * A description means the objects that match it when tracking begins. From then on it follows these objects, whatever
 * happens to them, in two lists. The published verifier keeps the lists apart, and published bots read both:
 *
 *   `objects`    never changes: ids as in the world's cells, SB_MG_A_WALL for each wall;
 *   `positions`  where the objects were at the last refresh. Only a drop action refreshes, so after a pickup the old
 *                cell stays listed until the next drop, and facing it satisfies a `go to`.
 *
 * Both are in scan order: x in the outer loop, y in the inner. */
#ifndef SB_MINIGRID_TRACKING_H
#define SB_MINIGRID_TRACKING_H

#include "engine/minigrid/world.h"

/* ---- Which objects are meant ---- */

/* Fills both lists (and `several`) with what the description matches now, as seen from the agent. Returns false if more
 * than SB_MG_TRACKED_MAX match; the lists then hold the first ones. */
bool sb_mg_evaluate(const sb_mg_world *w, sb_mg_description *d);
/* Returns whether a cell is in the room of `from` and on the given side, as seen from there. */
bool sb_mg_is_located(const sb_mg_world *w, sb_mg_location location, sb_xy from, int facing, sb_xy at);
/* Returns whether an evaluated description tracks an object. */
bool sb_mg_tracks(const sb_mg_description *d, int id);

/* Begins tracking: evaluates all descriptions of the world's mission as seen from the agent, and clears what was held
 * and done. Fails if a description matches too many objects. */
bool sb_mg_begin_tracking(sb_mg_world *w, sb_error *error);

/* Returns whether a mission meets the demands that all levels share; if not, the attempt must be rejected. Evaluates
 * the descriptions that it looks at. `keys_matter`: no description may match keys of a locked door's colour. */
bool sb_mg_mission_is_fair(sb_mg_world *w, bool keys_matter);

/* ---- Judging, in this order in every step ---- */

typedef enum sb_mg_outcome { SB_MG_CONTINUES, SB_MG_SUCCEEDED, SB_MG_FAILED } sb_mg_outcome;

/* Updates the lists of positions. Called after each drop action, successful or not. */
void sb_mg_refresh(sb_mg_world *w);
sb_mg_outcome sb_mg_judge(sb_mg_world *w, sb_mg_action action);

#endif
