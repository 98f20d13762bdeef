/* What a plugin's worker (agents/plugin_worker.h) has done in its episode. It lies in memory that the worker shares
 * with the process that started it, so that this is known even of a worker that crashed. */
#ifndef SB_AGENTS_MOVES_H
#define SB_AGENTS_MOVES_H

#include <stdatomic.h>

#include "seedbed.h"

enum { SB_MOVES_MAX = 1 << 20 /* actions of an episode */ };

/* Values of `progress`: the plugin's function that was called last. From SB_IN_ACT on, each action adds one. */
enum { SB_BEFORE_BEGIN, SB_IN_BEGIN, SB_IN_ACT };
#define SB_IN_END (UINT64_C(1) << 63) /* is set besides once the episode is over */

typedef struct sb_moves {
    _Atomic uint64_t progress;
    sb_action actions[SB_MOVES_MAX];
} sb_moves;

/* Returns how many actions there are: at most SB_MOVES_MAX, whatever the plugin wrote there. */
static inline size_t sb_moves_count(const sb_moves *moves) {
    const uint64_t progress = atomic_load(&moves->progress) & ~SB_IN_END;
    const uint64_t n = progress < SB_IN_ACT ? 0 : progress - SB_IN_ACT;
    return n < SB_MOVES_MAX ? (size_t)n : SB_MOVES_MAX;
}

#endif
