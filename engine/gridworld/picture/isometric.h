/* The look `isometric`: a square picture of the grid seen from above at an angle. Everything is drawn with integers. */
#ifndef SB_GRIDWORLD_ISOMETRIC_H
#define SB_GRIDWORLD_ISOMETRIC_H

#include "engine/brush.h"

extern const sb_picture_source sb_isometric_pictures; /* without its look: looks.h */

#endif
