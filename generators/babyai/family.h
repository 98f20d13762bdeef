/* BabyAI's levels as a family. */
#ifndef SB_BABYAI_FAMILY_H
#define SB_BABYAI_FAMILY_H

#include "engine/family.h"

extern const sb_family sb_babyai;

#endif
