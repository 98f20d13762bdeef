/* What is kept of a play beside its tape: how many actions each level took, and recordings in the toolkit's form. */
#ifndef SB_ARC_RECORD_H
#define SB_ARC_RECORD_H

#include "engine/recording.h"
#include "generators/arc/observe.h"

extern const sb_efficiency_source sb_arc_efficiency;
extern const sb_recording_source sb_arc_recordings;

/* Counts an action as the published scorer does: if its answer has a frame. */
void sb_arc_count(sb_effort *effort, sb_arc_action action, const sb_arc_answer *answer);

#endif
