/* The list of oracles of this program. */
#include "oracles/oracle.h"

#define SB_ORACLE(oracle) extern const sb_oracle oracle;
#include "oracles/agentick/oracles.def"
#include "oracles/arc/oracles.def"
#include "oracles/autumn/oracles.def"
#include "oracles/babyai/oracles.def"
#undef SB_ORACLE

#define SB_ORACLE(oracle) &oracle,
const sb_oracle *const sb_oracles[] = {
#include "oracles/agentick/oracles.def"
#include "oracles/arc/oracles.def"
#include "oracles/autumn/oracles.def"
#include "oracles/babyai/oracles.def"
    NULL};
#undef SB_ORACLE
