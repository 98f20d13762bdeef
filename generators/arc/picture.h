/* The look of the family: docs/pictures.md, "Multi-level games". */
#ifndef SB_ARC_PICTURE_H
#define SB_ARC_PICTURE_H

#include "engine/brush.h"

extern const sb_picture_source sb_arc_pictures;

#endif
