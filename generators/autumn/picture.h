/* The look of the family: docs/pictures.md, "Autumn". */
#ifndef SB_AUTUMN_PICTURE_H
#define SB_AUTUMN_PICTURE_H

#include "engine/brush.h"

extern const sb_picture_source sb_autumn_pictures;

#endif
