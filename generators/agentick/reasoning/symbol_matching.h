/* SymbolMatching's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_SYMBOL_MATCHING_H
#define SB_AGENTICK_SYMBOL_MATCHING_H

#include "engine/gridworld/episode.h"

enum { SB_SYMBOL_MATCHING_KINDS = 5 };

typedef struct sb_symbol_matching_vars {
    sb_xy start;
    int32_t n_pairs, n_fakes;
    sb_xy item[SB_SYMBOL_MATCHING_KINDS];   /* where the items lay at the start: one of each pair, then the fakes */
    sb_xy target[SB_SYMBOL_MATCHING_KINDS]; /* one target of each pair; the object is gone when the pair is matched */
    int32_t kind[SB_SYMBOL_MATCHING_KINDS]; /* object codes, all different: of the pairs, then of the fakes */
    int32_t carrying;                       /* an object code, or SB_NONE */
    int32_t n_placed;
} sb_symbol_matching_vars;

/* Returns whether a cell is on the side of the targets. Items and targets have the same object codes; only the half of
 * the grid tells them apart. */
static inline bool sb_symbol_matching_is_target(const sb_episode *e, sb_xy p) { return p.x > e->width / 2; }

extern const sb_task sb_symbol_matching;

#endif
