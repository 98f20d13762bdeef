/* What the recordings of all families say of a rollout, and the loop that plays it and compares. */
#ifndef SB_CONFORMANCE_ROLLOUT_H
#define SB_CONFORMANCE_ROLLOUT_H

#include "conformance/comparison.h"

typedef struct sb_recorded_rollout {
    const char *policy, *actions; /* a digit each */
    size_t n;                     /* actions */
    const cJSON *rewards;         /* the next one of those that are not 0: `[step, reward]`; NULL behind the last */
    bool terminated, truncated, success;
} sb_recorded_rollout;

/* `rewards`: the key of the list of rewards. */
bool sb_recorded_rollout_read(const cJSON *object, char last_action, const char *rewards, sb_recorded_rollout *rollout,
                              sb_error *error);

/* The recorded reward of this step, which is asked for once. */
double sb_take_recorded_reward(sb_recorded_rollout *rollout, size_t step);

typedef struct sb_rollout_comparison {
    sb_comparison *at;
    const char *name;  /* of the episode */
    size_t first_step; /* which number the recordings of the family give to the first step */
    /* Takes the step and compares all that is recorded of it; false stops. */
    bool (*compare_step)(void *context, size_t step, int action, sb_result *result);
    void *context;
} sb_rollout_comparison;

void sb_compare_rollout(const sb_rollout_comparison *how, const sb_recorded_rollout *rollout);

#endif
