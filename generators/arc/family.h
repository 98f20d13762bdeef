/* Multi-level games as a family: `arc:Echo/full#7`; difficulties `intro` (levels 1 to 3) and `full`. */
#ifndef SB_ARC_FAMILY_H
#define SB_ARC_FAMILY_H

#include "engine/brush.h"
#include "engine/contract.h"
#include "engine/frames.h"
#include "engine/recording.h"
#include "generators/arc/observe.h"

extern const sb_family sb_arc;

/* Frames of multi-level games, for logs and models (engine/frames.h). */

extern const sb_frame_source sb_arc_frames;

/* The look of the family: docs/pictures.md, "Multi-level games". */

extern const sb_picture_source sb_arc_pictures;

/* What is kept of a play beside its tape: how many actions each level took, and recordings in the toolkit's form. */

extern const sb_efficiency_source sb_arc_efficiency;
extern const sb_recording_source sb_arc_recordings;

/* Counts an action as the published scorer does: if its answer has a frame. */
void sb_arc_count(sb_effort *effort, sb_arc_action action, const sb_arc_answer *answer);

/* What is hidden in an episode of a multi-level game: levels that are not reached, how long solutions are, and what the
 * game hides (sb_arc_game.hide). */

/* The last action as `hide` and `learn` of games take it: RESET if it began the present level, UNDO if no rule led from
 * the situation before to the present one. */
sb_arc_move sb_arc_last_move(const sb_arc_play *play);
void sb_arc_hide(sb_env *env);

#endif
