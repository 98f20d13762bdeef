/* Efficiency: how many actions an episode took on each of its levels, against a baseline for each. A family that
 * measures it has a hook here; results keep the numbers, and every score by efficiency follows from them alone
 * (docs/multi-level-games.md, "Scores"). */
#ifndef SB_ENGINE_EFFICIENCY_H
#define SB_ENGINE_EFFICIENCY_H

#include "engine/contract.h"

enum { SB_EFFORT_LEVELS = 16 };

/* What an episode took so far. The levels that are completed are the first `completed` ones; the next one has the
 * actions since then. Zeroed: nothing was measured. */
typedef struct sb_effort {
    uint32_t n_levels, completed;
    uint32_t resets; /* resets, which are also counted among the actions */
    uint32_t losses; /* tries that were lost */
    /* the actions taken on each level, and the baseline of each level, at least 1 */
    uint32_t actions[SB_EFFORT_LEVELS], baselines[SB_EFFORT_LEVELS];
} sb_effort;

struct sb_efficiency_source {
    const char *score; /* what scores against these baselines are called: `rhae-proxy` */
    /* Measures an episode, which has 1 to SB_EFFORT_LEVELS levels. `effort` is zeroed before the call. */
    void (*measure)(const sb_env *env, sb_effort *effort);
};

#endif
