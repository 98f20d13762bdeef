/* Walkers that patrol in straight lines. */
#ifndef SB_PARTS_PATROL_H
#define SB_PARTS_PATROL_H

#include "engine/gridworld/search.h"

/* Where guards go: over empty cells within the border, but never onto the goal. */
static inline bool sb_may_patrol(const sb_episode *e, sb_xy to) {
    return sb_interior(e, to) && sb_peek(e, to)->terrain == SB_EMPTY && sb_peek(e, to)->object != SB_GOAL;
}

/* Walks on with the heading, an index into sb_nswe; where that may not be entered, stays and turns at random instead.
 * Returns the heading for the next step. */
static inline int sb_patrol(const sb_episode *e, sb_xy *at, int heading,
                            bool (*may_enter)(const sb_episode *e, sb_xy to), sb_rng *rng) {
    const sb_xy ahead = sb_beside(*at, sb_nswe[heading]);
    if (!may_enter(e, ahead)) return (int)sb_integers(rng, 0, 4);
    *at = ahead;
    return heading;
}

#endif
