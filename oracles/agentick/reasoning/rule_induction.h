/* Shared by the expert of RuleInduction and its observer, which uses the expert. */
#ifndef SB_ORACLES_RULE_INDUCTION_H
#define SB_ORACLES_RULE_INDUCTION_H

#include "oracles/oracle.h"

enum { SB_RULE_INDUCTION_EXPERT_MEMORY = 1 << 17 }; /* bytes: enough for the expert */

extern const sb_oracle sb_rule_induction_expert;

#endif
