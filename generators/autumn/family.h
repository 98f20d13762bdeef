/* Autumn's environments as a family. */
#ifndef SB_AUTUMN_FAMILY_H
#define SB_AUTUMN_FAMILY_H

#include "engine/brush.h"
#include "engine/environment.h"
#include "engine/frames.h"

extern const sb_family sb_autumn;

/* Frames of programs, for logs and models (engine/frames.h). */

extern const sb_frame_source sb_autumn_frames;

/* The look of the family: docs/pictures.md, "Autumn". */

extern const sb_picture_source sb_autumn_pictures;

#endif
