#include "generators/autumn/variants.h"

#define LEVELS(kind, more) #kind "-1" more, #kind "-2" more, #kind "-3" more, #kind "-4" more
#define KINDS(more)        LEVELS(mfp, more), LEVELS(planning, more), LEVELS(change, more)

const char *const sb_autumn_variants[SB_AUTUMN_N_VARIANTS] = {"", "published", KINDS(""), KINDS("-same")};
