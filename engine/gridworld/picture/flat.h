/* The look `flat`: small square tiles from which every fact can be read back. */
#ifndef SB_GRIDWORLD_FLAT_H
#define SB_GRIDWORLD_FLAT_H

#include "engine/brush.h"

extern const sb_picture_source sb_flat_pictures; /* without its look: looks.h */

#endif
