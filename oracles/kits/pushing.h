/* What searches over pushes share: where the agent can walk between things that it pushes about, which of them can
 * never be pushed again, and the walks of a plan. Cells are indices into a grid with walls all around. */
#ifndef SB_ORACLES_PUSHING_H
#define SB_ORACLES_PUSHING_H

#include "oracles/kits/plan.h"

enum { SB_PUSHING_CELLS = 15 * 15 };

/* What a cell holds: the agent walks on the first two, things are pushed on the first only. */
enum { SB_GROUND_FREE, SB_GROUND_WALKED, SB_GROUND_THING, SB_GROUND_WALL };

typedef struct sb_survey {
    uint8_t holds[SB_PUSHING_CELLS];
    uint8_t steps[SB_PUSHING_CELLS]; /* of the agent to the cell, and one more; 0: no way */
} sb_survey;

/* Fills in the steps from a cell over what the cells hold. `step_of` is the change of an index, by direction. */
void sb_survey_from(sb_survey *survey, const int step_of[4], int from);
/* Adds a shortest walk to the cell that was surveyed from; of several the first in the order of the directions. */
void sb_survey_walk(const sb_survey *survey, const int step_of[4], int from, sb_plan *plan);

/* Whether a thing is in a square of four that are things or walls: none of them can be the first to be pushed. */
bool sb_is_stuck(const uint8_t *holds, const int step_of[4], int thing);

/* ---- Crossings ----
 * How often the agent has to step over the boundaries between columns, or between rows. Boundary k lies between the
 * coordinates k and k + 1. The counts for all boundaries are kept in one word, four bits each: none is above 7, so the
 * highest bit of each is free, and compares. */

#define SB_EACH(n) (UINT64_C(0x1111111111111111) * (n)) /* the same count for every boundary */

/* One for every boundary between two coordinates, the first no larger than the second. */
static inline uint64_t sb_one_each(int low, int high) {
    return low < high ? SB_EACH(1) >> (64 - 4 * (high - low)) << 4 * low : 0;
}

static inline int sb_sum_of(uint64_t counts) {
    const uint64_t low_halves = UINT64_C(0x0f0f0f0f0f0f0f0f);
    counts = (counts & low_halves) + (counts >> 4 & low_halves);
    return (int)(counts * UINT64_C(0x0101010101010101) >> 56);
}

/* One for every boundary where a is not less than b. */
static inline uint64_t sb_not_less(uint64_t a, uint64_t b) { return ((a | SB_EACH(8)) - b) >> 3 & SB_EACH(1); }

#endif
