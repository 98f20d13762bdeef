/* What the oracles of worlds share. */
#ifndef SB_ORACLES_AUTUMN_WORLDS_H
#define SB_ORACLES_AUTUMN_WORLDS_H

#include "oracles/oracle.h"

extern const sb_oracle sb_autumn_world_expert;

/* Whether a task is a world, by its name. */
bool sb_autumn_is_world(const char *task);

#endif
