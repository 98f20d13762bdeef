#include "models/candidate.h"

const char *const sb_model_op_names[SB_MODEL_N_OPS] = {
    [SB_MODEL_HELLO] = "hello",
    [SB_MODEL_LEVEL] = "level",
    [SB_MODEL_ENCODE] = "encode",
    [SB_MODEL_RENDER] = "render",
    [SB_MODEL_HISTORY] = "history",
    [SB_MODEL_PREDICT] = "predict",
    [SB_MODEL_HYPOTHESES_OP] = "hypotheses",
    [SB_MODEL_CLICKS_OP] = "clicks",
    [SB_MODEL_GOAL] = "goal",
    [SB_MODEL_POLICY] = "policy",
    [SB_MODEL_SUB_GOAL] = "sub_goal",
    [SB_MODEL_LEARN] = "learn",
    [SB_MODEL_SAVE] = "save",
    [SB_MODEL_LOAD] = "load",
};

const char *const sb_model_owner_names[SB_N_OWNERS] = {"observation", "dynamics", "strategy"};

sb_model_owner sb_model_owner_of(sb_model_op op) {
    switch (op) {
    case SB_MODEL_ENCODE:
    case SB_MODEL_RENDER: return SB_OWNS_OBSERVATION;
    case SB_MODEL_CLICKS_OP:
    case SB_MODEL_GOAL:
    case SB_MODEL_POLICY:
    case SB_MODEL_SUB_GOAL: return SB_OWNS_STRATEGY;
    default: return SB_OWNS_DYNAMICS;
    }
}
