/* The families of this program. The first is the one that printed names leave out. */
#include "engine/lookup.h"
#include "generators/agentick/family.h"
#include "generators/babyai/family.h"

const sb_family *const sb_families[] = {&sb_agentick, &sb_babyai, NULL};
