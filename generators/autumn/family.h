/* Autumn's environments as a family. */
#ifndef SB_AUTUMN_FAMILY_H
#define SB_AUTUMN_FAMILY_H

#include "engine/environment.h"

extern const sb_family sb_autumn;

#endif
