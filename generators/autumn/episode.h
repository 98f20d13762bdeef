/* One episode of a program, behind the family's hooks: free exploration, which ends after 300 steps or by a fault, or a
 * test (generators/autumn/challenges/test.h). */
#ifndef SB_AUTUMN_EPISODE_H
#define SB_AUTUMN_EPISODE_H

#include "generators/autumn/events.h"

bool sb_autumn_episode_start(sb_env *env, int32_t *max_steps, sb_error *error);
void sb_autumn_episode_step(sb_env *env, sb_action action, sb_result *result);
void sb_autumn_tell_fault(const sb_env *env, sb_out *out);
bool sb_autumn_episode_copy(sb_env *to, const sb_env *from, sb_error *error);
void sb_autumn_clear(sb_env *env);
void sb_autumn_episode_key(const sb_env *env, uint64_t key[2]);
/* The score of an episode of a world: a share of the highest. */
double sb_autumn_score_of(const sb_autumn_episode *episode);
bool sb_autumn_episode_extend(sb_env *env, int32_t max_steps);
bool sb_autumn_episode_reseed(sb_env *env, uint64_t seed);
void sb_autumn_valid(const sb_env *env, bool *mask);
void sb_autumn_effective(const sb_env *env, bool *mask);
void sb_autumn_print_action(const sb_env *env, sb_action action, sb_out *out);
bool sb_autumn_parse_action(const sb_env *env, const char *text, sb_action *action);

#endif
