/* The published Agentick benchmark as a family. */
#ifndef SB_AGENTICK_FAMILY_H
#define SB_AGENTICK_FAMILY_H

#include "engine/environment.h"

extern const sb_family sb_agentick;

#endif
