/* PackingPuzzle's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_PACKING_PUZZLE_H
#define SB_AGENTICK_PACKING_PUZZLE_H

#include "engine/gridworld/episode.h"

enum { SB_PACKING_PUZZLE_PIECES = 5, SB_PACKING_PUZZLE_DISTRACTORS = 2, SB_PACKING_PUZZLE_TYPES = 4 };

typedef struct sb_packing_puzzle_vars {
    sb_xy start;
    int32_t n_pieces; /* also the number of slots */
    int32_t n_distractors, n_filled;
    sb_xy slot[SB_PACKING_PUZZLE_PIECES];            /* slots in a column beside a side wall; slot i takes type[i] */
    sb_xy piece[SB_PACKING_PUZZLE_PIECES];           /* where the pieces lay at the start */
    int32_t type[SB_PACKING_PUZZLE_PIECES];          /* object codes; any piece of the right type fills a slot */
    sb_xy distractor[SB_PACKING_PUZZLE_DISTRACTORS]; /* where the distractors lay at the start */
} sb_packing_puzzle_vars;

/* The kinds of pieces, in the published order. */
extern const int8_t sb_packing_puzzle_types[SB_PACKING_PUZZLE_TYPES];

static inline bool sb_packing_puzzle_is_piece(int object) {
    return object == SB_BOX || object == SB_GEM || object == SB_ORB || object == SB_SCROLL;
}

extern const sb_task sb_packing_puzzle;

#endif
