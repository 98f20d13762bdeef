/* The families of this program. Printed names leave out the first one's name. */
#include "engine/lookup.h"
#include "generators/agentick/family.h"
#include "generators/arc/family.h"
#include "generators/autumn/family.h"
#include "generators/babyai/family.h"

const sb_family *const sb_families[] = {&sb_agentick, &sb_babyai, &sb_autumn, &sb_arc, NULL};
