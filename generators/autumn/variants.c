#include "generators/autumn/variants.h"

#define LEVELS(kind, more) #kind "-1" more, #kind "-2" more, #kind "-3" more, #kind "-4" more
#define KINDS(more)        LEVELS(mfp, more), LEVELS(planning, more), LEVELS(change, more)

const char *const sb_autumn_variants[SB_AUTUMN_N_VARIANTS] = {"", "published", KINDS(""), KINDS("-same")};

#define CHALLENGES_IN_SHORT "mfp-1 to mfp-4, planning-1 to planning-4 and change-1 to change-4, also with -same behind"
const char sb_autumn_variants_in_short[] = "published; " CHALLENGES_IN_SHORT;
const char sb_autumn_challenges_in_short[] = CHALLENGES_IN_SHORT;
