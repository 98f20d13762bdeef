/* BabyAI's levels as a family. */
#ifndef SB_BABYAI_FAMILY_H
#define SB_BABYAI_FAMILY_H

#include "engine/environment.h"

extern const sb_family sb_babyai;

#endif
