/* Which objects a mission means, and when it is fulfilled or failed.
 *
 * A description means the objects that match it when tracking begins. From then on it follows these objects, whatever
 * becomes of them, in two lists that the published verifier keeps apart (and published bots read side by side):
 *
 *   `objects`    never changes: ids as in the world's cells, SB_MG_A_WALL for each wall;
 *   `positions`  where they were found at the last refresh. Only a drop action refreshes, so after a pickup the old
 *                cell stays listed until the next drop, and facing it satisfies a `go to`.
 *
 * Both are in scan order: x in the outer loop, y in the inner. */
#ifndef SB_MINIGRID_TRACKING_H
#define SB_MINIGRID_TRACKING_H

#include "engine/minigrid/world.h"

/* ---- Which objects are meant ---- */

/* Fills both lists (and `several`) with what the description means now, seen from the agent as it stands. False if
 * there is more than SB_MG_TRACKED_MAX of it: then the lists hold the first of it. */
bool sb_mg_evaluate(const sb_mg_world *w, sb_mg_description *d);
/* Seen by somebody who stands at `from`: is a cell in the same room and on the side that is said? */
bool sb_mg_is_located(const sb_mg_world *w, sb_mg_location location, sb_xy from, int facing, sb_xy at);
/* Whether an object is tracked by a description that was evaluated. */
bool sb_mg_tracks(const sb_mg_description *d, int id);

/* Begins tracking: evaluates all descriptions of the world's mission, from the agent as it stands, and forgets what was
 * held and done. Fails if a description means too many objects. */
bool sb_mg_begin_tracking(sb_mg_world *w, sb_error *error);

/* What the levels demand of a mission beyond their own steps; begins the tracking of what it looks at. False: the
 * attempt is to be rejected. `keys_matter`: a key of a locked door's colour may not be asked for. */
bool sb_mg_mission_is_fair(sb_mg_world *w, bool keys_matter);

/* ---- Judging, in this order in every step ---- */

typedef enum sb_mg_outcome { SB_MG_CONTINUES, SB_MG_SUCCEEDED, SB_MG_FAILED } sb_mg_outcome;

/* Lists anew where the tracked objects are; after each drop action, successful or not. */
void sb_mg_refresh(sb_mg_world *w);
sb_mg_outcome sb_mg_judge(sb_mg_world *w, sb_mg_action action);

#endif
