/* The looks of gridworlds: `flat`, which is the first, and `isometric`. */
#ifndef SB_GRIDWORLD_LOOKS_H
#define SB_GRIDWORLD_LOOKS_H

#include "engine/brush.h"

extern const sb_picture_source sb_gridworld_pictures;

#endif
