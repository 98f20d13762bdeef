/* Recorded rollouts: the part that is the same for all families, and the loop that plays one and compares. */
#ifndef SB_GENERATORS_CONFORMANCE_ROLLOUT_H
#define SB_GENERATORS_CONFORMANCE_ROLLOUT_H

#include "generators/conformance/comparison.h"

typedef struct sb_recorded_rollout {
    const char *policy, *actions; /* actions: one digit each */
    size_t n;                     /* number of actions */
    const cJSON *rewards;         /* the next reward that is not 0, as `[step, reward]`; NULL behind the last */
    bool terminated, truncated, success;
} sb_recorded_rollout;

/* Reads a rollout. Actions are the digits 0 to `last_action`; `rewards` is the key of the list of rewards. */
bool sb_recorded_rollout_read(const cJSON *object, char last_action, const char *rewards, sb_recorded_rollout *rollout,
                              sb_error *error);

/* Returns the recorded reward of a step. Must be called once for each step, in order. */
double sb_take_recorded_reward(sb_recorded_rollout *rollout, size_t step);

typedef struct sb_rollout_comparison {
    sb_comparison *at;
    const char *name;  /* name of the episode */
    size_t first_step; /* the number of the first step in the recordings of the family */
    /* Takes the step and compares it with the recording; false stops. */
    bool (*compare_step)(void *context, size_t step, int action, sb_result *result);
    void *context;
} sb_rollout_comparison;

/* Plays the recorded actions and compares every step, the rewards and the end. */
void sb_compare_rollout(const sb_rollout_comparison *how, const sb_recorded_rollout *rollout);

#endif
