/* The fewest steps of an agent that pushes things over a grid, counted by the lines that it has to cross.
 *
 * Every step crosses one line between two columns or two rows. The agent stands behind what it pushes, and no step
 * pushes two things. So bringing a thing from column 3 to column 6 takes the agent over three lines eastwards, whatever
 * else happens. A walk crosses every line as often back as forth, except once less if it starts on one side and ends on
 * the other. So the pushes in both directions, the places that the agent has to visit and the place where it ends give
 * the fewest crossings of each line. Their sum over all lines is a lower bound.
 *
 * Atallah and Kosaraju balance crossings in this way for a robot arm that moves objects along a line (SIAM Journal on
 * Computing 17, 1988). Junghanns and Schaeffer match boxes with goals to bound the pushes in Sokoban (Artificial
 * Intelligence 129, 2001). Here the two are one: the least over all matchings, each with the lines that all ways of a
 * thing to its goal have in common, so that walls count too. */
#ifndef SB_ORACLES_CROSSINGS_H
#define SB_ORACLES_CROSSINGS_H

#include "oracles/kits/pushing.h"

/* ---- Lines of one axis ---- */

/* A number for each line of an axis, of four bits each: line k lies between the coordinates k and k + 1, and there are
 * at most 16. No number is above 7, so the highest bit of each is free and is used for comparisons. */
typedef uint64_t sb_crossings;

#define SB_EACH(n) (UINT64_C(0x1111111111111111) * (n)) /* the same number for every line */

/* One for each line below a coordinate, which is at most 15. */
static inline sb_crossings sb_lines_below(int at) { return ((UINT64_C(1) << (4 * at & 63)) - 1) & SB_EACH(1); }

/* The sum of numbers that are all 0 or 1, at most 15 of them 1. */
static inline int sb_count_lines(sb_crossings ones) { return (int)(ones * SB_EACH(1) >> 60); }

static inline int sb_sum_lines(sb_crossings numbers) {
    const uint64_t low_halves = UINT64_C(0x0f0f0f0f0f0f0f0f);
    numbers = (numbers & low_halves) + (numbers >> 4 & low_halves);
    return (int)(numbers * UINT64_C(0x0101010101010101) >> 56);
}

/* One for every line where a is not less than b. */
static inline sb_crossings sb_not_less(sb_crossings a, sb_crossings b) {
    return ((a | SB_EACH(8)) - b) >> 3 & SB_EACH(1);
}

/* The steps along an axis. */
typedef struct sb_fare {
    int round_trip;     /* steps if the agent ends where it starts */
    sb_crossings saved; /* 1 for each line that the agent crosses once less if it ends beyond it */
} sb_fare;

/* Takes how often the agent pushes something over each line, forth (to larger coordinates) and back, and the lines that
 * it has to reach the other side of, each as one. `behind`: the lines below its start. */
static inline sb_fare sb_fare_of(sb_crossings forth, sb_crossings back, sb_crossings reached, sb_crossings behind) {
    const sb_crossings idle = reached & sb_not_less(0, forth | back); /* crossed without pushing */
    const sb_crossings up = sb_not_less(forth, back), down = sb_not_less(back, forth);
    const sb_crossings larger = (forth & up * 15) | (back & ~(up * 15));
    return (sb_fare){2 * sb_sum_lines(larger + idle), idle | (up & ~down & ~behind) | (down & ~up & behind)};
}

/* Returns the steps along an axis. `between`: the lines between start and end. */
static inline int sb_fare_to(sb_fare fare, sb_crossings between) {
    return fare.round_trip + sb_count_lines(between) - 2 * sb_count_lines(between & fare.saved);
}

/* ---- The bound if every goal needs a thing of its type ---- */

enum { SB_MATCHINGS_MAX = 24, SB_FAR = 10000 /* steps: impossible */ };

/* What every way of a thing to a goal needs, ignoring other things. Index 0: columns, 1: rows. */
typedef struct sb_needs {
    sb_crossings forth[2], back[2];    /* crossings while pushing */
    sb_crossings before[2], beyond[2]; /* one for each line that the agent has to be before or beyond at some time */
    int32_t pushes;                    /* fewest pushes; SB_FAR: there is no way */
    uint32_t over;                     /* goals that the thing passes over: bit k for goal k */
} sb_needs;

/* Which thing goes to each goal that has none, and at least how many steps that takes. */
typedef struct sb_matching {
    int16_t steps;
    uint8_t thing[SB_PUSHING_GOALS];
} sb_matching;

typedef struct sb_goals {
    sb_crossings below[2][SB_PUSHING_CELLS]; /* the lines below a cell's coordinates */
    sb_needs needs[SB_PUSHING_GOALS][SB_PUSHING_CELLS];
    int n_ends[SB_PUSHING_GOALS];
    uint8_t end[SB_PUSHING_GOALS][4]; /* where the agent may be after the push into the goal */
    /* The state being expanded. */
    uint64_t listed;      /* number of the expansion for which the matchings were listed */
    unsigned open, fixed; /* goals without their thing; things that are not pushed any more */
    int n;
    sb_matching matching[SB_MATCHINGS_MAX]; /* the matchings that are possible, cheapest first */
    int unlisted;                           /* fewest steps of the matchings for which there was no room */
} sb_goals;

/* Computes the needs of all goals of the pushing; `pushes` gives the fewest pushes of a thing alone from a cell to a
 * goal, SB_FAR if there is no way. */
void sb_goals_draw(sb_goals *goals, const sb_pushing *p, int16_t pushes[][SB_PUSHING_CELLS]);

/* Returns a lower bound on the steps that are left, negative if there is no way: for sb_pushing.bound. The bound of a
 * matching falls by no more than a push costs, so after a push most matchings need not be looked at again, and those
 * beyond the first SB_MATCHINGS_MAX never. */
int sb_goals_bound(sb_goals *goals, sb_pushing *p, const sb_push_state *l);

#endif
