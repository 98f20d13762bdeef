/* Frames of programs, for logs and models (engine/frames.h). */
#ifndef SB_AUTUMN_FRAMES_H
#define SB_AUTUMN_FRAMES_H

#include "engine/frames.h"

extern const sb_frame_source sb_autumn_frames;

#endif
