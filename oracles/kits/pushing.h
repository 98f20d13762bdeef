/* Common parts of searches over pushes: where the agent can walk between the things that it pushes, which things can
 * never be pushed again, and the walks of a plan. Cells are indices into a grid with walls all around. */
#ifndef SB_ORACLES_PUSHING_H
#define SB_ORACLES_PUSHING_H

#include "oracles/kits/plan.h"

enum { SB_PUSHING_CELLS = 15 * 15 };

/* The contents of a cell: the agent can walk on the first two, things can be pushed only onto the first. */
enum { SB_GROUND_FREE, SB_GROUND_WALKED, SB_GROUND_THING, SB_GROUND_WALL };

typedef struct sb_survey {
    uint8_t holds[SB_PUSHING_CELLS];
    uint8_t steps[SB_PUSHING_CELLS]; /* steps of the agent to the cell, plus one; 0: it cannot get there */
} sb_survey;

/* Computes the steps from a cell to all others. `step_of` is the change of a cell's index for each direction. */
void sb_survey_from(sb_survey *survey, const int step_of[4], int from);
/* Adds a shortest walk from `from` to the cell of the survey; of several, the first in the order of the directions. */
void sb_survey_walk(const sb_survey *survey, const int step_of[4], int from, sb_plan *plan);

/* Tells whether a thing is part of a square of four things or walls: none of these things can be pushed first. */
bool sb_is_stuck(const uint8_t *holds, const int step_of[4], int thing);

/* ---- Crossings ----
 *
 * How often the agent has to cross the boundaries between columns, or between rows. Boundary k lies between the
 * coordinates k and k + 1. One word holds the counts for all boundaries, four bits each. No count is above 7, so the
 * highest bit of each is free and is used for comparisons. */

#define SB_EACH(n) (UINT64_C(0x1111111111111111) * (n)) /* the same count for every boundary */

/* A count of one for every boundary between two coordinates; `low` is at most `high`. */
static inline uint64_t sb_one_each(int low, int high) {
    return low < high ? SB_EACH(1) >> (64 - 4 * (high - low)) << 4 * low : 0;
}

static inline int sb_sum_of(uint64_t counts) {
    const uint64_t low_halves = UINT64_C(0x0f0f0f0f0f0f0f0f);
    counts = (counts & low_halves) + (counts >> 4 & low_halves);
    return (int)(counts * UINT64_C(0x0101010101010101) >> 56);
}

/* A count of one for every boundary where a is not less than b. */
static inline uint64_t sb_not_less(uint64_t a, uint64_t b) { return ((a | SB_EACH(8)) - b) >> 3 & SB_EACH(1); }

#endif
