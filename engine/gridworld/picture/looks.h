/* The looks of gridworlds: `flat`, which is the first, and `isometric`. */
#ifndef SB_GRIDWORLD_LOOKS_H
#define SB_GRIDWORLD_LOOKS_H

#include "engine/brush.h"

extern const sb_picture_source sb_gridworld_pictures;

/* The look `flat`: small square tiles from which every fact can be read back. */

extern const sb_picture_source sb_flat_pictures; /* has no list of looks; sb_gridworld_pictures has it */

/* The look `isometric`: a square picture of the grid seen from above at an angle. Everything is drawn with integers. */

extern const sb_picture_source sb_isometric_pictures; /* has no list of looks; sb_gridworld_pictures has it */

#endif
