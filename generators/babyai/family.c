#include "generators/babyai/family.h"

#include "engine/minigrid/minigrid.h"
#include "generators/babyai/levels.h"

static const sb_task_info *task_info(size_t index) { return &sb_babyai_level(index)->info; }

static const char *const nameless[] = {""}; /* levels have no difficulties */

const sb_family sb_babyai = {
    .name = "babyai",
    .version = "1",
    .difficulties = nameless,
    .n_difficulties = 1,
    .n_tasks = SB_BABYAI_N_LEVELS,
    .hiding = SB_CAN_HIDE,
    .modes = sb_mg_modes,
    .n_modes = SB_MG_N_MODES,
    .text_max = 1 << 18,
    .dataset_modes = sb_mg_dataset_modes,
    .task = task_info,
    .describe = sb_babyai_describe,
    .shape = sb_minigrid_shape,
    .start = sb_minigrid_start,
    .step = sb_minigrid_step,
    .observe = sb_minigrid_observe,
    .arrays = sb_mg_arrays,
    .n_arrays = SB_MG_N_ARRAYS,
    .fill = sb_minigrid_fill,
    .valid = sb_minigrid_valid,
    .effective = sb_minigrid_effective,
    .print_action = sb_minigrid_print_action,
    .parse_action = sb_minigrid_parse_action,
    .copy = sb_minigrid_copy,
    .clear = sb_minigrid_clear,
    .key = sb_minigrid_key,
    .bound = sb_minigrid_bound,
    .hide = sb_minigrid_hide,
    .survey = sb_minigrid_survey,
    .extend = sb_minigrid_extend,
    .info = &sb_minigrid_info,
    .facts = &sb_minigrid_facts,
    .pictures = &sb_mg_pictures,
    .digest = sb_minigrid_digest,
};
