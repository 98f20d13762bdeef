/* Frames of multi-level games, for logs and models (engine/frames.h). */
#ifndef SB_ARC_FRAMES_H
#define SB_ARC_FRAMES_H

#include "engine/frames.h"

extern const sb_frame_source sb_arc_frames;

#endif
