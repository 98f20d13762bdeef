#include "generators/agentick/family.h"

#include "engine/gridworld/gridworld.h"
#include "engine/gridworld/picture/looks.h"

/* Every task has a text beside it, `<task>.txt`, which the build embeds (cmake/embed.cmake). */
#define SB_TASK(task)                                                                                                  \
    extern const sb_task task;                                                                                         \
    extern const unsigned char sb_shipped_text_##task[];
#include "generators/agentick/tasks.def"
#undef SB_TASK

#define SB_TASK(task) &task,
static const sb_task *const tasks[] = {
#include "generators/agentick/tasks.def"
};
#undef SB_TASK

#define SB_TASK(task) sb_shipped_text_##task,
static const unsigned char *const texts[] = {
#include "generators/agentick/tasks.def"
};
#undef SB_TASK

static const sb_task_info *task_info(size_t index) { return &tasks[index]->info; }

static void describe(const sb_task_info *task, sb_out *out) {
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        if (&tasks[i]->info == task) sb_puts(out, (const char *)texts[i]);
}

/* Published configurations hold coordinates as tuples, and these pairs as lists (found in all tasks and difficulties,
 * three seeds each). */
static const char *const lists[] = {"CooperativeTransport-v0 box_positions[]",
                                    "CooperativeTransport-v0 hole_positions[]",
                                    "CooperativeTransport-v0 npc_start",
                                    "EmergentStrategy-v0 barrier_rows",
                                    "EmergentStrategy-v0 npc_data[].pos",
                                    "EmergentStrategy-v0 plate_barrier_map",
                                    "GraphColoring-v0 adjacency.*",
                                    "PackingPuzzle-v0 piece_types",
                                    "RecipeAssembly-v0 ingredient_positions.*[]",
                                    "RecipeAssembly-v0 recipe",
                                    "ResourceManagement-v0 drain_amounts",
                                    "SwitchCircuit-v0 barriers[].cells[]",
                                    "SymbolMatching-v0 pair_info[].item_pos",
                                    "SymbolMatching-v0 pair_info[].target_pos",
                                    "SymbolMatching-v0 target_positions[]",
                                    "TileSorting-v0 goal_map.*",
                                    "TimingChallenge-v0 gap_cols",
                                    "ToolUse-v0 decoy_positions[]",
                                    "ToolUse-v0 orb_spawn_pos",
                                    "ToolUse-v0 scroll_positions[]",
                                    NULL};

static const sb_info_source info = {.by_default = true, .tell = sb_gridworld_tell_info, .lists = lists};

const sb_family sb_agentick = {
    .name = "agentick",
    .version = "1",
    .difficulties = sb_difficulty_names,
    .n_difficulties = SB_N_DIFFICULTIES,
    .n_tasks = sizeof tasks / sizeof *tasks,
    .hiding = SB_CAN_HIDE,
    .modes = sb_gridworld_modes,
    .n_modes = SB_N_GRIDWORLD_MODES,
    .text_max = 1 << 18,
    .dataset_modes = sb_gridworld_dataset_modes,
    .task = task_info,
    .describe = describe,
    .shape = sb_gridworld_shape,
    .start = sb_gridworld_start,
    .step = sb_gridworld_step,
    .observe = sb_gridworld_observe,
    .arrays = sb_gridworld_arrays,
    .n_arrays = SB_N_GRIDWORLD_ARRAYS,
    .fill = sb_gridworld_fill,
    .valid = sb_gridworld_valid,
    .effective = sb_gridworld_effective,
    .print_action = sb_gridworld_print_action,
    .parse_action = sb_gridworld_parse_action,
    .copy = sb_gridworld_copy,
    .clear = sb_gridworld_clear,
    .key = sb_gridworld_key,
    .bound = sb_gridworld_bound,
    .hide = sb_gridworld_hide,
    .reseed = sb_gridworld_reseed,
    .survey = sb_gridworld_survey,
    .extend = sb_gridworld_extend,
    .info = &info,
    .pictures = &sb_gridworld_pictures,
    .digest = sb_gridworld_digest,
};
