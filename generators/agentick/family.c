#include "generators/agentick/family.h"

#include "engine/gridworld/gridworld.h"
#include "engine/gridworld/picture/flat.h"

#define SB_TASK(task) extern const sb_task task;
#include "generators/agentick/tasks.def"
#undef SB_TASK

#define SB_TASK(task) &task,
static const sb_task *const tasks[] = {
#include "generators/agentick/tasks.def"
};
#undef SB_TASK

static const sb_task_info *task_info(size_t index) { return &tasks[index]->info; }

const sb_family sb_agentick = {
    .name = "agentick",
    .version = "1",
    .difficulties = sb_difficulty_names,
    .n_difficulties = SB_N_DIFFICULTIES,
    .n_tasks = sizeof tasks / sizeof *tasks,
    .hiding = SB_CAN_HIDE,
    .modes = sb_gridworld_modes,
    .n_modes = SB_N_GRIDWORLD_MODES,
    .dataset_modes = sb_gridworld_dataset_modes,
    .task = task_info,
    .shape = sb_gridworld_shape,
    .start = sb_gridworld_start,
    .step = sb_gridworld_step,
    .observe = sb_gridworld_observe,
    .arrays = sb_gridworld_arrays,
    .n_arrays = SB_N_GRIDWORLD_ARRAYS,
    .fill = sb_gridworld_fill,
    .valid = sb_gridworld_valid,
    .print_action = sb_gridworld_print_action,
    .parse_action = sb_gridworld_parse_action,
    .copy = sb_gridworld_copy,
    .clear = sb_gridworld_clear,
    .key = sb_gridworld_key,
    .bound = sb_gridworld_bound,
    .hide = sb_gridworld_hide,
    .pictures = &sb_gridworld_pictures,
    .digest = sb_gridworld_digest,
};
