/* MiniGrid's side of the family contract: what a family of sb_mg_level constants puts into its sb_family. */
#ifndef SB_MINIGRID_H
#define SB_MINIGRID_H

#include "engine/facts.h"
#include "engine/minigrid/view.h"
#include "engine/minigrid/world.h"

void sb_minigrid_shape(const sb_task_info *task, size_t difficulty, sb_shape *shape);
bool sb_minigrid_start(sb_env *env, int32_t *max_steps, sb_error *error);
void sb_minigrid_step(sb_env *env, sb_action action, sb_result *result);
void sb_minigrid_observe(const sb_env *env, const sb_mode *mode, sb_out *out);
void sb_minigrid_fill(const sb_env *env, size_t array, void *numbers);
void sb_minigrid_valid(const sb_env *env, bool *mask);
void sb_minigrid_effective(const sb_env *env, bool *mask);
void sb_minigrid_print_action(const sb_env *env, sb_action action, sb_out *out);
bool sb_minigrid_parse_action(const sb_env *env, const char *text, sb_action *action);
bool sb_minigrid_copy(sb_env *to, const sb_env *from, sb_error *error);
void sb_minigrid_clear(sb_env *env);
void sb_minigrid_key(const sb_env *env, uint64_t key[2]);
int sb_minigrid_bound(const sb_env *env);
void sb_minigrid_hide(sb_env *env);
extern const sb_info_source sb_minigrid_info;
extern const sb_fact_source sb_minigrid_facts;
void sb_minigrid_digest(const sb_env *env, uint8_t digest[32]);

#endif
