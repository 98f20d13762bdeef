/* The families and oracles of test programs: the real ones and the toy. Takes the place of generators/families.c and
 * oracles/table.c when a program is linked. */
#include "generators/agentick/family.h"
#include "generators/babyai/family.h"
#include "tests/testfamily/toy.h"

const sb_family *const sb_families[] = {&sb_agentick, &sb_babyai, &toy_family, NULL};

#define SB_ORACLE(oracle) extern const sb_oracle oracle;
#include "oracles/agentick/oracles.def"
#include "oracles/babyai/oracles.def"
#undef SB_ORACLE

#define SB_ORACLE(oracle) &oracle,
const sb_oracle *const sb_oracles[] = {
#include "oracles/agentick/oracles.def"
#include "oracles/babyai/oracles.def"
    &toy_pile_expert, &toy_hunt_expert, NULL};
#undef SB_ORACLE
