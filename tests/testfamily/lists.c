/* The families, oracles and formats of test programs: the real ones and those of the test families. Test programs link
 * this file in place of generators/families.c, oracles/table.c and cli/formats.c. */
#include "engine/lookup.h"
#include "generators/agentick/family.h"
#include "generators/arc/family.h"
#include "generators/autumn/family.h"
#include "generators/babyai/family.h"
#include "tests/testfamily/toy.h"

const sb_family *const sb_families[] = {&sb_agentick, &sb_babyai,    &sb_autumn, &sb_arc,
                                        &toy_family,  &climb_family, NULL};

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
    &toy_pile_expert, &toy_hunt_expert, &climb_expert, NULL};
#undef SB_ORACLE

extern const sb_exporter sb_steps, sb_trajectories, sb_chat, sb_npz, sb_minari, sb_predict, sb_plan_rows, sb_decompose,
    sb_seedpack, sb_next_frame, sb_values, sb_preference;

const sb_exporter *const sb_exporters[] = {&sb_steps,   &sb_trajectories, &sb_chat,      &sb_npz,      &sb_minari,
                                           &sb_predict, &sb_plan_rows,    &sb_decompose, &sb_seedpack, &sb_next_frame,
                                           &sb_values,  &sb_preference,   &toy_heap,     NULL};
