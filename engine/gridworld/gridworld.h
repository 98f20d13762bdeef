/* Connects gridworlds to the family contract: functions that a family of sb_task constants puts into its sb_family. */
#ifndef SB_GRIDWORLD_H
#define SB_GRIDWORLD_H

#include "engine/gridworld/episode.h"

enum { SB_N_GRIDWORLD_MODES = 5 };
extern const sb_mode sb_gridworld_modes[SB_N_GRIDWORLD_MODES];
extern const char *const sb_gridworld_dataset_modes[];

enum { SB_N_GRIDWORLD_ARRAYS = 6 };
extern const sb_array sb_gridworld_arrays[SB_N_GRIDWORLD_ARRAYS];

void sb_gridworld_shape(const sb_task_info *info, size_t difficulty, sb_shape *shape);
bool sb_gridworld_start(sb_env *env, int32_t *max_steps, sb_error *error);
void sb_gridworld_step(sb_env *env, sb_action action, sb_result *result);
void sb_gridworld_observe(const sb_env *env, const sb_mode *mode, sb_out *out);
void sb_gridworld_fill(const sb_env *env, size_t array, void *numbers);
void sb_gridworld_valid(const sb_env *env, bool *mask);
void sb_gridworld_effective(const sb_env *env, bool *mask);
void sb_gridworld_print_action(const sb_env *env, sb_action action, sb_out *out);
bool sb_gridworld_parse_action(const sb_env *env, const char *text, sb_action *action);
bool sb_gridworld_copy(sb_env *to, const sb_env *from, sb_error *error);
void sb_gridworld_clear(sb_env *env);
void sb_gridworld_key(const sb_env *env, uint64_t key[2]);
int sb_gridworld_bound(const sb_env *env);
void sb_gridworld_hide(sb_env *env);
bool sb_gridworld_reseed(sb_env *env, uint64_t seed);
void sb_gridworld_survey(const sb_env *env, sb_grid_survey *survey);
bool sb_gridworld_extend(sb_env *env, int32_t max_steps);
void sb_gridworld_tell_info(const sb_env *env, sb_out *out);
void sb_gridworld_digest(const sb_env *env, uint8_t digest[32]);

#endif
