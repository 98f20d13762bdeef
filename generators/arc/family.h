/* Multi-level games as a family: `arc:Echo/full#7`; difficulties `intro` (levels 1 to 3) and `full`. */
#ifndef SB_ARC_FAMILY_H
#define SB_ARC_FAMILY_H

#include "engine/contract.h"

extern const sb_family sb_arc;

#endif
